"""Reads a PDF back as people see it: where each text stands, and which points have ink."""

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
    """A text and its place on the page, in points from the lower left corner."""

    left: float
    low: float
    right: float
    top: float
    text: str

    def covers(self, other: Box) -> bool:
        """Whether two texts lie on each other."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.top, other.top) - max(self.low, other.low)
        return across > TOUCHING and down > TOUCHING


class Page(NamedTuple):
    """A page with its texts."""

    width: float
    height: float
    boxes: list[Box]

    @property
    def text(self) -> str:
        return " ".join(box.text for box in self.boxes)

    def collisions(self) -> list[tuple[str, str]]:
        """Every two texts that lie on each other."""
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
        """Texts that come nearer to an edge of the paper than so many points."""
        return [
            box.text
            for box in self.boxes
            if min(box.left, box.low, self.width - box.right, self.height - box.top) < margin
        ]


def pages_of(pdf: bytes) -> list[Page]:
    """Every page with its texts as they stand on it."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [Page(page.get_width(), page.get_height(), list(_boxes(page))) for page in document]
    finally:
        document.close()


def _boxes(page: pypdfium2.PdfPage) -> Iterator[Box]:
    """One box a text that was written at once, as wide and high as its letters are."""
    for item in page.get_objects([pypdfium2.raw.FPDF_PAGEOBJ_TEXT], textpage=page.get_textpage()):
        text = item.extract().strip()
        if text:
            left, low, right, top = item.get_bounds()
            yield Box(left, low, right, top, text)


def greys(pdf: bytes, number: int = 0, scale: float = 2.0) -> NDArray[np.uint8]:
    """A page as a printer without colours sees it: rows of points from the top, 0 black to 255 white."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        picture = document[number].render(scale=scale).to_pil().convert("L")
        return np.asarray(picture)
    finally:
        document.close()


def qr_at(pdf: bytes, text: str, number: int = 0, scale: float = 6.0, mask: int | None = None) -> bool:
    """Whether the code of this text is drawn somewhere on a page, module by module, with four white ones around it."""
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
    """(top, left, side) in points of the picture, of every drawn shape that is as wide as high."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        for item in document[number].get_objects([pypdfium2.raw.FPDF_PAGEOBJ_PATH]):
            left, low, right, top = item.get_bounds()
            if right - left > 40 and abs((right - left) - (top - low)) < 1:
                yield height - top * scale, left * scale, (right - left) * scale
    finally:
        document.close()
