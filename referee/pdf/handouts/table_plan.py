"""Seating list to hang up at the entrance, by surname or by table, in two columns; and the plan of the hall."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override
from reportlab.lib.units import mm

from engine.standings.person_names import surname_first
from referee.pdf.drawing import fonts, heads
from referee.pdf.drawing.sheet import COLUMN_SIZE, INK, LINE_HEIGHT, MARGIN, PADDING, QUIET, RULE, Column, Sheet
from tournaments.models import Game, Player, Room
from tournaments.players.name_order import surname_order_key
from tournaments.players.queries.table_plan import RoomPlan, Seat, table_plan

BY_NAME, BY_TABLE = "name", "table"
LOWEST_LINE, HIGHEST_LINE = 10.4, 18.0  # height of a line in points; at the lowest 120 players fit on a page
SIZE_OF_LINE = 0.72  # font size relative to the height of a line
GROUP_SIZE = 12
USUAL_WIDTH, MOST_WIDE = 6, 20
HIGHEST_SEAT, SEAT_GAP = 26 * mm, 2 * mm
_WIDTH = re.compile(r"[1-9][0-9]?")


def table_plan_pdf(game: Game, room: Room, choice: str, *, language: str, paper: str = "a4") -> bytes:
    """List name, club and table of every player; from the drawing room, of all rooms one after the other.

    `choice` is `name` (also if empty) or `table`.
    """
    event = game.event
    with override(language):
        title = _("Tables by number") if choice == BY_TABLE else _("Seating list")
        sheet = Sheet(title, heads.event_line(heads.facts_of_event(event)), [], paper=paper)
        groups = _rooms(event.pk, room)
        for name, players in groups:
            if len(groups) > 1:
                sheet.need(GROUP_SIZE * 6)
                sheet.paragraph(name, size=GROUP_SIZE, font=fonts.BOLD)
            draw_seating(sheet, players, choice)
            sheet.gap(GROUP_SIZE)
        return sheet.finish()


def names_of_choices() -> list[tuple[str, str]]:
    """List the choices as (text, label)."""
    return [(BY_NAME, _("by surname")), (BY_TABLE, _("by table"))]


def _rooms(event: int, room: Room) -> list[tuple[str, list[Player]]]:
    players = Player.objects.filter(event=event).select_related("room").order_by("room__number", "table")
    if not room.is_drawing:
        players = players.filter(room=room)
    rooms: dict[str, list[Player]] = {}
    for player in players:
        rooms.setdefault(player.room.name, []).append(player)
    return list(rooms.items())


def draw_seating(sheet: Sheet, players: Sequence[Player], choice: str) -> None:
    """Fill each page with the left half first, then the right half; few players have higher lines.

    If nobody has a club, there is no column for it.
    """
    listed, order = list(players), _order(choice, with_clubs=any(player.club for player in players))
    if choice != BY_TABLE:
        listed.sort(key=lambda player: (surname_order_key(player), player.table))
    while listed:
        free = sheet.height_left - COLUMN_SIZE * LINE_HEIGHT - 2 * PADDING - 2
        line = min(HIGHEST_LINE, max(LOWEST_LINE, free / -(-len(listed) // 2)))
        lines = max(1, int(free / line + 0.01))
        page, listed = listed[: 2 * lines], listed[2 * lines :]
        half = min(lines, (len(page) + 1) // 2)
        rows = zip_longest(page[:half], page[half:])  # the right half continues the left one
        size = line * SIZE_OF_LINE
        sheet.table(
            _columns(order),
            [[*_cells(left, order), "", *_cells(right, order)] for left, right in rows],
            size=size,
            padding=(line - size * LINE_HEIGHT) / 2,
        )
        if listed:
            sheet.need(float("inf"))


def _order(choice: str, *, with_clubs: bool) -> list[int]:
    """Return which of the columns name, club and table a half page has, from left to right."""
    about = [0, 1] if with_clubs else [0]
    return [2, *about] if choice == BY_TABLE else [*about, 2]


def _columns(order: Sequence[int]) -> list[Column]:
    columns = (
        Column(_("Name"), 25, "left"),
        Column(_("Club"), 17, "left", scale=0.84),
        Column(_("Table"), 8, "right", bold=True),
    )
    half = [columns[at] for at in order]
    return [*half, Column("", 3), *half]


def _cells(player: Player | None, order: Sequence[int]) -> list[str]:
    """Return the cells of one player in a half page."""
    if player is None:
        return [""] * len(order)
    cells = (surname_first(player.name, player.stated_surname), player.club, str(player.table))
    return [cells[at] for at in order]


def hall_plan_pdf(game: Game, room: Room, choice: str, *, language: str, paper: str = "a4") -> bytes:
    """Draw the tables of each room in rows of `choice` tables, a room on a page."""
    with override(language):
        line = heads.event_line(heads.facts_of_event(game.event))
        sheet = Sheet(_("Hall plan"), line, [], paper=paper, wide=True, empty=True)
        width = int(choice or USUAL_WIDTH)
        for plan in table_plan(game.event, width, None if room.is_drawing else room):
            tables = sum(len(row) for row in plan.rows)
            facts = [ngettext("%(n)d table", "%(n)d tables", tables) % {"n": tables}]
            sheet.part(_("Hall plan: %(room)s") % {"room": plan.name}, line, facts)
            draw_hall(sheet, plan, width)
        if not sheet.y:
            sheet.part(_("Hall plan"), line, [_("No table has a player yet.")])
        return sheet.finish()


def reads_width(choice: str) -> bool:
    """Return True if a text is a valid number of tables in a row."""
    return bool(_WIDTH.fullmatch(choice)) and int(choice) <= MOST_WIDE


def offered_widths(game: Game, room: Room) -> list[tuple[str, str]]:
    """List the numbers of tables in a row that the desk offers, the usual one first."""
    widths = [USUAL_WIDTH, *(width for width in range(2, 13) if width != USUAL_WIDTH)]
    return [(str(width), label_of_width(str(width))) for width in widths]


def label_of_width(choice: str) -> str:
    """Return the label of a number of tables in a row."""
    return ngettext("%(n)d table in a row", "%(n)d tables in a row", int(choice)) % {"n": int(choice)}


def draw_hall(sheet: Sheet, plan: RoomPlan, width: int) -> None:
    """Draw the front of the room and the rows of tables, as high as the page allows."""
    front = _("Board and judges")
    sheet.box(MARGIN + sheet.room / 4, sheet.y - 16, sheet.room / 2, 16, RULE)
    with sheet.canvas.tagged("P"):
        size = fonts.fit_size(front, fonts.BOLD, 9, sheet.room / 2 - 8)
        sheet.centred(MARGIN + sheet.room / 2, sheet.y - 11, front, fonts.BOLD, size)
    sheet.y -= 16 + 4 * mm
    wide = sheet.room / width
    high = min(HIGHEST_SEAT, max(10 * mm, sheet.height_left / max(1, len(plan.rows))))
    for row in plan.rows:
        sheet.need(high)
        for place, seat in enumerate(row):
            _draw_seat(sheet, seat, MARGIN + place * wide, wide - SEAT_GAP, high - SEAT_GAP)
        sheet.y -= high


def _draw_seat(sheet: Sheet, seat: Seat, left: float, wide: float, high: float) -> None:
    """Draw a table: its number at the left, name and club beside it."""
    low, size = sheet.y - high, min(high * 0.5, wide * 0.24, 22.0)
    number = str(seat.table)
    taken = max(fonts.text_width(number, fonts.BOLD, size), size * 1.2) + 8
    sheet.canvas.draw(f"q 0.8 w {left:.2f} {low:.2f} {wide:.2f} {high:.2f} re S Q")
    room, y = wide - taken - 4, sheet.y - 3
    with sheet.canvas.tagged("P"):
        sheet.text(left + 4, low + (high - size * 0.72) / 2, number, fonts.BOLD, size)
        for text, large, most, colour in (
            (surname_first(seat.name), 12, high * 0.62, INK),
            (seat.club, 9, high * 0.3, QUIET),
        ):
            small, lines = fonts.fit_box(text, fonts.REGULAR, large, room, most)
            for line in lines:
                y -= small * LINE_HEIGHT
                sheet.text(left + taken, y, line, fonts.REGULAR, small, colour)
