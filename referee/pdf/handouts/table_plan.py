"""Table plan to hang up at the entrance: players by name or by table, in two columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from django.utils.translation import gettext as _
from django.utils.translation import override

from engine.archive.schema import EventEntry
from referee.pdf.drawing import fonts, heads
from referee.pdf.drawing.sheet import Column, Sheet
from tournaments.ledger.queries import seals_of
from tournaments.models import Game, Player, Room
from tournaments.players.name_order import alphabetic_key

BY_NAME, BY_TABLE = "name", "table"
LINE = 16.5  # height in points of a line that is not wrapped
GROUP_SIZE = 12


def table_plan_pdf(game: Game, room: Room, choice: str, *, language: str, paper: str = "a4") -> bytes:
    """List name, club and table of every player; from the drawing room, of all rooms one after the other.

    `choice` is `name` (also if empty) or `table`.
    """
    event = game.event
    with override(language):
        facts = EventEntry(name=event.name, date=event.date.isoformat(), place=event.place)
        title = _("Tables by number") if choice == BY_TABLE else _("Seating list")
        sheet = Sheet(title, heads.event_line(facts), [], foot=heads.event_foot(seals_of(event)), paper=paper)
        groups = _rooms(event.pk, room)
        for name, players in groups:
            if len(groups) > 1:
                sheet.need(GROUP_SIZE * 6)
                sheet.paragraph(name, size=GROUP_SIZE, font=fonts.BOLD)
            _draw(sheet, players, choice)
            sheet.gap(GROUP_SIZE)
        return sheet.finish()


def names_of_choices() -> list[tuple[str, str]]:
    """List the choices as (text, label)."""
    return [(BY_NAME, _("by name")), (BY_TABLE, _("by table"))]


def _rooms(event: int, room: Room) -> list[tuple[str, list[Player]]]:
    players = Player.objects.filter(event=event).select_related("room").order_by("room__number", "table")
    if not room.is_drawing:
        players = players.filter(room=room)
    rooms: dict[str, list[Player]] = {}
    for player in players:
        rooms.setdefault(player.room.name, []).append(player)
    return list(rooms.items())


def _draw(sheet: Sheet, players: Sequence[Player], choice: str) -> None:
    """Fill each page with the left half first, then the right half."""
    listed = list(players)
    if choice != BY_TABLE:
        listed.sort(key=lambda player: (alphabetic_key(player.name), player.table))
    while listed:
        lines = max(1, int(sheet.height_left // LINE) - 2)
        page, listed = listed[: 2 * lines], listed[2 * lines :]
        half = min(lines, (len(page) + 1) // 2)
        rows = zip_longest(page[:half], page[half:])  # the right half continues the left one
        sheet.table(_columns(choice), [[*_cells(left, choice), "", *_cells(right, choice)] for left, right in rows])
        if listed:
            sheet.need(float("inf"))


def _columns(choice: str) -> list[Column]:
    table = Column(_("Table"), 7, "right", bold=True)
    about = [Column(_("Name"), 24, "left"), Column(_("Club"), 17, "left")]
    half = [table, *about] if choice == BY_TABLE else [*about, table]
    return [*half, Column("", 3), *half]


def _cells(player: Player | None, choice: str) -> list[str]:
    """Return the cells of one player in a half page."""
    if player is None:
        return [""] * 3
    about, table = [player.name, player.club], str(player.table)
    return [table, *about] if choice == BY_TABLE else [*about, table]
