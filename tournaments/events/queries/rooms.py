"""Overview of the rooms of an event, for the director."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count

from tournaments.enums import GameState
from tournaments.models import Entry, Game, Room, Slip, Turn, TurnClock
from tournaments.play.queries.phases import Phase, current_turn, list_unfinished_clocks, phase_of_clock


@dataclass(frozen=True, slots=True)
class RoomLine:
    """Progress of a room.

    `turn` is its current turn, 0 before the first. `behind` counts the turns since then that the drawing room has
    announced, 0 in a room without players. `players` counts those who have not left, `slips_in` those with a slip in
    this turn.
    """

    room: Room
    players: int
    turn: int
    phase: Phase
    slips_in: int
    behind: int
    deadline: datetime | None


@dataclass(frozen=True, slots=True)
class _Overview:
    """Data of all rooms, read once, by room or by (turn, room)."""

    game: Game
    drawn: Turn | None
    clocks: dict[int, TurnClock]
    players: dict[int, int]
    slips: dict[tuple[int, int], int]
    waiting: set[int]
    announced: int


def room_lines(game: Game, now: datetime) -> list[RoomLine]:
    """All rooms, the drawing room first. The number of queries does not depend on the number of rooms."""
    seen = _overview(game)
    rooms = Room.objects.filter(event=game.event_id).order_by("number")
    return [_line(seen, room, now) for room in rooms]


def _overview(game: Game) -> _Overview:
    begun = TurnClock.objects.filter(turn__game=game, started_at__isnull=False).select_related("turn", "room")
    clocks = {clock.room_id: clock for clock in begun.order_by("turn__number")}
    present = Entry.objects.filter(game=game, last_turn=None).order_by().values_list("room")
    handed_in = Slip.objects.filter(turn__in={clock.turn_id for clock in clocks.values()}).order_by()
    by_place = handed_in.values_list("turn", "player__room").annotate(Count("player", distinct=True))
    return _Overview(
        game=game,
        drawn=current_turn(game),
        clocks=clocks,
        players=dict(present.annotate(Count("pk"))),
        slips={(turn, room): number for turn, room, number in by_place},
        waiting=set(list_unfinished_clocks(game).values_list("room", flat=True)),
        announced=max((clock.turn.number for clock in clocks.values() if clock.room.is_drawing), default=0),
    )


def _line(seen: _Overview, room: Room, now: datetime) -> RoomLine:
    clock = seen.clocks.get(room.pk)
    turn = seen.drawn if room.is_drawing else clock.turn if clock else None
    if clock is not None and turn is not None and clock.turn_id != turn.pk:
        clock = None  # the next rack is drawn and not announced
    phase = _phase(seen, room, turn, clock, now)
    number = turn.number if turn else 0
    return RoomLine(
        room=room,
        players=seen.players.get(room.pk, 0),
        turn=number,
        phase=phase,
        slips_in=seen.slips.get((turn.pk, room.pk), 0) if turn else 0,
        behind=max(0, seen.announced - number) if room.pk in seen.players else 0,
        deadline=clock.deadline if clock and phase is Phase.RUNNING else None,
    )


def _phase(seen: _Overview, room: Room, turn: Turn | None, clock: TurnClock | None, now: datetime) -> Phase:
    if seen.game.state == GameState.FINISHED and (room.is_drawing or room.pk not in seen.waiting):
        return Phase.FINISHED
    return Phase.LOBBY if turn is None else phase_of_clock(clock, now)
