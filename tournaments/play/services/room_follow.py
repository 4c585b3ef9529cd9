"""Rooms that follow the script: they announce, show and undo turns on their own, automatically where configured.

announce_next -> (its clock: services/clocks.py) -> show -> announce_next ...
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Exists, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from engine.archive.ledger import SEALED_CHAINS
from tournaments import signals
from tournaments.enums import ClockState
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.queries.events import get_drawing_room
from tournaments.judging.queries.slip_groups import has_doubtful_slip
from tournaments.judging.services.closed_rooms import lock_judged_room
from tournaments.models import Game, LedgerEntry, Room, Turn, TurnClock
from tournaments.play.queries.phases import (
    current_turn,
    get_clock,
    get_room_turn,
    is_over,
    list_games_over,
    list_unfinished_automatic_clocks,
    list_unfinished_clocks,
    next_turn_in,
)
from tournaments.play.queries.typing_conflicts import open_typings
from tournaments.play.services import clocks
from tournaments.play.services.game_lock import append_to_ledger, lock_room, seal_room_chains

MIN_SHOWN_TIME = timedelta(seconds=10)
"""For so long at least a room that follows by itself shows a move before it announces the next rack."""


def announce_next(*, game: Game, room: Room, now: datetime, by: User | None) -> TurnClock:
    """Announce the next rack in a room that follows and start its clock there."""
    turn = get_room_turn(game, room)
    clock = get_clock(turn, room) if turn is not None else None
    if turn is not None and clock is not None and clock.shown_at is None:
        sentence = _("Turn %(turn)d is announced already.") % {"turn": turn.number}
        raise AlreadyDone(sentence, act="announce", turn=turn.number, clock=room.number)
    due = next_turn_in(game, room)
    if due is None:
        raise Refused(_("The drawing room has no further turn yet."))
    return clocks.announce_turn(turn=due, room=room, now=now, by=by)


def show_turn(*, turn: Turn, room: Room, now: datetime, by: User | None) -> TurnClock:
    """Show the move, verdicts, points and standings of a closed turn in a room that follows."""
    with lock_judged_room(turn.game, room, now) as game:
        clock = _clock(turn, room)
        if clock.shown_at is not None:
            raise AlreadyDone(_("Turn %(turn)d is shown already.") % {"turn": turn.number})
        if clock.state != ClockState.CLOSED:
            raise Refused(_("The clock of turn %(turn)d has not closed; close it first.") % {"turn": turn.number})
        if clock.turn.placed_at is None:
            raise Refused(_("The drawing room has not placed the move of turn %(turn)d yet.") % {"turn": turn.number})
        _set_shown(game, clock, now, by, now)
    _finish_turn(clock.turn, now)
    return clock


def reopen_turn(*, game: Game, room: Room, now: datetime, by: User | None) -> Turn:
    """Reopen the last turn of a room that follows for judging, while it has not announced the next one.

    A room that followed automatically is switched to manual; otherwise it would show the move again at once.
    """
    with lock_room(game, room) as locked:
        turn = get_room_turn(locked, room)
        clock = get_clock(turn, room) if turn is not None else None
        if turn is None or clock is None or clock.shown_at is None:
            raise AlreadyDone(_("This has been taken back already."))
        Room.objects.filter(pk=room.pk).update(offset_s=None)
        _set_shown(locked, clock, None, by, now)
    return turn


def advance_due_rooms(*, now: datetime, excluded: Collection[int] = ()) -> list[TurnClock]:
    """Announce and show what is due in rooms that follow automatically, except the `excluded` ones. Return the clocks
    that this call changed.

    May be called at any time, as `clocks.close_due_clocks`. A turn is announced `offset_s` after the drawing room's
    announcement, once the turn before is shown. A move is shown once the room has closed, the drawing room has placed
    it, no doubtful slip awaits a judge and no paper slip its second typing.
    """
    unfinished = list_unfinished_automatic_clocks().exclude(room__in=excluded)
    waiting = unfinished.select_related("room", "turn__game__event").order_by("turn__game", "turn__number")
    first_of_room: dict[int, TurnClock] = {}
    for clock in waiting:
        first_of_room.setdefault(clock.room_id, clock)
    ready = [clock for clock in first_of_room.values() if clock.state == ClockState.READY]
    due_at = _find_announcement_times(ready) if ready else {}
    return [clock for clock in first_of_room.values() if _advance_room(clock, due_at.get(clock.pk), now)]


def seal_finished_games(*, now: datetime) -> list[Game]:
    """Seal the chains of the rooms of each game that is over without such a seal, because the process ended before it.
    Return these games. One query if there is none."""
    unsealed = list(_list_unsealed_games().select_related("event"))
    for game in unsealed:
        with lock_room(game, get_drawing_room(game.event)) as locked:
            _seal_if_due(locked, now)
    return unsealed


def _advance_room(clock: TurnClock, due_at: datetime | None, now: datetime) -> bool:
    try:
        if clock.state == ClockState.CLOSED and _may_show(clock):
            show_turn(turn=clock.turn, room=clock.room, now=now, by=None)
            return True
        if due_at is not None and due_at <= now:
            clocks.announce_turn(turn=clock.turn, room=clock.room, now=now, by=None)
            return True
    except (AlreadyDone, Refused):
        return False  # a judge was quicker
    return False


def _may_show(clock: TurnClock) -> bool:
    if not clock.judged or clock.turn.placed_at is None or has_doubtful_slip(clock.turn, clock.room):
        return False
    return not (clock.turn.game.event.double_typing and open_typings(clock.turn, clock.room).number)


def _find_announcement_times(ready: Collection[TurnClock]) -> dict[int, datetime]:
    """The times at which rooms announce the turns of these clocks, by clock, as far as the drawing room has announced
    them. The number of queries does not depend on the number of rooms."""
    turns, rooms = {clock.turn_id for clock in ready}, {clock.room_id for clock in ready}
    drawing = TurnClock.objects.filter(turn__in=turns, room__number=Room.DRAWING, started_at__isnull=False)
    started = dict(drawing.values_list("turn", "started_at"))
    games = {clock.turn.game_id for clock in ready}
    shown = TurnClock.objects.filter(room__in=rooms, turn__game__in=games, shown_at__isnull=False)
    last_shown = {
        (game, room): at
        for game, room, at in shown.values_list("turn__game", "room").annotate(last=Max("shown_at")).order_by()
    }
    times = {}
    for clock in ready:
        if (start := started.get(clock.turn_id)) is not None:
            due = start + timedelta(seconds=clock.room.offset_s or 0)
            before = last_shown.get((clock.turn.game_id, clock.room_id))
            times[clock.pk] = due if before is None else max(due, before + MIN_SHOWN_TIME)
    return times


def _clock(turn: Turn, room: Room) -> TurnClock:
    clock = TurnClock.objects.select_related("turn__game__event", "room").filter(turn=turn, room=room).first()
    if clock is None or room.is_drawing:
        raise Refused(_("This turn no longer exists; look at the desk again."))
    return clock


def _set_shown(game: Game, clock: TurnClock, shown_at: datetime | None, by: User | None, now: datetime) -> None:
    TurnClock.objects.filter(pk=clock.pk).update(shown_at=shown_at)
    clock.shown_at = shown_at
    shown = {"turn": clock.turn.number, "room": clock.room.name, "shown": shown_at is not None}
    append_to_ledger(game=game, kind="show", by=by, now=now, data=shown, room=clock.room)
    signals.send_game_changed(game, clock.room)


def _finish_turn(turn: Turn, now: datetime) -> None:
    """Once every room has been shown the turn, count its result in the standings of all. After the last turn, seal the
    chains of the rooms.

    In a transaction of its own, in which no room is locked. Of two rooms that are shown the turn at the same moment,
    the one that commits last finds it finished. `seal_finished_games` does what a crash has left undone.
    """
    if not list_unfinished_clocks(turn.game).filter(turn=turn).exists():
        with lock_room(turn.game, get_drawing_room(turn.game.event)) as game:
            _seal_if_due(game, now)
            signals.send_game_changed(game)


def _seal_if_due(game: Game, now: datetime) -> None:
    """Seal the chains of the rooms if the game is over and this was not done. The caller has locked the game."""
    if is_over(game) and _list_unsealed_games().filter(pk=game.pk).exists():
        turn = current_turn(game)
        details = {"turn": turn.number if turn is not None else 0, **seal_room_chains(game)}
        append_to_ledger(game=game, kind="seal", by=None, now=now, data=details)


def _list_unsealed_games() -> QuerySet[Game]:
    """The games over in every room of which a room was shown a move after the chains of the rooms were last sealed."""
    entries = LedgerEntry.objects.filter(game=OuterRef("pk"))
    seals = entries.filter(room=None, data__has_key=SEALED_CHAINS).order_by("-n").values("pk")[:1]
    shown = entries.filter(kind="show", room__isnull=False, pk__gt=Coalesce(OuterRef("sealed"), 0))
    return list_games_over().annotate(sealed=Subquery(seals)).filter(Exists(shown))
