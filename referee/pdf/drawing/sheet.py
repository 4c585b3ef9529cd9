"""Document of pages with a head, tables that repeat their header row, and a foot.

The first page has the organiser's logo beside the title, each page the sponsor line and "page x of y" in its foot.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from functools import lru_cache
from io import BytesIO

from django.utils.translation import gettext as _
from PIL import Image
from reportlab.lib.colors import Color
from reportlab.lib.pagesizes import A4, LETTER, landscape
from reportlab.lib.units import mm

from referee.pdf.drawing import fonts
from referee.pdf.drawing.canvas import BAND, INK, MARGIN, QUIET, RULE, SPONSOR_SIZE, SheetCanvas
from referee.pdf.drawing.columns import LINE_HEIGHT, Cell, Column, cells_of, edges_of, height_of
from referee.pdf.drawing.letterhead import current_letterhead

__all__ = ["BAND", "INK", "LINE_HEIGHT", "MARGIN", "PAPERS", "QUIET", "RULE", "Cell", "Column", "Sheet"]

PAPERS = {"a4": A4, "letter": LETTER}
ROW_SIZE = 9
HEAD_SIZE, TITLE_SIZE, FACT_SIZE, COLUMN_SIZE = 8.6, 21, 7.4, 7.6
FIGURE_SIZE = 15
PADDING = 2.6
LARGER = 1.25
TIGHTEST, LINES_OF_A_PAGE = 0.6, 80
ROWS_TOGETHER = 4  # rows of a table, with its header row, that stay on one page with the heading
TOP = 12 * mm
LOGO_WIDTH, LOGO_HEIGHT, LOGO_GAP = 46 * mm, 15 * mm, 6 * mm  # beside the title


@lru_cache(maxsize=4)
def picture_size(content: bytes) -> tuple[int, int]:
    """Return width and height of a picture in pixels."""
    with Image.open(BytesIO(content)) as picture:
        return picture.size


class Sheet:
    """Document that is drawn from top to bottom and starts a new page when one is full.

    `foot` holds more lines for the foot of every page. A `bare` sheet is cut, folded or framed: it has neither head nor
    foot. An `empty` sheet has no page until `part` is called.
    """

    def __init__(
        self,
        title: str,
        subtitle: str,
        facts: Sequence[str],
        *,
        foot: Sequence[str] = (),
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
        self.canvas.foot, self.canvas.has_foot = foot, not bare
        self.letterhead = current_letterhead()
        if self.letterhead.sponsor and not bare:
            size, lines = fonts.fit_lines(self.letterhead.sponsor, fonts.REGULAR, SPONSOR_SIZE, self.room)
            self.canvas.sponsor = [(size, line) for line in lines]
        self._bottom = self.canvas.foot_height
        self.y, self._beside = 0.0, 0.0
        if not empty:
            self._start_page(first=True)

    @property
    def room(self) -> float:
        """Width between the margins, in points."""
        return float(self.page_width - 2 * MARGIN)

    @property
    def height_left(self) -> float:
        """Free height above the foot of this page, in points."""
        return float(self.y - self._bottom)

    def text(self, x: float, y: float, text: str, font: str, size: float, colour: Color = INK) -> None:
        """Write a text that begins at a point."""
        self.canvas.write(x, y, text, font, size, colour)

    def right(self, x: float, y: float, text: str, font: str, size: float, colour: Color = INK) -> None:
        """Write a text that ends at a point."""
        self.canvas.write(x - fonts.text_width(text, font, size), y, text, font, size, colour)

    def centred(self, x: float, y: float, text: str, font: str, size: float, colour: Color = INK) -> None:
        """Write a text centred on a point."""
        self.canvas.write(x - fonts.text_width(text, font, size) / 2, y, text, font, size, colour)

    def line(self, x: float, y: float, width: float, *, thick: float = 0.5, colour: Color = INK) -> None:
        """Draw a horizontal line to the right of a point."""
        red, green, blue = colour.rgb()
        ink = f"{red:.3g} {green:.3g} {blue:.3g} RG"
        self.canvas.draw(f"q {ink} {thick:.2f} w {x:.2f} {y:.2f} m {x + width:.2f} {y:.2f} l S Q")

    def box(self, x: float, y: float, width: float, height: float, colour: Color) -> None:
        """Draw a filled rectangle with its lower left corner at a point."""
        red, green, blue = colour.rgb()
        ink = f"{red:.3g} {green:.3g} {blue:.3g} rg"
        self.canvas.draw(f"{ink} {x:.2f} {y:.2f} {width:.2f} {height:.2f} re f")

    def paragraph(self, text: str, *, size: float = ROW_SIZE, font: str = fonts.REGULAR, colour: Color = INK) -> None:
        """Write a text over the whole width, wrapped, with a little space after it.

        Its first two and its last two lines stay on one page.
        """
        lines = fonts.wrap_text(text, font, size, self.room)
        for at, line in enumerate(lines):
            keeps_next = at + 1 < len(lines) and at in (0, len(lines) - 2)
            self.need(size * LINE_HEIGHT * (2 if keeps_next else 1))
            self.y -= size * LINE_HEIGHT
            with self.canvas.tagged("P"):
                self.text(MARGIN, self.y, line, font, size, colour)
        self.y -= size * 0.5

    def heading(self, text: str, size: float = 12) -> None:
        """Write a heading and keep it on one page with the lines after it."""
        size, lines = fonts.fit_lines(text, fonts.BOLD, size, self.room)
        self.need(size * LINE_HEIGHT * (len(lines) + 0.5) + ROWS_TOGETHER * (ROW_SIZE * LINE_HEIGHT + 2 * PADDING))
        with self.canvas.tagged("H2"):
            for line in lines:
                self.y -= size * LINE_HEIGHT
                self.text(MARGIN, self.y, line, fonts.BOLD, size)
        self.y -= size * 0.45

    def figures(self, shown: Sequence[tuple[str, str]]) -> None:
        """Write the most important figures side by side, each value large above its name.

        The width `beside` at the right stays free.
        """
        self.need(FIGURE_SIZE * 3)
        each = (self.room - self._beside) / max(len(shown), 4)
        self.y -= FIGURE_SIZE * 1.1
        for number, (name, value) in enumerate(shown):
            left = MARGIN + number * each
            with self.canvas.tagged("P"):
                size = fonts.fit_size(value, fonts.BOLD, FIGURE_SIZE, each - 8)
                self.text(left, self.y, f"{value} ", fonts.BOLD, size)
                size = fonts.fit_size(name, fonts.REGULAR, COLUMN_SIZE, each - 8)
                self.text(left, self.y - 10, name, fonts.REGULAR, size, QUIET)
        self.y -= 10 + 4 * mm

    def gap(self, height: float) -> None:
        """Leave vertical space, at most down to the foot of the page."""
        self.y -= max(0.0, min(height, self.height_left))

    def need(self, height: float) -> bool:
        """Start a new page unless `height` points are left; return True if it did."""
        if self.height_left >= height:
            return False
        self.canvas.showPage()
        self._start_page(first=False)
        return True

    def part(
        self, title: str, subtitle: str, facts: Sequence[str], *, beside: float = 0, numbered_on: bool = False
    ) -> None:
        """Start another part of the file: a page with a head of its own, numbered from 1 unless `numbered_on`.

        The width `beside` stays free beside the title.
        """
        if self.y:
            self.canvas.showPage()
            if not numbered_on:
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
        """Draw a table and repeat its header row on every page, or a line if no column has a title.

        The first `lead` rows are larger.
        """
        edges = edges_of(columns, self.room)
        self.need(min(ROWS_TOGETHER, 1 + len(rows)) * (size * LINE_HEIGHT + 2 * PADDING))
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
        """Return the height of a table on an endless page."""
        edges = edges_of(columns, self.room)
        larger = [LARGER if number < lead else 1 for number in range(len(rows))]
        heights = (
            height_of(cells_of(row, columns, edges, size * by)) + 2 * padding * by
            for row, by in zip(rows, larger, strict=True)
        )
        return height_of(self._titles(columns, edges)) + 2 * PADDING + sum(heights)

    def snug_padding(self, columns: Sequence[Column], rows: Sequence[Sequence[str]], *, lead: int = 0) -> float:
        """Return a smaller padding if that keeps the table on this page, else the default one."""
        if len(rows) > LINES_OF_A_PAGE:
            return PADDING
        tight = PADDING * TIGHTEST
        least = self.height_of_table(columns, rows, padding=tight, lead=lead)
        spare = (self.height_left - least - 1) / (2 * (len(rows) + (LARGER - 1) * min(lead, len(rows))) or 1)
        return min(PADDING, tight + spare) if spare >= 0 else PADDING

    def finish(self) -> bytes:
        """Return the PDF."""
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
        """Write event, place and date above a line; from the second page on also the title."""
        room = self.room * (0.62 if title else 1)
        size, lines = fonts.fit_lines(self.subtitle, fonts.BOLD, HEAD_SIZE, room)
        top = self.y
        for line in lines:
            self.y -= size * LINE_HEIGHT
            self.text(MARGIN, self.y, line, fonts.BOLD, size)
        if title:
            size, lines = fonts.fit_lines(title, fonts.REGULAR, HEAD_SIZE, self.room * 0.36)
            for number, line in enumerate(lines, 1):
                self.right(MARGIN + self.room, top - number * size * LINE_HEIGHT, line, fonts.REGULAR, size)
            self.y = min(self.y, top - len(lines) * size * LINE_HEIGHT)
        self.y -= 4.5
        self.line(MARGIN, self.y, self.room, thick=1.6)

    def logo(self, x: float, y: float, width: float, height: float, *, align: float = 0.5) -> tuple[float, float]:
        """Draw the organiser's logo as large as fits into a box and return its size, (0, 0) without one.

        (x, y) is the lower left corner of the box; `align` is 0 at its left edge, 1 at its right edge. The logo is at
        the middle of the height.
        """
        if not self.letterhead.logo:
            return 0, 0
        across, down = picture_size(self.letterhead.logo)
        scale = min(width / across, height / down)
        wide, high = across * scale, down * scale
        self.canvas.picture(self.letterhead.logo, x + (width - wide) * align, y + (height - high) / 2, wide, high)
        return wide, high

    def _draw_title(self) -> None:
        self.y -= 3.2 * mm
        top, right = self.y, MARGIN + self.room - self._beside
        with self.canvas.tagged("Figure", _("Logo")) if self.letterhead.logo else nullcontext():
            logo, _height = self.logo(right - LOGO_WIDTH, top - LOGO_HEIGHT, LOGO_WIDTH, LOGO_HEIGHT, align=1)
        room = self.room - self._beside - (logo + LOGO_GAP if logo else 0)
        size, lines = fonts.fit_lines(self.title, fonts.BOLD, TITLE_SIZE, room)
        with self.canvas.tagged("H1"):
            for number, line in enumerate(lines):
                self.y -= size * (LINE_HEIGHT if number else 1.08)
                self.text(MARGIN, self.y, line, fonts.BOLD, size)
        self.y -= 3 if self.facts else 0
        with self.canvas.tagged("P"):
            for text in self.facts:
                size, lines = fonts.fit_lines(text, fonts.REGULAR, FACT_SIZE, room)
                for line in lines:
                    self.y -= size * 1.4
                    self.text(MARGIN, self.y, line, fonts.REGULAR, size, QUIET)
        if logo:
            self.y = min(self.y, top - LOGO_HEIGHT)

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
        """Draw the cells side by side with aligned first lines; `to_foot` aligns their last lines in a row of that
        height."""
        first = max(cell.size for cell in cells)
        for column, (left, right), cell in zip(columns, edges, cells, strict=True):
            font = fonts.BOLD if column.bold else fonts.REGULAR
            y = self.y - padding - first * LINE_HEIGHT * 0.82
            if to_foot:
                y = self.y - to_foot + padding + cell.size * 0.22 + (len(cell.lines) - 1) * cell.size * LINE_HEIGHT
            for line in cell.lines:
                if line:
                    x = left if column.align == "left" else right - fonts.text_width(line, font, cell.size)
                    self.text(x, y, f"{line} ", font, cell.size)  # the space separates cells for screen readers
                y -= cell.size * LINE_HEIGHT
