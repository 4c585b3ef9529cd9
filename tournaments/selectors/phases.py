"""Where a game stands, by the clock. Never stored: it follows from the game, its last turn, a clock and now."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from engine.clock import Clock
from engine.clock import Phase as ClockPhase
from engine.clock import phase as clock_phase
from tournaments.enums import GameState
from tournaments.models import Game, Room, Turn, TurnClock


class Phase(StrEnum):
    """`drawn`: the rack is secret to phones and wall; `closed`: verdicts and top still are; `placed`: all is public."""

    LOBBY = "lobby"
    DRAWN = "drawn"
    RUNNING = "running"
    PAUSED = "paused"
    CLOSED = "closed"
    PLACED = "placed"
    FINISHED = "finished"


RACK_IS_PUBLIC = frozenset({Phase.RUNNING, Phase.PAUSED, Phase.CLOSED, Phase.PLACED, Phase.FINISHED})
TAKES_SLIPS = frozenset({Phase.RUNNING, Phase.PAUSED, Phase.CLOSED})

_BY_CLOCK = {
    ClockPhase.READY: Phase.DRAWN,
    ClockPhase.RUNNING: Phase.RUNNING,
    ClockPhase.PAUSED: Phase.PAUSED,
    ClockPhase.CLOSED: Phase.CLOSED,
}


def current_turn(game: Game) -> Turn | None:
    """The last turn that was drawn, None before the first."""
    return Turn.objects.filter(game=game).order_by("-number").first()


def clock_in(turn: Turn, room: Room | None) -> TurnClock | None:
    """The clock of a room in a turn, of the event's first room when none is named."""
    clocks = TurnClock.objects.filter(turn=turn)
    if room is not None:
        clocks = clocks.filter(room=room)
    return clocks.order_by("room_id").first()


def clock_of(stored: TurnClock) -> Clock:
    """The stored clock as the engine counts with it."""
    return Clock(
        started_at=stored.started_at,
        deadline=stored.deadline,
        paused_at=stored.paused_at,
        closed_at=stored.closed_at,
        grace_ms=stored.grace_ms,
    )


def phase_of(game: Game, room: Room | None, now: datetime) -> Phase:
    """The phase of a game in a room (the event's first one when None) at this moment."""
    turn = current_turn(game)
    clock = clock_in(turn, room) if turn is not None else None
    return phase_from(game, turn, clock, now)


def phase_from(game: Game, turn: Turn | None, clock: TurnClock | None, now: datetime) -> Phase:
    """The same for whoever has read the last turn and the room's clock already."""
    if game.state == GameState.FINISHED:
        return Phase.FINISHED
    if turn is None:
        return Phase.LOBBY
    if turn.placed_at is not None:
        return Phase.PLACED
    return _BY_CLOCK[clock_phase(clock_of(clock), now)] if clock is not None else Phase.DRAWN
