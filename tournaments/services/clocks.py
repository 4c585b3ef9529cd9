"""A room's clock in a turn: announced, halted, prolonged, closed. Nothing ticks: a change is one conditional UPDATE."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from engine import clock as arithmetic
from engine.archive import moment_text
from engine.clock import Clock, ClockError
from tournaments import signals
from tournaments.enums import ClockState, GameState, SlipSource
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import Game, Room, Slip, Turn, TurnClock, players_in
from tournaments.selectors.phases import clock_of, is_complete, next_turn_in, turn_in
from tournaments.services.acting import acting_on, record
from tournaments.services.judging import forget_verdicts, judge_turn

MOST_EXTRA_S = 3600


def announce(*, turn: Turn, room: Room, now: datetime, by: User | None, seconds: int | None = None) -> TurnClock:
    """Show the rack in this room and start its clock, for as long as a turn of the game has, or so many seconds; in a
    room that follows, after the drawing room has done so."""
    seconds = turn.game.rhythm_s if seconds is None else seconds
    with acting_on(turn.game) as game:
        clock = _clock(game, turn, room)
        if clock.state != ClockState.READY:
            raise AlreadyDone(_("Turn %(turn)d is announced already.") % {"turn": turn.number})
        _demand_turn(game, clock)
        clock = _move(clock, arithmetic.start(clock_of(clock), now, timedelta(seconds=seconds)), ClockState.OPEN)
        if game.state == GameState.READY:
            Game.objects.filter(pk=game.pk).update(state=GameState.RUNNING, started_at=now)
        told = {"rack": turn.rack, "seconds": seconds, "grace_ms": clock.grace_ms}
        _tell(game, "announce", clock, by, now, told)
    return clock


def pause(*, turn: Turn, room: Room, now: datetime, by: User | None) -> TurnClock:
    """Halt the clock; what is handed in meanwhile is in time."""
    with acting_on(turn.game) as game:
        clock = _clock(game, turn, room)
        if clock.state == ClockState.PAUSED:
            raise AlreadyDone(_("The clock is paused already."))
        clock = _move(clock, _try(clock, lambda it: arithmetic.pause(it, now)), ClockState.PAUSED)
        _tell(game, "pause", clock, by, now)
    return clock


def resume(*, turn: Turn, room: Room, now: datetime, by: User | None) -> TurnClock:
    """Let a paused clock go on; it shows what it showed when it was halted."""
    with acting_on(turn.game) as game:
        clock = _clock(game, turn, room)
        if clock.state == ClockState.OPEN:
            raise AlreadyDone(_("The clock is running already."))
        clock = _move(clock, _try(clock, lambda it: arithmetic.resume(it, now)), ClockState.OPEN)
        _tell(game, "resume", clock, by, now)
    return clock


def add_time(
    *, turn: Turn, room: Room, seconds: int, now: datetime, by: User | None, seen_deadline: datetime | None = None
) -> TurnClock:
    """Give more time, or take some away (negative; the clock then ends now at the earliest).

    `seen_deadline` is the deadline on the page of whoever clicked: when it is not the present one, as in the second
    half of a double click, nothing is done.
    """
    if not 0 < abs(seconds) <= MOST_EXTRA_S:
        raise Refused(_("Add or take away between 1 second and 1 hour."))
    with acting_on(turn.game) as game:
        clock = _clock(game, turn, room)
        if seen_deadline is not None and seen_deadline != clock.deadline:
            raise AlreadyDone(_("The clock has been changed already."))
        longer = _try(clock, lambda it: arithmetic.add(it, now, timedelta(seconds=seconds)))
        clock = _move(clock, longer, ClockState(clock.state))
        _tell(game, "add_time", clock, by, now, {"seconds": seconds})
    return clock


def close_now(*, turn: Turn, room: Room, now: datetime, by: User | None) -> TurnClock:
    """End the turn in this room before its time; slips under way still have the grace. Everything is judged."""
    with acting_on(turn.game) as game:
        clock = _clock(game, turn, room)
        if clock.state == ClockState.CLOSED:
            raise AlreadyDone(_("The clock is closed already."))
        clock = _close(game, clock, now, by, _try(clock, lambda it: arithmetic.close(it, now)))
    return clock


def close_due(*, now: datetime) -> list[TurnClock]:
    """Close every clock whose deadline and grace are over; those that this call closed.

    May be called by anybody at any time, in several processes at once: who changes the row does what follows.
    """
    due = TurnClock.objects.filter(state=ClockState.OPEN, deadline__lt=now).select_related("turn__game")
    closed = [_close_if_due(clock, now) for clock in due if arithmetic.phase(clock_of(clock), now) == "closed"]
    return [clock for clock in closed if clock is not None]


def give_back(*, turn: Turn, room: Room, seconds: int, now: datetime, by: User | None) -> TurnClock:
    """Give back the time that the server was away. A clock that ran out meanwhile opens again.

    Slips that came in between count when the new deadline has them in time.
    """
    if seconds < 1:
        raise Refused(_("Give back 1 second or more, or go on without."))
    with acting_on(turn.game) as game:
        clock = _clock(game, turn, room)
        if clock.state == ClockState.PAUSED:
            raise Refused(_("The clock is paused and has lost nothing; let it go on."))
        longer = _try(clock, lambda it: arithmetic.give_back(it, timedelta(seconds=seconds)))
        clock = _move(clock, longer, ClockState.OPEN)
        forget_verdicts(turn=clock.turn, room=clock.room)
        _stamp_anew(clock)
        _tell(game, "give_back", clock, by, now, {"seconds": seconds})
    return clock


def _close_if_due(due: TurnClock, now: datetime) -> TurnClock | None:
    with acting_on(due.turn.game) as game:
        clock = TurnClock.objects.select_related("turn__game", "room").filter(pk=due.pk).first()
        if clock is None or clock.state != ClockState.OPEN or clock.deadline != due.deadline:
            return None
        return _close(game, clock, now, None, arithmetic.close(clock_of(clock), now))


def _close(game: Game, clock: TurnClock, now: datetime, by: User | None, closed: Clock) -> TurnClock:
    clock = _move(clock, closed, ClockState.CLOSED)
    _stamp_anew(clock)
    _tell(game, "close", clock, by, now)
    judge_turn(turn=clock.turn, room=clock.room)
    if not clock.room.is_drawing and is_complete(clock.turn):
        signals.changed(game)
    return clock


def _demand_turn(game: Game, clock: TurnClock) -> None:
    """A room that follows plays one turn after the other, and none before the drawing room."""
    if clock.room.is_drawing:
        return
    before = turn_in(game, clock.room)
    shown = before is None or TurnClock.objects.filter(turn=before, room=clock.room, shown_at__isnull=False).exists()
    if not shown:
        raise Refused(_("Finish turn %(turn)d in this room first.") % {"turn": before.number if before else 0})
    ready = {"turn": clock.turn, "room__number": Room.DRAWING, "started_at": None}
    if TurnClock.objects.filter(**ready).exists():
        raise Refused(_("The drawing room has not announced turn %(turn)d yet.") % {"turn": clock.turn.number})
    due = next_turn_in(game, clock.room)
    if due is not None and due.pk != clock.turn_id:
        raise Refused(_("The next turn of this room is turn %(turn)d.") % {"turn": due.number})


def _clock(game: Game, turn: Turn, room: Room) -> TurnClock:
    """The clock as it is now; refused when the turn is over or gone."""
    clock = TurnClock.objects.select_related("turn__game", "room").filter(turn=turn.pk, room=room).first()
    if clock is None or (clock.room.is_drawing and game.state == GameState.FINISHED):
        raise Refused(_("This turn is not there any more; look at the desk again."))
    if clock.shown_at is not None:
        raise Refused(_("Turn %(turn)d is on the board already.") % {"turn": clock.turn.number})
    return clock


def _try(clock: TurnClock, act: Callable[[Clock], Clock]) -> Clock:
    try:
        return act(clock_of(clock))
    except ClockError as error:
        raise Refused(_REFUSALS[error.phase]()) from None


_REFUSALS: Mapping[str, Callable[[], str]] = {
    "ready": lambda: _("The rack is not announced yet; announce it first."),
    "running": lambda: _("The clock is running."),
    "paused": lambda: _("The clock is paused."),
    "closed": lambda: _("The time is up; the clock is closed."),
}


def _move(clock: TurnClock, after: Clock, state: ClockState) -> TurnClock:
    """Write the clock down, unless somebody else has changed it since it was read."""
    unchanged = TurnClock.objects.filter(pk=clock.pk, state=clock.state, deadline=clock.deadline)
    times = {
        "started_at": after.started_at,
        "deadline": after.deadline,
        "paused_at": after.paused_at,
        "closed_at": after.closed_at,
    }
    if unchanged.update(state=state, **times) != 1:
        raise AlreadyDone(_("The clock has been changed already."))
    for name, time in times.items():
        setattr(clock, name, time)
    clock.state = state
    return clock


def _stamp_anew(clock: TurnClock) -> None:
    """Whether a phone's slip is in time follows from the deadline that counts, which has just been set."""
    last = clock_of(clock).last_moment
    here = players_in(clock.turn.game, clock.room)
    slips = Slip.objects.filter(turn=clock.turn, player__in=here, source=SlipSource.PHONE)
    slips.filter(received_at__lte=last, received_at__gte=clock.started_at, in_time=False).update(in_time=True)
    slips.filter(received_at__gt=last, in_time=True).update(in_time=False)


def _tell(
    game: Game,
    kind: str,
    clock: TurnClock,
    by: User | None,
    now: datetime,
    more: Mapping[str, object] | None = None,
) -> None:
    facts = {
        "turn": clock.turn.number,
        "room": clock.room.name,
        "clock": clock.room.number,
        "deadline": moment_text(clock.deadline) if clock.deadline else None,
    }
    record(game=game, kind=kind, by=by, now=now, data={**facts, **(more or {})})
    signals.changed(game, clock.room)
