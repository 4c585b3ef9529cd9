"""Extension of reportlab's canvas: fast text, "page x of y", bookmarks and a structure for screen readers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO

from django.utils.translation import get_language
from django.utils.translation import gettext as _
from reportlab.lib.colors import Color, HexColor
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from referee.pdf.drawing import fonts
from referee.pdf.drawing.structure import Structure

INK, QUIET, RULE, BAND = HexColor("#15191c"), HexColor("#545d65"), HexColor("#bfc3c6"), HexColor("#f1f2f2")
EDGE = 9 * mm  # baseline of the last line of the foot
FOOT_SIZE, FOOT_LINE = 6.4, 8.2
SPONSOR_SIZE, LINE_OF_SPONSOR = 8, 1.25
MARGIN = 16 * mm


class SheetCanvas(Canvas):  # type: ignore[misc]  # reportlab carries no types
    """Canvas that holds back its pages until their part is finished, since only then "page x of y" is known.

    `invariant`: the same data gives the same bytes, so that files can be compared by checksum.
    """

    def __init__(self, stream: BytesIO, size: tuple[float, float]) -> None:
        fonts.register_fonts()
        super().__init__(stream, pagesize=size, invariant=1, pageCompression=1, lang=get_language() or "en")
        self.setAuthor("Multiplo")
        self.setCreator("Multiplo")
        self.setViewerPreference("DisplayDocTitle", "true")
        self.foot: Sequence[str] = ()
        self.sponsor: Sequence[tuple[float, str]] = ()
        self.has_foot = True
        self._pictures: dict[bytes, str] = {}
        self._formsinuse: list[str]  # reportlab's list of the pictures on the page
        self._waiting: list[dict[str, object]] = []
        self._encoded: dict[tuple[str, str], list[tuple[str, str]]] = {}
        self._structure = Structure(self._doc)
        self._code: list[str]  # reportlab's list of the operators of the page
        self._pieces: list[tuple[str, str]] = []
        self._bookmarks: list[tuple[str, int]] = []
        self._outlined = 0

    def write(self, x: float, y: float, text: str, font: str, size: float, colour: Color = INK) -> None:
        """Write a text that starts at a point; five times as fast as `drawString` (a document can have 300,000)."""
        shown = self._encoded.get((font, text)) or self._encode(font, text)
        red, green, blue = colour.rgb()
        ink = f"{red:.3g} {green:.3g} {blue:.3g} rg"
        parts = " ".join(f"{name} {size:.3f} Tf ({letters}) Tj" for name, letters in shown)
        self._code.append(f"BT {ink} 1 0 0 1 {x:.2f} {y:.2f} Tm {parts} ET")

    @contextmanager
    def recorded(self) -> Iterator[list[str]]:
        """Collect the drawing operators of the block in a list instead of the page, so that they can be repeated."""
        page: list[str] = self._code
        operators: list[str] = []
        self._code = operators
        yield operators
        self._code = page

    def picture(self, content: bytes, x: float, y: float, width: float, height: float) -> None:
        """Draw a PNG or JPEG file with its lower left corner at a point; a file is stored once in a document."""
        if content not in self._pictures:
            with self.recorded():
                self.drawImage(ImageReader(BytesIO(content)), 0, 0)
            self._pictures[content] = self._formsinuse[-1]
        name = self._pictures[content]
        if name not in self._formsinuse:
            self._formsinuse.append(name)
        shown = self._doc.getXObjectName(name)
        self._code.append(f"q {width:.2f} 0 0 {height:.2f} {x:.2f} {y:.2f} cm /{shown} Do Q")

    def draw(self, operators: str) -> None:
        """Add raw PDF operators to the page."""
        self._code.append(operators)

    def _encode(self, font: str, text: str) -> list[tuple[str, str]]:
        face = fonts.font_of(font)
        pieces = face.splitString(text, self._doc)
        shown = [(face.getSubsetInternalName(subset, self._doc), self._escape(part)) for subset, part in pieces]
        self._encoded[font, text] = shown
        return shown

    def know_letters(self, letters: str) -> None:
        """Assign these letters to the font subsets, so that all documents of a game use the same subsets."""
        for font in (fonts.REGULAR, fonts.BOLD):
            self._encode(font, "".join(sorted(set(letters))))

    @contextmanager
    def untagged(self) -> Iterator[None]:
        """Mark the content of the block as an artifact, which screen readers skip."""
        self._code.append("/Artifact BMC")
        yield
        self._code.append("EMC")

    @contextmanager
    def tagged(self, kind: str, spoken: str = "") -> Iterator[None]:
        """Mark the content of the block as a title (H1, H2), a paragraph (P) or a picture (Figure) described by
        `spoken`."""
        self._code.append(f"/{kind} <</MCID {len(self._pieces)}>> BDC")
        self._pieces.append((kind, spoken))
        yield
        self._code.append("EMC")

    def bookmark(self, title: str, level: int = 0) -> None:
        """Add this page to the outline."""
        self._bookmarks.append((title, level))

    def showPage(self) -> None:  # noqa: N802  reportlab's name
        self._waiting.append(dict(self.__dict__))
        self._startPage()
        self._pieces, self._bookmarks = [], []

    def finish_part(self) -> None:
        """Number the pages since the last part and write them."""
        pages = list(self._waiting)
        for number, page in enumerate(pages, 1):
            self.__dict__.update(page)
            if self.has_foot:
                with self.untagged():
                    self._draw_foot(number, len(pages))
            self._enter_bookmarks()
            super().showPage()
            self._structure.add_page(self._doc.Pages.pages[-1], self._pieces)
        self._waiting.clear()
        self._pieces, self._bookmarks = [], []

    def save(self) -> None:
        self.finish_part()
        if self._outlined:
            self.showOutline()
        self._structure.finish()
        super().save()

    def _enter_bookmarks(self) -> None:
        for title, level in self._bookmarks:
            key = f"part-{self._outlined}"
            self.bookmarkPage(key)
            self.addOutlineEntry(title, key, level)
            self._outlined += 1

    @property
    def foot_height(self) -> float:
        """Height of the foot from the edge of the paper, with the space above it."""
        sponsor = sum(size * LINE_OF_SPONSOR for size, _line in self.sponsor)
        return float(EDGE + FOOT_LINE * (1 + len(self.foot)) + sponsor + 3 * mm)

    def _draw_foot(self, page: int, pages: int) -> None:
        """Write the foot: program and "page x of y", fingerprints, sponsor; shrink lines that do not fit."""
        right = float(self._pagesize[0] - MARGIN)
        label = _("Page %(page)s of %(pages)s") % {"page": page, "pages": pages}
        taken = fonts.text_width(label, fonts.REGULAR, 7.5)
        self.write(right - taken, EDGE, label, fonts.REGULAR, 7.5, QUIET)
        for number, line in enumerate(["Multiplo", *reversed(self.foot)]):
            size = fonts.fit_size(line, fonts.REGULAR, FOOT_SIZE, right - MARGIN - (0 if number else taken + 8))
            self.write(MARGIN, EDGE + number * FOOT_LINE, line, fonts.REGULAR, size, QUIET)
        y = EDGE + FOOT_LINE * (1 + len(self.foot)) + 2
        for size, line in reversed(self.sponsor):
            self.write((MARGIN + right - fonts.text_width(line, fonts.REGULAR, size)) / 2, y, line, fonts.REGULAR, size)
            y += size * LINE_OF_SPONSOR
