"""Change a room's clock in a turn: announce, pause, prolong, close. Every change is one conditional UPDATE."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import reduce
from operator import or_
from types import MappingProxyType

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _

from engine.archive.schema import format_timestamp
from engine.play import clock as arithmetic
from engine.play.clock import Clock, ClockError
from tournaments import signals
from tournaments.enums import ClockState, GameState, SlipSource
from tournaments.errors import AlreadyDone, Refused
from tournaments.judging.services.closed_rooms import judge_closed_rooms
from tournaments.judging.services.judge_slips import delete_verdicts
from tournaments.models import Game, Room, Slip, Turn, TurnClock, players_in
from tournaments.play.queries.phases import get_room_turn, next_turn_in, to_engine_clock
from tournaments.play.services.game_lock import LedgerAct, append_acts, lock_game, lock_room, lock_rooms

MOST_EXTRA_S = 3600
_OF_DUE_CLOCK = ("started_at", "deadline", "paused_at", "closed_at", "grace_ms", "turn__game", "room__number")
"""What tells that a clock is due, and what has to be locked to close it. Whole games would delay the close."""


def announce_turn(*, turn: Turn, room: Room, now: datetime, by: User | None, seconds: int | None = None) -> TurnClock:
    """Show the rack in this room and start its clock, for the turn time of the game or this number of seconds.

    A room that follows can only announce after the drawing room.
    """
    seconds = turn.game.turn_seconds if seconds is None else seconds
    with lock_room(turn.game, room) as game:
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
    with lock_room(turn.game, room) as game:
        clock = _clock(game, turn, room)
        if clock.state == ClockState.PAUSED:
            raise AlreadyDone(_("The clock is paused already."), act="pause", clock=room.number)
        clock = _store_clock(clock, _apply_or_refuse(clock, lambda it: arithmetic.pause(it, now)), ClockState.PAUSED)
        _record_clock_change(game, "pause", clock, by, now)
    return clock


def resume_clock(*, turn: Turn, room: Room, now: datetime, by: User | None) -> TurnClock:
    """Let a paused clock go on; it shows what it showed when it was halted."""
    with lock_room(turn.game, room) as game:
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
    with lock_room(turn.game, room) as game:
        clock = _clock(game, turn, room)
        if seen_deadline is not None and seen_deadline != clock.deadline:
            raise AlreadyDone(_("The clock has been changed already."), act="add_time", clock=room.number)
        longer = _apply_or_refuse(clock, lambda it: arithmetic.add(it, now, timedelta(seconds=seconds)))
        clock = _store_clock(clock, longer, ClockState(clock.state))
        _record_clock_change(game, "add_time", clock, by, now, {"seconds": seconds})
    return clock


def close_clock(*, turn: Turn, room: Room, now: datetime, by: User | None) -> TurnClock:
    """End the turn in this room early and judge it; slips being sent still have the grace period."""
    with lock_room(turn.game, room) as game:
        clock = _clock(game, turn, room)
        if clock.state == ClockState.CLOSED:
            raise AlreadyDone(_("The clock is closed already."), act="close", turn=turn.number, clock=room.number)
        closed = _apply_or_refuse(clock, lambda it: arithmetic.close(it, now))
        _record_closed([_store_clock(clock, closed, ClockState.CLOSED)], by, now)
    judge_closed_rooms(now=now, rooms=[room.pk])
    return clock


def close_due_clocks(*, now: datetime, rooms: Collection[int] | None = None) -> list[TurnClock]:
    """Close every clock, or those of these rooms, whose deadline and grace are over; their slips are judged afterwards
    (`judge_closed_rooms`). Return those that this call closed.

    May be called at any time by several processes: only the process that changes the row continues with the turn. All
    are closed by one UPDATE; those in rooms that somebody else has locked follow one by one. The number of queries does
    not depend on the number of clocks.
    """
    clocks = TurnClock.objects.select_related("turn", "room").only(*_OF_DUE_CLOCK)
    due = _list_due(now, clocks if rooms is None else clocks.filter(room__in=rooms))
    closed = _close_due(due, now, wait=False) if due else []
    done = {clock.pk for clock in closed}
    for busy in due:
        if busy.pk not in done:
            closed += _close_due([busy], now, wait=True)
    return closed


def give_time_back(*, turn: Turn, room: Room, seconds: int, now: datetime, by: User | None) -> TurnClock:
    """Return the time during which the server was away. A clock that ran out in the meantime opens again. Slips that
    arrived since then count if they are in time for the new deadline.

    The whole game is locked, because a turn that is open again is not complete in the other rooms either.
    """
    if seconds < 1:
        raise Refused(_("Give back 1 second or more, or go on without."))
    with lock_game(turn.game) as game:
        clock = _clock(game, turn, room)
        if clock.state == ClockState.PAUSED:
            raise Refused(_("The clock is paused and has lost nothing; let it go on."))
        longer = _apply_or_refuse(clock, lambda it: arithmetic.restore_lost_time(it, timedelta(seconds=seconds)))
        clock = _store_clock(clock, longer, ClockState.OPEN)
        delete_verdicts(turn=clock.turn, room=clock.room)
        _restamp_slips([clock])
        _record_clock_change(game, "give_back", clock, by, now, {"seconds": seconds})
    return clock


def _list_due(now: datetime, clocks: QuerySet[TurnClock]) -> list[TurnClock]:
    """Those of these clocks that run and whose deadline and grace are over."""
    running = clocks.filter(state=ClockState.OPEN, deadline__lt=now).order_by("pk")
    return [clock for clock in running if arithmetic.get_clock_phase(to_engine_clock(clock), now) == "closed"]


def _close_due(due: Sequence[TurnClock], now: datetime, *, wait: bool) -> list[TurnClock]:
    """Close those of these clocks that are still due, without `wait` only those in rooms that nobody has locked."""
    with transaction.atomic():
        games, rooms = lock_rooms(
            {clock.turn.game_id for clock in due if clock.room.is_drawing},
            {clock.room_id for clock in due if not clock.room.is_drawing},
            wait=wait,
        )
        here = Q(room__number=Room.DRAWING, turn__game__in=games) | Q(room__in=rooms)
        clocks = TurnClock.objects.filter(here, pk__in=[clock.pk for clock in due])
        still = _list_due(now, clocks.select_related("turn__game__event", "room"))
        if still:
            # A clock that ran out keeps its deadline (`arithmetic.close`).
            closing = TurnClock.objects.filter(pk__in=[clock.pk for clock in still], state=ClockState.OPEN)
            closing.update(state=ClockState.CLOSED, closed_at=now, judged=False)
            for clock in still:
                clock.state, clock.closed_at, clock.judged = ClockState.CLOSED, now, False
            _record_closed(still, None, now)
    return still


def _record_closed(clocks: Sequence[TurnClock], by: User | None, now: datetime) -> None:
    """Stamp the slips of clocks that were closed, and record each in its ledger."""
    _restamp_slips(clocks)
    append_acts([_act(clock) for clock in clocks], kind="close", by=by, now=now)
    signals.send_games_changed([(clock.turn.game, clock.room) for clock in clocks])


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
    clock = TurnClock.objects.select_related("turn__game__event", "room").filter(turn=turn.pk, room=room).first()
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
    if unchanged.update(state=state, judged=False, **times) != 1:
        raise AlreadyDone(_("The clock has been changed already."))
    for name, time in times.items():
        setattr(clock, name, time)
    clock.state, clock.judged = state, False
    return clock


def _restamp_slips(clocks: Collection[TurnClock]) -> None:
    """Recompute `in_time` and `sent_in_time` of the phones' slips after the deadlines were set."""
    stamps: dict[tuple[bool, bool], list[int]] = {}
    for slip, clock in _list_phone_slips(clocks):
        stamp = _stamp(slip, clock)
        if stamp != (slip.in_time, slip.sent_in_time):
            stamps.setdefault(stamp, []).append(slip.pk)
    for (in_time, sent_in_time), slips in stamps.items():
        Slip.objects.filter(pk__in=slips).update(in_time=in_time, sent_in_time=sent_in_time)


