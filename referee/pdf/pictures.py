"""The first pages of a PDF as pictures, for a look before anything is printed.

Made where the document is made, so nobody waits for them; kept beside it, a few pages at most.
"""

from __future__ import annotations

import logging
from io import BytesIO
from pathlib import Path
from threading import Lock

import pypdfium2

MOST_PAGES, WIDTH = 6, 900
_one_at_a_time = Lock()  # the library serves one thread at a time
_log = logging.getLogger(__name__)


def pictures_of(content: bytes, most: int = MOST_PAGES, width: int = WIDTH) -> list[bytes]:
    """The first pages as PNG, so many points wide."""
    with _one_at_a_time:
        document = pypdfium2.PdfDocument(content)
        try:
            return [_picture(document, number, width) for number in range(min(most, len(document)))]
        finally:
            document.close()


def number_of_pages(path: Path) -> int:
    """How many pages a PDF has; 0 of a file that cannot be read."""
    with _one_at_a_time:
        try:
            document = pypdfium2.PdfDocument(path)
        except pypdfium2.PdfiumError:
            return 0
        try:
            return len(document)
        finally:
            document.close()


def picture_path(path: Path, number: int) -> Path:
    """Where the picture of a page of a document is kept."""
    return path.with_name(f"{path.stem}.page-{number}.png")


def keep_pictures(path: Path, content: bytes) -> None:
    """Put the pictures of the first pages beside a document; one that cannot be shown can still be printed."""
    try:
        for number, picture in enumerate(pictures_of(content), 1):
            picture_path(path, number).write_bytes(picture)
    except (pypdfium2.PdfiumError, OSError):
        _log.exception("no pictures of %s", path.name)


def _picture(document: pypdfium2.PdfDocument, number: int, width: int) -> bytes:
    page = document[number]
    written = BytesIO()
    shown = page.render(scale=width / page.get_width()).to_pil()
    shown.convert("RGB").save(written, "PNG")
    return written.getvalue()
