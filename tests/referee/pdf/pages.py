"""Parser of rendered PDF pages: positions of texts, ink, QR codes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pypdfium2
import segno
from numpy.typing import NDArray

MM = 72 / 25.4
TOUCHING = 0.6  # points by which boxes of texts may touch: letters stand out of their boxes less than that


class Box(NamedTuple):
    """Text with its place on the page, in points from the lower left corner."""

    left: float
    low: float
    right: float
    top: float
    text: str

    def covers(self, other: Box) -> bool:
        """Return True if two texts overlap."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.top, other.top) - max(self.low, other.low)
        return across > TOUCHING and down > TOUCHING


class Page(NamedTuple):
    """Page with its texts."""

    width: float
    height: float
    boxes: list[Box]

    @property
    def text(self) -> str:
        return " ".join(box.text for box in self.boxes)

    def collisions(self) -> list[tuple[str, str]]:
        """List all pairs of overlapping texts."""
        ordered = sorted(self.boxes)
        found = []
        for number, box in enumerate(ordered):
            for other in ordered[number + 1 :]:
                if other.left > box.right:
                    break
                if box.covers(other):
                    found.append((box.text, other.text))
        return found

    def outside(self, margin: float) -> list[str]:
        """List texts that are nearer to an edge of the paper than `margin` points."""
        return [
            box.text
            for box in self.boxes
            if min(box.left, box.low, self.width - box.right, self.height - box.top) < margin
        ]


def pages_of(pdf: bytes) -> list[Page]:
    """Return all pages with their texts."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [Page(page.get_width(), page.get_height(), list(_boxes(page))) for page in document]
    finally:
        document.close()


def _boxes(page: pypdfium2.PdfPage) -> Iterator[Box]:
    """Return a box for each text run, as wide and high as its glyphs."""
    for item in page.get_objects([pypdfium2.raw.FPDF_PAGEOBJ_TEXT], textpage=page.get_textpage()):
        text = item.extract().strip()
        if text:
            left, low, right, top = item.get_bounds()
            yield Box(left, low, right, top, text)


def greys(pdf: bytes, number: int = 0, scale: float = 2.0) -> NDArray[np.uint8]:
    """Render a page in greyscale: rows of points from the top, 0 black to 255 white."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        picture = document[number].render(scale=scale).to_pil().convert("L")
        return np.asarray(picture)
    finally:
        document.close()


def qr_at(pdf: bytes, text: str, number: int = 0, scale: float = 6.0, mask: int | None = None) -> bool:
    """Return True if the QR code of this text is drawn on a page, with a margin of four modules."""
    matrix = segno.make(text, error="m", micro=False, mask=mask).matrix
    modules = np.array([list(row) for row in matrix], dtype=bool)
    size = len(modules)
    dark = greys(pdf, number, scale) < 128
    for top, left, side in _squares(pdf, number, scale, dark.shape[0]):
        step = side / size
        places = [round(step * (module + 0.5)) for module in range(size)]
        seen = dark[np.ix_([round(top) + place for place in places], [round(left) + place for place in places])]
        quiet = round(step * 3)
        above = dark[round(top) - quiet : round(top) - 2, round(left) : round(left + side)]
        if np.array_equal(seen, modules) and not above.any():
            return True
    return False


def _squares(pdf: bytes, number: int, scale: float, height: int) -> Iterator[tuple[float, float, float]]:
    """Return (top, left, side) in pixels of every drawn shape that is as wide as high."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        for item in document[number].get_objects([pypdfium2.raw.FPDF_PAGEOBJ_PATH]):
            left, low, right, top = item.get_bounds()
            if right - left > 40 and abs((right - left) - (top - low)) < 1:
                yield height - top * scale, left * scale, (right - left) * scale
    finally:
        document.close()
