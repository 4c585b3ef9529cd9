"""Table plan: the tables of each room in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from tournaments.models import Event, Player, Room, Slip, Verdict
from tournaments.players.queries.players import is_here


@dataclass(frozen=True, slots=True)
class Seat:
    """An occupied table. `beside_own_club`: the previous table in the row is of the same club."""

    table: int
    name: str
    club: str
    series: str
    is_here: bool
    beside_own_club: bool = False


@dataclass(frozen=True, slots=True)
class RoomPlan:
    """A room: its tables in rows, and the number of neighbours in a row who are of one club."""

    name: str
    rows: Sequence[Sequence[Seat]]
    neighbours: int


def table_plan(event: Event, width: int, room: Room | None = None) -> list[RoomPlan]:
    """The plan of every room with players, or of one, in rows of `width` tables; one query."""
    players = Player.objects.filter(event=event).select_related("room").order_by("room__number", "table")
    if room is not None:
        players = players.filter(room=room)
    by_room = groupby(players, key=lambda player: player.room.name)
    return [_plan(name, list(inside), width) for name, inside in by_room]


def may_assign(event: Event) -> bool:
    """Return True while no slip and no verdict refers to any table."""
    known = Slip.objects.filter(player__event=event).exists() or Verdict.objects.filter(player__event=event).exists()
    return not known


def _plan(name: str, players: Sequence[Player], width: int) -> RoomPlan:
    rows = [_row(players[at : at + width]) for at in range(0, len(players), width)]
    return RoomPlan(name, rows, sum(seat.beside_own_club for row in rows for seat in row))


def _row(players: Sequence[Player]) -> list[Seat]:
    clubs = ["", *(player.club.casefold() for player in players)]
    return [
        Seat(player.table, player.name, player.club, player.series, is_here(player), bool(club) and club == before)
        for player, club, before in zip(players, clubs[1:], clubs, strict=False)
    ]
