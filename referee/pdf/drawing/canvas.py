"""Extension of reportlab's canvas: fast text, "page x of y", bookmarks and a structure for screen readers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO

from django.utils.translation import get_language
from django.utils.translation import gettext as _
from reportlab.lib.colors import Color, HexColor
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from referee.pdf.drawing import fonts
from referee.pdf.drawing.structure import Structure

INK, QUIET, RULE, BAND = HexColor("#15191c"), HexColor("#545d65"), HexColor("#bfc3c6"), HexColor("#f1f2f2")
EDGE, CUT_EDGE = 9 * mm, 6 * mm  # baseline of the last line of the foot, normal and on pages to be cut
FOOT_SIZE, FOOT_LINE = 6.4, 8.2
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
        self.is_numbered = True
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

    def _draw_foot(self, page: int, pages: int) -> None:
        """Write the foot: program, fingerprints, "page x of y"; shrink lines that do not fit."""
        right, edge = float(self._pagesize[0] - MARGIN), EDGE if self.is_numbered else CUT_EDGE
        label = _("Page %(page)s of %(pages)s") % {"page": page, "pages": pages} if self.is_numbered else "Multiplo"
        taken = fonts.text_width(label, fonts.REGULAR, 7.5)
        self.write(right - taken, edge, label, fonts.REGULAR, 7.5, QUIET)
        lines = ["Multiplo", *reversed(self.foot)] if self.is_numbered else list(reversed(self.foot))
        for number, line in enumerate(lines):
            room = right - MARGIN - (taken + 8 if number == 0 else 0)
            size = min(FOOT_SIZE, FOOT_SIZE * room / max(fonts.text_width(line, fonts.REGULAR, FOOT_SIZE), 1))
            self.write(MARGIN, edge + number * FOOT_LINE, line, fonts.REGULAR, size, QUIET)
