"""A sheet: pages with a head on each, a table that repeats its own head, and at the foot of each what everybody can
hold the sheet against (fingerprint of the draw, head of the ledger) and "page x of y"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

from django.utils.translation import gettext as _
from reportlab.lib.colors import Color, HexColor
from reportlab.lib.pagesizes import A4, LETTER, landscape
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from referee.pdf import fonts

PAPERS = {"a4": A4, "letter": LETTER}
MARGIN = 16 * mm
INK, QUIET, RULE, BAND = HexColor("#1b2024"), HexColor("#5a636b"), HexColor("#c9c4b6"), HexColor("#f1eee5")
ROW_SIZE, FOOT_SIZE = 9.5, 7
LINE_HEIGHT = 1.22
PADDING = 2.2


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its title, its share of the width, and the side to which its text keeps."""

    title: str
    share: float
    align: str = "right"
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    size: float
    lines: list[str]


class Sheet:
    """Draws from top to bottom and begins a new page when one is full.

    `foot` are at most two lines for every page (`referee.pdf.heads.foot`); no sheet goes without saying what it has.
    """

    def __init__(
        self,
        title: str,
        subtitle: str,
        facts: Sequence[str],
        *,
        foot: Sequence[str],
        paper: str = "a4",
        wide: bool = False,
    ) -> None:
        fonts.register()
        self.title, self.subtitle, self.facts = title, subtitle, facts
        self.page_width, self.page_height = landscape(PAPERS[paper]) if wide else PAPERS[paper]
        self._bytes = BytesIO()
        # invariant: the same data gives the same bytes, so that a sheet can be compared by its checksum.
        size = (self.page_width, self.page_height)
        self.canvas = _NumberedCanvas(self._bytes, pagesize=size, invariant=1, pageCompression=1)
        self.canvas.setTitle(f"{title} – {subtitle}")
        self.canvas.setAuthor("Multiplo")
        self.canvas.setSubject(subtitle)
        self.canvas.foot = foot
        self.y = 0.0
        self._start_page()

    @property
    def room(self) -> float:
        """Width between the margins."""
        return float(self.page_width - 2 * MARGIN)

    @property
    def height_left(self) -> float:
        """Height above the foot of this page that is still free."""
        return float(self.y - MARGIN - 8 * mm)

    def text(self, x: float, y: float, text: str, font: str, size: float, colour: Color = INK) -> None:
        self.canvas.setFillColor(colour)
        self.canvas.setFont(font, size)
        self.canvas.drawString(x, y, text)

    def paragraph(self, text: str, *, size: float = ROW_SIZE, font: str = fonts.REGULAR, colour: Color = INK) -> None:
        """A text over the whole width, wrapped, then a little air."""
        for line in fonts.fitting_lines(text, font, size / fonts.SMALLEST, self.room)[1]:
            self.need(size * LINE_HEIGHT)
            self.y -= size * LINE_HEIGHT
            self.text(MARGIN, self.y, line, font, size, colour)
        self.y -= size * 0.5

    def gap(self, height: float) -> None:
        """Leave so many points free, at the foot of a page fewer."""
        self.y -= max(0.0, min(height, self.height_left))

    def need(self, height: float) -> bool:
        """Begin a new page unless `height` points are left; tells whether it did."""
        if self.height_left >= height:
            return False
        self.canvas.showPage()
        self._start_page()
        return True

    def table(self, columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> None:
        """A table; its head stands on every page that it reaches."""
        edges = _edges(columns, self.room)
        self._table_head(columns, edges)
        for number, row in enumerate(rows):
            cells = [
                _cell(text, column, right - left)
                for text, column, (left, right) in zip(row, columns, edges, strict=True)
            ]
            height = max(len(cell.lines) * cell.size for cell in cells) * LINE_HEIGHT + 2 * PADDING
            if self.need(height):
                self._table_head(columns, edges)
            if number % 2:
                self.canvas.setFillColor(BAND)
                self.canvas.rect(MARGIN, self.y - height, self.room, height, stroke=0, fill=1)
            self._row(columns, edges, cells)
            self.y -= height

    def finish(self) -> bytes:
        """The PDF."""
        self.canvas.showPage()
        self.canvas.save()
        return self._bytes.getvalue()

    def _start_page(self) -> None:
        self.y = self.page_height - MARGIN
        size, lines = fonts.fitting_lines(self.title, fonts.BOLD, 17, self.room)
        for line in lines:
            self.y -= size
            self.text(MARGIN, self.y, line, fonts.BOLD, size)
            self.y -= 2
        for text in (self.subtitle, *self.facts):
            size, lines = fonts.fitting_lines(text, fonts.REGULAR, 9, self.room)
            for line in lines:
                self.y -= size * 1.35
                self.text(MARGIN, self.y, line, fonts.REGULAR, size, QUIET)
        self.y -= 5 * mm

    def _table_head(self, columns: Sequence[Column], edges: Sequence[tuple[float, float]]) -> None:
        cells = [
            _cell(column.title, Column(column.title, column.share, column.align, bold=True), right - left, size=8.5)
            for column, (left, right) in zip(columns, edges, strict=True)
        ]
        height = max(len(cell.lines) * cell.size for cell in cells) * LINE_HEIGHT + 2 * PADDING
        self._row([Column(c.title, c.share, c.align, bold=True) for c in columns], edges, cells)
        self.y -= height
        self.canvas.setStrokeColor(INK)
        self.canvas.setLineWidth(0.9)
        self.canvas.line(MARGIN, self.y, MARGIN + self.room, self.y)

    def _row(self, columns: Sequence[Column], edges: Sequence[tuple[float, float]], cells: Sequence[Cell]) -> None:
        for column, (left, right), cell in zip(columns, edges, cells, strict=True):
            font = fonts.BOLD if column.bold else fonts.REGULAR
            y = self.y - PADDING
            for line in cell.lines:
                y -= cell.size * LINE_HEIGHT
                x = left if column.align == "left" else right - fonts.width(line, font, cell.size)
                self.text(x, y + cell.size * 0.22, line, font, cell.size)


class _NumberedCanvas(Canvas):  # type: ignore[misc]  # reportlab carries no types
    """Writes "page x of y" when the number of pages is known."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self._finished: list[dict[str, object]] = []
        self.foot: Sequence[str] = ()

    def showPage(self) -> None:  # noqa: N802  reportlab's name
        self._finished.append(dict(self.__dict__))
        self._startPage()

    def save(self) -> None:
        for number, page in enumerate(self._finished, 1):
            self.__dict__.update(page)
            self.setFillColor(QUIET)
            self.setFont(fonts.REGULAR, 8)
            self.drawString(MARGIN, MARGIN - 2 * mm, "Multiplo")
            label = _("Page %(page)s of %(pages)s") % {"page": number, "pages": len(self._finished)}
            self.drawRightString(self._pagesize[0] - MARGIN, MARGIN - 2 * mm, label)
            self._draw_foot()
            super().showPage()
        super().save()

    def _draw_foot(self) -> None:
        """The lines above "page x of y", the first one on top; smaller where they would not fit."""
        room = float(self._pagesize[0] - 2 * MARGIN)
        for number, line in enumerate(reversed(self.foot)):
            size = min(FOOT_SIZE, FOOT_SIZE * room / fonts.width(line, fonts.REGULAR, FOOT_SIZE))
            self.setFont(fonts.REGULAR, size)
            self.drawString(MARGIN, MARGIN + 2 * mm + number * FOOT_SIZE * LINE_HEIGHT, line)


def _edges(columns: Sequence[Column], room: float) -> list[tuple[float, float]]:
    """(left, right) of the text of each column, with air between neighbours."""
    total = sum(column.share for column in columns)
    edges, left = [], float(MARGIN)
    for column in columns:
        right = left + room * column.share / total
        edges.append((left + 3, right - 3))
        left = right
    return edges


def _cell(text: str, column: Column, room: float, size: float = ROW_SIZE) -> Cell:
    return Cell(*fonts.fitting_lines(text, fonts.BOLD if column.bold else fonts.REGULAR, size, room))
