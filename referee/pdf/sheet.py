"""A sheet: pages with a head on each, a table that repeats its own head, and at the foot of each what everybody can
hold the sheet against (fingerprint of the draw, head of the ledger) and "page x of y"."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

from reportlab.lib.colors import Color
from reportlab.lib.pagesizes import A4, LETTER, landscape
from reportlab.lib.units import mm

from referee.pdf import fonts
from referee.pdf.canvas import BAND, INK, MARGIN, QUIET, RULE, SheetCanvas
from referee.pdf.columns import LINE_HEIGHT, Cell, Column, cells_of, edges_of, height_of

__all__ = ["BAND", "INK", "LINE_HEIGHT", "MARGIN", "PAPERS", "QUIET", "RULE", "Cell", "Column", "Sheet"]

PAPERS = {"a4": A4, "letter": LETTER}
ROW_SIZE = 9
HEAD_SIZE, TITLE_SIZE, FACT_SIZE, COLUMN_SIZE = 8.6, 21, 7.4, 7.6
FIGURE_SIZE = 15
PADDING = 2.6
LARGER = 1.25
TIGHTEST, LINES_OF_A_PAGE = 0.6, 80
TOGETHER = 4  # lines of a table, its head included, that stay on the page of what is over them
TOP, BOTTOM = 12 * mm, 20 * mm


class Sheet:
    """Draws from top to bottom and begins a new page when one is full.

    `foot` are at most two lines for every page (`referee.pdf.heads.foot`); no sheet goes without saying what it has.
    One that is `bare` is cut or folded: it has no head and no count of pages. One that is `empty` waits for `part`.
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
        bare: bool = False,
        empty: bool = False,
    ) -> None:
        self.title, self.subtitle, self.facts = title, subtitle, facts
        self.page_width, self.page_height = landscape(PAPERS[paper]) if wide else PAPERS[paper]
        self._bytes, self._bare = BytesIO(), bare
        self.canvas = SheetCanvas(self._bytes, (self.page_width, self.page_height))
        self.canvas.setTitle(f"{title} – {subtitle}" if subtitle else title)
        self.canvas.setSubject(subtitle)
        self.canvas.foot, self.canvas.is_numbered = foot, not bare
        self.y, self._beside = 0.0, 0.0
        if not empty:
            self._start_page(first=True)

    @property
    def room(self) -> float:
        """Width between the margins."""
        return float(self.page_width - 2 * MARGIN)

    @property
    def height_left(self) -> float:
        """Height above the foot of this page that is still free."""
        return float(self.y - BOTTOM)

    def text(self, x: float, y: float, text: str, font: str, size: float, colour: Color = INK) -> None:
        """A text that begins at a point."""
        self.canvas.write(x, y, text, font, size, colour)

    def right(self, x: float, y: float, text: str, font: str, size: float, colour: Color = INK) -> None:
        """A text that ends at a point."""
        self.canvas.write(x - fonts.width(text, font, size), y, text, font, size, colour)

    def centred(self, x: float, y: float, text: str, font: str, size: float, colour: Color = INK) -> None:
        """A text whose middle is at a point."""
        self.canvas.write(x - fonts.width(text, font, size) / 2, y, text, font, size, colour)

    def line(self, x: float, y: float, width: float, *, thick: float = 0.5, colour: Color = INK) -> None:
        """A level line to the right of a point."""
        red, green, blue = colour.rgb()
        ink = f"{red:.3g} {green:.3g} {blue:.3g} RG"
        self.canvas.draw(f"q {ink} {thick:.2f} w {x:.2f} {y:.2f} m {x + width:.2f} {y:.2f} l S Q")

    def box(self, x: float, y: float, width: float, height: float, colour: Color) -> None:
        """A filled box whose lower left corner is at a point."""
        red, green, blue = colour.rgb()
        ink = f"{red:.3g} {green:.3g} {blue:.3g} rg"
        self.canvas.draw(f"{ink} {x:.2f} {y:.2f} {width:.2f} {height:.2f} re f")

    def paragraph(self, text: str, *, size: float = ROW_SIZE, font: str = fonts.REGULAR, colour: Color = INK) -> None:
        """A text over the whole width, wrapped, then a little air."""
        for line in fonts.wrapped(text, font, size, self.room):
            self.need(size * LINE_HEIGHT)
            self.y -= size * LINE_HEIGHT
            with self.canvas.tagged("P"):
                self.text(MARGIN, self.y, line, font, size, colour)
        self.y -= size * 0.5

    def heading(self, text: str, size: float = 12) -> None:
        """A title within the sheet; with the lines after it on its page."""
        size, lines = fonts.fitting_lines(text, fonts.BOLD, size, self.room)
        self.need(size * LINE_HEIGHT * (len(lines) + 0.5) + TOGETHER * (ROW_SIZE * LINE_HEIGHT + 2 * PADDING))
        with self.canvas.tagged("H2"):
            for line in lines:
                self.y -= size * LINE_HEIGHT
                self.text(MARGIN, self.y, line, fonts.BOLD, size)
        self.y -= size * 0.45

    def figures(self, shown: Sequence[tuple[str, str]]) -> None:
        """What matters most, side by side: a large value over its name; not in the width that is free `beside`."""
        self.need(FIGURE_SIZE * 3)
        each = (self.room - self._beside) / max(len(shown), 4)
        self.y -= FIGURE_SIZE * 1.1
        for number, (name, value) in enumerate(shown):
            left = MARGIN + number * each
            with self.canvas.tagged("P"):
                size = fonts.fitting_size(value, fonts.BOLD, FIGURE_SIZE, each - 8)
                self.text(left, self.y, f"{value} ", fonts.BOLD, size)
                size = fonts.fitting_size(name, fonts.REGULAR, COLUMN_SIZE, each - 8)
                self.text(left, self.y - 10, name, fonts.REGULAR, size, QUIET)
        self.y -= 10 + 4 * mm

    def gap(self, height: float) -> None:
        """Leave so many points free, at the foot of a page fewer."""
        self.y -= max(0.0, min(height, self.height_left))

    def need(self, height: float) -> bool:
        """Begin a new page unless `height` points are left; tells whether it did."""
        if self.height_left >= height:
            return False
        self.canvas.showPage()
        self._start_page(first=False)
        return True

    def part(self, title: str, subtitle: str, facts: Sequence[str], *, beside: float = 0) -> None:
        """Begin another sheet in the same file: a page with a head of its own, counted from 1 again. `beside` the title
        so much width stays free."""
        if self.y:
            self.canvas.showPage()
            self.canvas.finish_part()
        self.title, self.subtitle, self.facts, self._beside = title, subtitle, facts, beside
        self._start_page(first=True)

    def table(
        self,
        columns: Sequence[Column],
        rows: Sequence[Sequence[str]],
        *,
        size: float = ROW_SIZE,
        padding: float = PADDING,
        lead: int = 0,
    ) -> None:
        """A table; its head stands on every page that it reaches, a line where no column has a title. The first `lead`
        rows are larger."""
        edges = edges_of(columns, self.room)
        self.need(min(TOGETHER, 1 + len(rows)) * (size * LINE_HEIGHT + 2 * PADDING))
        self._table_head(columns, edges)
        for number, row in enumerate(rows):
            larger = LARGER if number < lead else 1
            cells = cells_of(row, columns, edges, size * larger)
            height = height_of(cells) + 2 * padding * larger
            if self.need(height):
                self._table_head(columns, edges)
            if number % 2:
                self.box(MARGIN, self.y - height, self.room, height, BAND)
            with self.canvas.tagged("P"):
                self._row(columns, edges, cells, padding * larger)
            self.y -= height
        self.line(MARGIN, self.y, self.room, colour=RULE)

    def height_of_table(
        self,
        columns: Sequence[Column],
        rows: Sequence[Sequence[str]],
        *,
        size: float = ROW_SIZE,
        padding: float = PADDING,
        lead: int = 0,
    ) -> float:
        """What a table would take, were the page high enough."""
        edges = edges_of(columns, self.room)
        larger = [LARGER if number < lead else 1 for number in range(len(rows))]
        heights = (
            height_of(cells_of(row, columns, edges, size * by)) + 2 * padding * by
            for row, by in zip(rows, larger, strict=True)
        )
        return height_of(self._titles(columns, edges)) + 2 * PADDING + sum(heights)

    def snug_padding(self, columns: Sequence[Column], rows: Sequence[Sequence[str]], *, lead: int = 0) -> float:
        """The padding with which a table stays on this page, when it would leave it by a few lines only."""
        if len(rows) > LINES_OF_A_PAGE:
            return PADDING
        tight = PADDING * TIGHTEST
        least = self.height_of_table(columns, rows, padding=tight, lead=lead)
        spare = (self.height_left - least - 1) / (2 * (len(rows) + (LARGER - 1) * min(lead, len(rows))) or 1)
        return min(PADDING, tight + spare) if spare >= 0 else PADDING

    def finish(self) -> bytes:
        """The PDF."""
        self.canvas.showPage()
        self.canvas.save()
        return self._bytes.getvalue()

    def _start_page(self, *, first: bool) -> None:
        self.y = self.page_height - TOP
        if self._bare:
            return
        with self.canvas.tagged("P") if first else self.canvas.untagged():
            self._running_head("" if first else self.title)
        if first:
            self._draw_title()
        self.y -= 4.5 * mm

    def _running_head(self, title: str) -> None:
        """Event, place and date over a line; from the second page on with the title of the sheet."""
        room = self.room * (0.62 if title else 1)
        size, lines = fonts.fitting_lines(self.subtitle, fonts.BOLD, HEAD_SIZE, room)
        top = self.y
        for line in lines:
            self.y -= size * LINE_HEIGHT
            self.text(MARGIN, self.y, line, fonts.BOLD, size)
        if title:
            size, lines = fonts.fitting_lines(title, fonts.REGULAR, HEAD_SIZE, self.room * 0.36)
            for number, line in enumerate(lines, 1):
                self.right(MARGIN + self.room, top - number * size * LINE_HEIGHT, line, fonts.REGULAR, size)
            self.y = min(self.y, top - len(lines) * size * LINE_HEIGHT)
        self.y -= 4.5
        self.line(MARGIN, self.y, self.room, thick=1.6)

    def _draw_title(self) -> None:
        self.y -= 3.2 * mm
        room = self.room - self._beside
        size, lines = fonts.fitting_lines(self.title, fonts.BOLD, TITLE_SIZE, room)
        with self.canvas.tagged("H1"):
            for number, line in enumerate(lines):
                self.y -= size * (LINE_HEIGHT if number else 1.08)
                self.text(MARGIN, self.y, line, fonts.BOLD, size)
        self.y -= 3 if self.facts else 0
        with self.canvas.tagged("P"):
            for text in self.facts:
                size, lines = fonts.fitting_lines(text, fonts.REGULAR, FACT_SIZE, room)
                for line in lines:
                    self.y -= size * 1.4
                    self.text(MARGIN, self.y, line, fonts.REGULAR, size, QUIET)

    def _table_head(self, columns: Sequence[Column], edges: Sequence[tuple[float, float]]) -> None:
        if not any(column.title for column in columns):
            self.line(MARGIN, self.y, self.room, thick=1)
            return
        titles = [Column(column.title, column.share, column.align, bold=True) for column in columns]
        cells = self._titles(columns, edges)
        height = height_of(cells) + 2 * PADDING
        with self.canvas.tagged("P"):
            self._row(titles, edges, cells, PADDING, to_foot=height)
        self.y -= height
        self.line(MARGIN, self.y, self.room, thick=1)

    @staticmethod
    def _titles(columns: Sequence[Column], edges: Sequence[tuple[float, float]]) -> list[Cell]:
        titles = [Column(column.title, column.share, column.align, bold=True) for column in columns]
        return cells_of([column.title for column in columns], titles, edges, COLUMN_SIZE)

    def _row(
        self,
        columns: Sequence[Column],
        edges: Sequence[tuple[float, float]],
        cells: Sequence[Cell],
        padding: float,
        *,
        to_foot: float = 0,
    ) -> None:
        """The cells side by side, their first lines on one line; `to_foot`: their last ones, in a row so high."""
        first = max(cell.size for cell in cells)
        for column, (left, right), cell in zip(columns, edges, cells, strict=True):
            font = fonts.BOLD if column.bold else fonts.REGULAR
            y = self.y - padding - first * LINE_HEIGHT * 0.82
            if to_foot:
                y = self.y - to_foot + padding + cell.size * 0.22 + (len(cell.lines) - 1) * cell.size * LINE_HEIGHT
            for line in cell.lines:
                if line:
                    x = left if column.align == "left" else right - fonts.width(line, font, cell.size)
                    self.text(x, y, f"{line} ", font, cell.size)  # the blank keeps cells apart when read aloud
                y -= cell.size * LINE_HEIGHT