def _list_phone_slips(clocks: Collection[TurnClock]) -> Iterator[tuple[Slip, Clock]]:
    """The slips that phones sent in these turns and rooms, each with the clock that decides about it."""
    engine_clocks = {(clock.turn_id, clock.room_id): to_engine_clock(clock) for clock in clocks}
    rooms: dict[int, set[int]] = {}
    for clock in clocks:
        rooms.setdefault(clock.turn.game_id, set()).add(clock.room_id)
    here = [Q(turn__game=game, player__in=players_in(game, *those)) for game, those in rooms.items()]
    slips = Slip.objects.filter(
        reduce(or_, here, Q()),
        turn__in={turn for turn, _ in engine_clocks},
        source=SlipSource.PHONE,
        player__entries__game=F("turn__game"),
    )
    slips = slips.only("turn_id", "received_at", "sent_at", "in_time", "sent_in_time")
    for slip in slips.annotate(room_id=F("player__entries__room")):
        engine_clock = engine_clocks.get((slip.turn_id, slip.room_id))
        if engine_clock is not None:
            yield slip, engine_clock


def _stamp(slip: Slip, clock: Clock) -> tuple[bool, bool]:
    """Return `in_time` and `sent_in_time` of a slip; the second is true if it is late but was sent in time."""
    last = clock.last_moment
    if clock.started_at is None or last is None:
        return slip.in_time, slip.sent_in_time
    in_time = slip.received_at <= last and (slip.in_time or slip.received_at >= clock.started_at)
    sent_in_time = not in_time and slip.sent_at is not None and clock.started_at <= slip.sent_at <= last
    return in_time, sent_in_time


def _act(clock: TurnClock, more: Mapping[str, object] = MappingProxyType({})) -> LedgerAct:
    """Return the ledger act of a change of this clock."""
    facts = {
        "turn": clock.turn.number,
        "room": clock.room.name,
        "clock": clock.room.number,
        "deadline": format_timestamp(clock.deadline) if clock.deadline else None,
    }
    return LedgerAct(clock.turn.game, clock.room, {**facts, **more})


def _record_clock_change(
    game: Game,
    kind: str,
    clock: TurnClock,
    by: User | None,
    now: datetime,
    more: Mapping[str, object] = MappingProxyType({}),
) -> None:
    append_acts([_act(clock, more)], kind=kind, by=by, now=now)
    signals.send_game_changed(game, clock.room)
