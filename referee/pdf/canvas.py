"""What reportlab's canvas lacks: texts written fast, "page x of y", bookmarks and a structure for who cannot see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO

from django.utils.translation import get_language
from django.utils.translation import gettext as _
from reportlab.lib.colors import Color, HexColor
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from referee.pdf import fonts
from referee.pdf.structure import Structure

INK, QUIET, RULE, BAND = HexColor("#15191c"), HexColor("#545d65"), HexColor("#bfc3c6"), HexColor("#f1f2f2")
EDGE, CUT_EDGE = 9 * mm, 6 * mm  # the last line of the foot, lower where it is cut off
FOOT_SIZE, FOOT_LINE = 6.4, 8.2
MARGIN = 16 * mm


class SheetCanvas(Canvas):  # type: ignore[misc]  # reportlab carries no types
    """Pages wait until their part is finished: only then "page x of y" is known.

    `invariant`: the same data gives the same bytes, so that a sheet can be compared by its checksum.
    """

    def __init__(self, stream: BytesIO, size: tuple[float, float]) -> None:
        fonts.register()
        super().__init__(stream, pagesize=size, invariant=1, pageCompression=1, lang=get_language() or "en")
        self.setAuthor("Multiplo")
        self.setCreator("Multiplo")
        self.setViewerPreference("DisplayDocTitle", "true")
        self.foot: Sequence[str] = ()
        self.is_numbered = True
        self._waiting: list[dict[str, object]] = []
        self._encoded: dict[tuple[str, str], list[tuple[str, str]]] = {}
        self._structure = Structure(self._doc)
        self._code: list[str]  # reportlab's: what a page is made of
        self._pieces: list[tuple[str, str]] = []
        self._bookmarks: list[tuple[str, int]] = []
        self._outlined = 0

    def write(self, x: float, y: float, text: str, font: str, size: float, colour: Color = INK) -> None:
        """A text from this point on; five times as fast as drawString, which counts where there are 300,000."""
        shown = self._encoded.get((font, text)) or self._encode(font, text)
        red, green, blue = colour.rgb()
        ink = f"{red:.3g} {green:.3g} {blue:.3g} rg"
        parts = " ".join(f"{name} {size:.3f} Tf ({letters}) Tj" for name, letters in shown)
        self._code.append(f"BT {ink} 1 0 0 1 {x:.2f} {y:.2f} Tm {parts} ET")

    @contextmanager
    def recorded(self) -> Iterator[list[str]]:
        """What is drawn within goes into the list instead of onto the page, to be drawn again and again."""
        page: list[str] = self._code
        kept: list[str] = []
        self._code = kept
        yield kept
        self._code = page

    def draw(self, operators: str) -> None:
        """Lines and shapes in the language of PDF, written as fast."""
        self._code.append(operators)

    def _encode(self, font: str, text: str) -> list[tuple[str, str]]:
        face = fonts.font_of(font)
        pieces = face.splitString(text, self._doc)
        shown = [(face.getSubsetInternalName(subset, self._doc), self._escape(part)) for subset, part in pieces]
        self._encoded[font, text] = shown
        return shown

    def know_letters(self, letters: str) -> None:
        """Give these letters their places in the fonts, so that sheets of one game get the same fonts."""
        for font in (fonts.REGULAR, fonts.BOLD):
            self._encode(font, "".join(sorted(set(letters))))

    @contextmanager
    def untagged(self) -> Iterator[None]:
        """What is written within belongs to the paper, not to what is told: nobody wants it read aloud on each page."""
        self._code.append("/Artifact BMC")
        yield
        self._code.append("EMC")

    @contextmanager
    def tagged(self, kind: str, spoken: str = "") -> Iterator[None]:
        """What is written within is a title (H1, H2), a paragraph (P) or a picture (Figure) that `spoken` tells."""
        self._code.append(f"/{kind} <</MCID {len(self._pieces)}>> BDC")
        self._pieces.append((kind, spoken))
        yield
        self._code.append("EMC")

    def bookmark(self, title: str, level: int = 0) -> None:
        """Make this page one of the outline that a reader shows beside the pages."""
        self._bookmarks.append((title, level))

    def showPage(self) -> None:  # noqa: N802  reportlab's name
        self._waiting.append(dict(self.__dict__))
        self._startPage()
        self._pieces, self._bookmarks = [], []

    def finish_part(self) -> None:
        """Number the pages since the last part and be done with them."""
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
        """Who made it, what it can be held against, "page x of y"; smaller where the lines would not fit."""
        right, edge = float(self._pagesize[0] - MARGIN), EDGE if self.is_numbered else CUT_EDGE
        label = _("Page %(page)s of %(pages)s") % {"page": page, "pages": pages} if self.is_numbered else "Multiplo"
        taken = fonts.width(label, fonts.REGULAR, 7.5)
        self.write(right - taken, edge, label, fonts.REGULAR, 7.5, QUIET)
        lines = ["Multiplo", *reversed(self.foot)] if self.is_numbered else list(reversed(self.foot))
        for number, line in enumerate(lines):
            room = right - MARGIN - (taken + 8 if number == 0 else 0)
            size = min(FOOT_SIZE, FOOT_SIZE * room / max(fonts.width(line, fonts.REGULAR, FOOT_SIZE), 1))
            self.write(MARGIN, edge + number * FOOT_LINE, line, fonts.REGULAR, size, QUIET)
