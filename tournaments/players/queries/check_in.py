"""Check-in: counts, and players by a part of their name or club, or by table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from tournaments.models import Entry, Event, Game, Player, Room
from tournaments.players.name_folding import fold_text
from tournaments.players.name_order import alphabetic_key

State = Literal["expected", "here", "absent", "left", "disqualified"]
STATES: tuple[State, ...] = ("expected", "here", "absent", "left", "disqualified")
Places = Mapping[int, tuple[int | None, int | None]]
"""By player the last turn of one who left, and the turn of a disqualification."""
MOST_FOUND = 30


@dataclass(frozen=True, slots=True)
class CheckInLine:
    """A player at check-in. `by_phone`: the player's phone has joined.

    `state` is "expected" for a player with a place in the game who was not seen yet, "absent" without a place, "left"
    for one who left during the game, "disqualified" for one who was disqualified in it.
    """

    table: int
    name: str
    nickname: str
    club: str
    series: str
    room: str
    state: State
    arrived_at: datetime | None
    by_phone: bool


@dataclass(frozen=True, slots=True)
class CheckInList:
    """The players that were looked for, at most `MOST_FOUND`, and how many there are in all; `counts` is of everybody,
    `everybody` their number."""

    lines: Sequence[CheckInLine]
    found: int
    counts: dict[State, int]
    everybody: int

    @property
    def waited_for(self) -> int:
        """The number of players who have arrived or are expected."""
        return self.counts["here"] + self.counts["expected"]


def get_check_in_list(
    event: Event, game: Game, room: Room | None = None, wanted: str = "", only: str = ""
) -> CheckInList:
    """The players of an event, or of a room, in two queries, whatever their number.

    `wanted` are beginnings of words of name, nickname or club, in any order and without regard to accents, or the
    number of a table. Whose table it is comes first, then those who are still expected, by name. `only`: of one state.
    """
    entries = Entry.objects.filter(game=game).values_list("player", "last_turn", "disqualified_from")
    places = {key: (last, out) for key, last, out in entries}
    players = Player.objects.filter(event=event)
    if room is not None:
        players = players.filter(room=room)
    fields = ("pk", "table", "name", "nickname", "club", "series", "room__name", "arrived_at", "token_hash")
    everybody = [_arrival(row, places) for row in players.order_by("table").values_list(*fields)]
    counted = Counter(line.state for line in everybody)
    words = fold_text(wanted).split()
    found = [line for line in everybody if (not only or line.state == only) and _is_match(line, words)]
    found.sort(
        key=lambda line: (str(line.table) != wanted.strip(), line.state != "expected", alphabetic_key(line.name))
    )
    counts: dict[State, int] = {state: counted[state] for state in STATES}
    return CheckInList(found[:MOST_FOUND], len(found), counts, len(everybody))


def _is_match(line: CheckInLine, words: Sequence[str]) -> bool:
    if not words:
        return True
    beginnings = f" {fold_text(line.name)} {fold_text(line.nickname)} {fold_text(line.club)}"
    return all(f" {word}" in beginnings or word == str(line.table) for word in words)


def _arrival(row: tuple[object, ...], places: Places) -> CheckInLine:
    key, table, name, nickname, club, series, room, arrived_at, token_hash = row
    by_phone = bool(token_hash)
    return CheckInLine(
        table=int(str(table)),
        name=str(name),
        nickname=str(nickname),
        club=str(club),
        series=str(series),
        room=str(room),
        state=_state(int(str(key)), places, is_here=by_phone or arrived_at is not None),
        arrived_at=arrived_at if isinstance(arrived_at, datetime) else None,
        by_phone=by_phone,
    )


def _state(key: int, places: Places, *, is_here: bool) -> State:
    if key not in places:
        return "here" if is_here else "absent"
    last_turn, disqualified_from = places[key]
    if disqualified_from is not None:
        return "disqualified"
    if last_turn is not None:
        return "left"
    return "here" if is_here else "expected"
