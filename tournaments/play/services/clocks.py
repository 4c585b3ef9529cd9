"""Change a room's clock in a turn: announce, pause, prolong, close. Every change is one conditional UPDATE."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.translation import gettext as _

from engine.archive.schema import format_timestamp
from engine.play import clock as arithmetic
from engine.play.clock import Clock, ClockError
from tournaments import signals
from tournaments.enums import ClockState, GameState, SlipSource
from tournaments.errors import AlreadyDone, Refused
from tournaments.judging.services.judge_slips import delete_verdicts, judge_turn
from tournaments.models import Game, Room, Slip, Turn, TurnClock, players_in
from tournaments.play.queries.phases import get_room_turn, is_complete, next_turn_in, to_engine_clock
from tournaments.play.services.game_lock import append_to_ledger, lock_game

MOST_EXTRA_S = 3600


def announce_turn(*, turn: Turn, room: Room, now: datetime, by: User | None, seconds: int | None = None) -> TurnClock:
    """Show the rack in this room and start its clock, for the turn time of the game or this number of seconds.

    A room that follows can only announce after the drawing room.
    """
    seconds = turn.game.turn_seconds if seconds is None else seconds
    with lock_game(turn.game) as game:
        clock = _clock(game, turn, room)
        if clock.state != ClockState.READY:
            sentence = _("Turn %(turn)d is announced already.") % {"turn": turn.number}
            raise AlreadyDone(sentence, act="announce", turn=turn.number, clock=room.number)
        _require_next_turn(game, clock)
        clock = _store_clock(
            clock, arithmetic.start(to_engine_clock(clock), now, timedelta(seconds=seconds)), ClockState.OPEN
        )
        if game.state == GameState.READY:
            Game.objects.filter(pk=game.pk).update(state=GameState.RUNNING, started_at=now)
        details = {"rack": turn.rack, "seconds": seconds, "grace_ms": clock.grace_ms}
        _record_clock_change(game, "announce", clock, by, now, details)
    return clock


def pause_clock(*, turn: Turn, room: Room, now: datetime, by: User | None) -> TurnClock:
    """Halt the clock; what is handed in meanwhile is in time."""
    with lock_game(turn.game) as game:
        clock = _clock(game, turn, room)
        if clock.state == ClockState.PAUSED:
            raise AlreadyDone(_("The clock is paused already."), act="pause", clock=room.number)
        clock = _store_clock(clock, _apply_or_refuse(clock, lambda it: arithmetic.pause(it, now)), ClockState.PAUSED)
        _record_clock_change(game, "pause", clock, by, now)
    return clock


def resume_clock(*, turn: Turn, room: Room, now: datetime, by: User | None) -> TurnClock:
    """Let a paused clock go on; it shows what it showed when it was halted."""
    with lock_game(turn.game) as game:
        clock = _clock(game, turn, room)
        if clock.state == ClockState.OPEN:
            raise AlreadyDone(_("The clock is running already."), act="resume", clock=room.number)
        clock = _store_clock(clock, _apply_or_refuse(clock, lambda it: arithmetic.resume(it, now)), ClockState.OPEN)
        _record_clock_change(game, "resume", clock, by, now)
    return clock


def add_time(
    *, turn: Turn, room: Room, seconds: int, now: datetime, by: User | None, seen_deadline: datetime | None = None
) -> TurnClock:
    """Add time, or remove some (negative; the clock then ends now at the earliest).

    `seen_deadline` is the deadline on the page that sent the request: if it is not the current one, as after a double
    click, nothing is done.
    """
    if not 0 < abs(seconds) <= MOST_EXTRA_S:
        raise Refused(_("Add or take away between 1 second and 1 hour."))
    with lock_game(turn.game) as game:
        clock = _clock(game, turn, room)
        if seen_deadline is not None and seen_deadline != clock.deadline:
            raise AlreadyDone(_("The clock has been changed already."), act="add_time", clock=room.number)
        longer = _apply_or_refuse(clock, lambda it: arithmetic.add(it, now, timedelta(seconds=seconds)))
        clock = _store_clock(clock, longer, ClockState(clock.state))
        _record_clock_change(game, "add_time", clock, by, now, {"seconds": seconds})
    return clock


def close_clock(*, turn: Turn, room: Room, now: datetime, by: User | None) -> TurnClock:
    """End the turn in this room early and judge it; slips being sent still have the grace period."""
    with lock_game(turn.game) as game:
        clock = _clock(game, turn, room)
        if clock.state == ClockState.CLOSED:
            raise AlreadyDone(_("The clock is closed already."), act="close", turn=turn.number, clock=room.number)
        clock = _close(game, clock, now, by, _apply_or_refuse(clock, lambda it: arithmetic.close(it, now)))
    return clock


def close_due_clocks(*, now: datetime, rooms: Collection[int] | None = None) -> list[TurnClock]:
    """Close every clock, or those of these rooms, whose deadline and grace are over. Return those closed by this call.

    May be called at any time by several processes: only the process that changes the row continues with the turn.
    """
    due = TurnClock.objects.filter(state=ClockState.OPEN, deadline__lt=now).select_related("turn__game")
    if rooms is not None:
        due = due.filter(room__in=rooms)
    closed = [
        _close_if_due(clock, now)
        for clock in due
        if arithmetic.get_clock_phase(to_engine_clock(clock), now) == "closed"
    ]
    return [clock for clock in closed if clock is not None]


def give_time_back(*, turn: Turn, room: Room, seconds: int, now: datetime, by: User | None) -> TurnClock:
    """Return the time during which the server was away. A clock that ran out in the meantime opens again. Slips that
    arrived since then count if they are in time for the new deadline."""
    if seconds < 1:
        raise Refused(_("Give back 1 second or more, or go on without."))
    with lock_game(turn.game) as game:
        clock = _clock(game, turn, room)
        if clock.state == ClockState.PAUSED:
            raise Refused(_("The clock is paused and has lost nothing; let it go on."))
        longer = _apply_or_refuse(clock, lambda it: arithmetic.restore_lost_time(it, timedelta(seconds=seconds)))
        clock = _store_clock(clock, longer, ClockState.OPEN)
        delete_verdicts(turn=clock.turn, room=clock.room)
        _restamp_slips(clock)
        _record_clock_change(game, "give_back", clock, by, now, {"seconds": seconds})
    return clock


def _close_if_due(due: TurnClock, now: datetime) -> TurnClock | None:
    """Close a clock; None if another process has closed or changed it, or its event was deleted."""
    with suppress(Game.DoesNotExist), lock_game(due.turn.game) as game:
        clock = TurnClock.objects.select_related("turn__game", "room").filter(pk=due.pk).first()
        if clock is not None and clock.state == ClockState.OPEN and clock.deadline == due.deadline:
            return _close(game, clock, now, None, arithmetic.close(to_engine_clock(clock), now))
    return None


def _close(game: Game, clock: TurnClock, now: datetime, by: User | None, closed: Clock) -> TurnClock:
    clock = _store_clock(clock, closed, ClockState.CLOSED)
    _restamp_slips(clock)
    _record_clock_change(game, "close", clock, by, now)
    judge_turn(turn=clock.turn, room=clock.room)
    if not clock.room.is_drawing and is_complete(clock.turn):
        signals.send_game_changed(game)
    return clock


def _require_next_turn(game: Game, clock: TurnClock) -> None:
    """Require that a room which follows plays the turns in order, each after the drawing room."""
    if clock.room.is_drawing:
        return
    before = get_room_turn(game, clock.room)
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
        raise Refused(_("This turn no longer exists; look at the desk again."))
    if clock.shown_at is not None:
        raise Refused(_("Turn %(turn)d is on the board already.") % {"turn": clock.turn.number})
    return clock


def _apply_or_refuse(clock: TurnClock, act: Callable[[Clock], Clock]) -> Clock:
    try:
        return act(to_engine_clock(clock))
    except ClockError as error:
        raise Refused(_REFUSALS[error.phase]()) from None


_REFUSALS: Mapping[str, Callable[[], str]] = {
    "ready": lambda: _("The rack is not announced yet; announce it first."),
    "running": lambda: _("The clock is running."),
    "paused": lambda: _("The clock is paused."),
    "closed": lambda: _("The time is up; the clock is closed."),
}


def _store_clock(clock: TurnClock, after: Clock, state: ClockState) -> TurnClock:
    """Store the clock unless it was changed since it was read."""
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


def _restamp_slips(clock: TurnClock) -> None:
    """Recompute `in_time` and `sent_in_time` of the phones' slips after the deadline was set."""
    last = to_engine_clock(clock).last_moment
    here = players_in(clock.turn.game, clock.room)
    slips = Slip.objects.filter(turn=clock.turn, player__in=here, source=SlipSource.PHONE)
    slips.filter(received_at__lte=last, received_at__gte=clock.started_at, in_time=False).update(in_time=True)
    slips.filter(received_at__gt=last, in_time=True).update(in_time=False)
    sent_in_time = Q(in_time=False, sent_at__gte=clock.started_at, sent_at__lte=last)
    slips.filter(sent_in_time, sent_in_time=False).update(sent_in_time=True)
    slips.exclude(sent_in_time).filter(sent_in_time=True).update(sent_in_time=False)


def _record_clock_change(
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
        "deadline": format_timestamp(clock.deadline) if clock.deadline else None,
    }
    append_to_ledger(game=game, kind=kind, by=by, now=now, data={**facts, **(more or {})})
    signals.send_game_changed(game, clock.room)
