"""PDFs that exist already: preview pictures of the first pages, number of pages, and several joined into one.

Pictures are made together with the document, so that a page never waits for them, and stored beside it.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from threading import Lock

import pypdfium2

MOST_PAGES, WIDTH = 6, 900
_render_lock = Lock()  # PDFium is not thread-safe
_log = logging.getLogger(__name__)


def render_pages(content: bytes, most: int = MOST_PAGES, width: int = WIDTH) -> list[bytes]:
    """Return the first pages as PNG files, `width` pixels wide."""
    with _render_lock:
        document = pypdfium2.PdfDocument(content)
        try:
            return [_picture(document, number, width) for number in range(min(most, len(document)))]
        finally:
            document.close()


def join_documents(contents: Sequence[bytes]) -> bytes:
    """Return a PDF with the pages of several."""
    written = BytesIO()
    with _render_lock:
        joined = pypdfium2.PdfDocument.new()
        try:
            for content in contents:
                part = pypdfium2.PdfDocument(content)
                try:
                    joined.import_pages(part)
                finally:
                    part.close()
            joined.save(written)
        finally:
            joined.close()
    return written.getvalue()


def count_pages(path: Path) -> int:
    """Return the number of pages of a PDF, 0 if the file cannot be read."""
    with _render_lock:
        try:
            document = pypdfium2.PdfDocument(path)
        except pypdfium2.PdfiumError:
            return 0
        try:
            return len(document)
        finally:
            document.close()


def picture_path(path: Path, number: int) -> Path:
    """Return the path of the picture of a page of a document."""
    return path.with_name(f"{path.stem}.page-{number}.png")


def store_pictures(path: Path, content: bytes) -> None:
    """Store the pictures of the first pages beside a document.

    A document that cannot be rendered is only logged: it can still be printed.
    """
    try:
        for number, picture in enumerate(render_pages(content), 1):
            picture_path(path, number).write_bytes(picture)
    except (pypdfium2.PdfiumError, OSError):
        _log.exception("no pictures of %s", path.name)


def _picture(document: pypdfium2.PdfDocument, number: int, width: int) -> bytes:
    page = document[number]
    written = BytesIO()
    shown = page.render(scale=width / page.get_width()).to_pil()
    shown.convert("RGB").save(written, "PNG")
    return written.getvalue()
