"""Name badges with name, club, table, event and logo, on label sheets or to be cut out.

The sizes of the label sheets are those of the templates of the program gLabels (templates/avery-iso-templates.xml):
L4785 has 2 x 5 badges of 80 x 50 mm every 95 and 55 mm, L7160 has 3 x 7 labels of 63.5 x 38.1 mm every 66 and 38.1 mm,
both in the middle of an A4 sheet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from django.utils.translation import gettext as _
from django.utils.translation import override
from reportlab.lib.units import mm

from engine.archive.schema import Archive, PlayerEntry
from engine.standings.person_names import surname_key
from referee.formats.texts import format_decimal
from referee.pdf.drawing import fonts, heads
from referee.pdf.drawing.cut_cells import EDGE, Cell
from referee.pdf.drawing.sheet import INK, QUIET, Sheet
from tournaments.models import Game, Room
from tournaments.results.queries.archive import export_game

INSIDE = 4 * mm


@dataclass(frozen=True, slots=True)
class BadgeSheet:
    """Sheet of badges in the middle of the paper: their number, size and distance in millimetres.

    Badges on plain paper are framed, and there are only as many rows as the paper has room for; label sheets exist on
    A4 only.
    """

    columns: int
    rows: int
    width: float
    height: float
    across: float
    down: float
    is_plain: bool = False

    def cells(self, sheet: Sheet) -> list[Cell]:
        """List the badges row by row from the upper left one."""
        fitting = int((sheet.page_height - 2 * EDGE) / mm / self.down)
        rows = min(self.rows, fitting) if self.is_plain else self.rows
        wide = (self.columns - 1) * self.across + self.width
        high = (rows - 1) * self.down + self.height
        left, top = (sheet.page_width - wide * mm) / 2, (sheet.page_height + high * mm) / 2
        return [
            Cell(
                left + column * self.across * mm,
                top - (row * self.down + self.height) * mm,
                self.width * mm,
                self.height * mm,
            )
            for row in range(rows)
            for column in range(self.columns)
        ]


PLAIN = ""
SHEETS = {
    PLAIN: BadgeSheet(2, 5, 90, 55, 90, 55, is_plain=True),
    "L4785": BadgeSheet(2, 5, 80, 50, 95, 55),
    "L7160": BadgeSheet(3, 7, 63.5, 38.1, 66.04, 38.1),
}


def badges_pdf(archive: Archive, *, language: str, paper: str = "a4") -> bytes:
    """Draw a badge of 90 x 55 mm for each player of a game, to be cut out for a holder."""
    return draw_badges(archive, SHEETS[PLAIN], language=language, paper=paper)


def chosen_badges_pdf(game: Game, room: Room, choice: str, *, language: str, paper: str = "a4") -> bytes:
    """Draw the badges for a label sheet."""
    archive = cast(Archive, export_game(game, room, with_slips=False))
    return draw_badges(archive, SHEETS[choice], language=language, paper=paper)


def offered_badges(game: Game, room: Room) -> list[tuple[str, str]]:
    """List the choices that the desk offers."""
    return [(text, label_of_badges(text)) for text in SHEETS]


def label_of_badges(choice: str) -> str:
    """Return the label of a choice."""
    form = SHEETS[choice]
    if form.is_plain:
        return _("plain paper, 90 × 55 mm, to cut")
    size = f"{format_decimal(form.width, 0)} × {format_decimal(form.height, 0)} mm"
    return _("label sheet Avery %(number)s, %(size)s") % {"number": choice, "size": size}


def draw_badges(archive: Archive, form: BadgeSheet, *, language: str, paper: str) -> bytes:
    """Draw the badges by surname; without players one page of badges to be filled in."""
    with override(language):
        used = paper if form.is_plain else "a4"
        sheet = Sheet(_("Name badges"), heads.subtitle(archive), [], paper=used, bare=True)
        parts = form.cells(sheet)
        ordered = sorted(
            archive["players"],
            key=lambda player: (surname_key(player["name"], language, player.get("surname", "")), player["table"]),
        )
        players: Sequence[PlayerEntry | None] = ordered or [None] * len(parts)
        for start in range(0, len(players), len(parts)):
            if start:
                sheet.need(sheet.page_height)
            for part, player in zip(parts, players[start : start + len(parts)], strict=False):
                _draw(sheet, part, player, archive["event"]["name"], framed=form.is_plain)
        return sheet.finish()


def _draw(sheet: Sheet, part: Cell, player: PlayerEntry | None, event: str, *, framed: bool) -> None:
    """Draw event and logo at the top, the name large in the middle, club and table at the bottom."""
    left, room = part.x + INSIDE, part.width - 2 * INSIDE
    top, low = part.y + part.height - INSIDE, part.y + INSIDE
    if framed:
        frame = f"{part.x:.2f} {part.y:.2f} {part.width:.2f} {part.height:.2f}"
        with sheet.canvas.untagged():
            sheet.canvas.draw(f"q 0.5 w [3 3] 0 d 0.45 G {frame} re S Q")
    high = part.height * 0.22
    logo, _height = sheet.logo(left, top - high, room * 0.4, high, align=0)
    beside = left + (logo + 6 if logo else 0)
    _block(sheet, event, Cell(beside, top - high, left + room - beside, high), fonts.REGULAR, 9, middle=not logo)
    foot = _draw_foot(sheet, Cell(left, low, room, part.height * 0.2), player)
    box = Cell(left, foot + 3, room, top - high - 6 - foot)
    if player is None:
        sheet.line(left, foot + 10, room, thick=0.8)
        sheet.text(left, foot + 2, _("Name"), fonts.REGULAR, 6, QUIET)
    else:
        _block(sheet, player["name"], box, fonts.BOLD, 26, middle=True)


def _draw_foot(sheet: Sheet, box: Cell, player: PlayerEntry | None) -> float:
    """Draw club and table above the sponsor; return the y coordinate above them."""
    sponsor, y = sheet.letterhead.sponsor, box.y
    if sponsor:
        _block(sheet, sponsor, Cell(box.x, y, box.width, 7), fonts.REGULAR, 5.5, middle=True)
        y += 9
    if player is None:
        return y
    table = _("Table %(table)d") % {"table": player["table"]}
    taken = fonts.text_width(table, fonts.BOLD, 11)
    with sheet.canvas.tagged("P"):
        sheet.right(box.x + box.width, y + 2, table, fonts.BOLD, 11)
    _block(sheet, player["club"] or "", Cell(box.x, y, box.width - taken - 8, 14), fonts.REGULAR, 9.5, middle=False)
    return y + 15


def _block(sheet: Sheet, text: str, box: Cell, font: str, size: float, *, middle: bool) -> None:
    """Draw a text in a box: centred in its height, and in its width if `middle`."""
    size, lines = fonts.fit_box(text, font, size, box.width, box.height)
    y = box.y + (box.height + len(lines) * size * fonts.BOX_LINE) / 2
    colour = INK if font == fonts.BOLD else QUIET
    with sheet.canvas.tagged("P"):
        for line in lines:
            y -= size * fonts.BOX_LINE
            x = box.x + (box.width - fonts.text_width(line, font, size)) / 2 if middle else box.x
            sheet.text(x, y + size * 0.28, line, font, size, colour)
