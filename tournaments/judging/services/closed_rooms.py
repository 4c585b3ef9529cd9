"""Judging of rooms whose clocks have closed, apart from the closing, so that clocks close on time.

A clock that is closed and not `judged` waits: it has just closed, or a slip arrived afterwards. A crash between the two
steps is repaired by the next call.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime

from tournaments import signals
from tournaments.errors import Refused
from tournaments.judging.services.judge_slips import concerns_all_rooms, judge_room, judge_turn
from tournaments.models import Game, Room, TurnClock
from tournaments.play.queries.phases import list_unjudged_clocks
from tournaments.play.services.game_lock import lock_game, lock_room

logger = logging.getLogger(__name__)
_refused: dict[int, str] = {}
"""Reason for which the slips of a room cannot be judged, by the room's key, as it was logged."""


def judge_closed_rooms(
    *, now: datetime, rooms: Collection[int] | None = None, excluded: Collection[int] = ()
) -> list[TurnClock]:
    """Judge every room, or those of `rooms`, whose clock had closed by `now` and whose slips are not judged yet, except
    the `excluded` ones. Return the clocks that this call judged.

    May be called at any time by several processes, but not in a transaction that has locked a room. Each room is judged
    in its own transaction, which locks this room only. The room that closes a turn last judges the slips of all rooms,
    with the whole game locked.
    """
    waiting = list_unjudged_clocks().filter(closed_at__lte=now).exclude(room__in=excluded)
    if rooms is not None:
        waiting = waiting.filter(room__in=rooms)
    clocks = waiting.select_related("turn__game", "room").order_by("turn__game", "turn__number", "room__number")
    return [clock for clock in clocks if _judge_clock(clock)]


@contextmanager
def lock_judged_room(game: Game, room: Room, now: datetime) -> Iterator[Game]:
    """`lock_room`, with all slips of the room judged. If one arrives at this moment, the whole game is locked."""
    judge_closed_rooms(now=now, rooms=[room.pk])
    waiting = list_unjudged_clocks().filter(turn__game=game, room=room).order_by("turn__number")
    with lock_room(game, room) as locked:
        if not waiting.exists():
            yield locked
            return
    with lock_game(game) as locked:
        for clock in waiting.select_related("turn", "room"):
            clock.turn.game = locked
            judge_turn(turn=clock.turn, room=clock.room)
        yield locked


def _judge_clock(clock: TurnClock) -> bool:
    """False if another process has judged or reopened the clock, its event was deleted, or the word list of its game is
    not installed: then it goes on waiting, and holds no other room up. The desk of the room shows the reason."""
    with suppress(Game.DoesNotExist):
        try:
            is_judged = _judge_room_or_all(clock)
        except Refused as refused:
            _log_once(clock, refused.sentence)
        else:
            _refused.pop(clock.room_id, None)
            return is_judged
    return False


def _judge_room_or_all(clock: TurnClock) -> bool:
    turn, room = clock.turn, clock.room
    while True:
        everywhere = concerns_all_rooms(turn, room)
        with lock_game(turn.game) if everywhere else lock_room(turn.game, room) as game:
            if not list_unjudged_clocks().filter(pk=clock.pk).exists():
                return False
            turn.game = game
            if everywhere:
                judge_turn(turn=turn, room=room)
            elif not concerns_all_rooms(turn, room):
                judge_room(turn=turn, room=room)
            else:
                continue  # another room has closed in the meantime
            signals.send_game_changed(game, None if everywhere else room)
            return True


def _log_once(clock: TurnClock, reason: str) -> None:
    """Log why a room waits; the next sweeps find the same."""
    if _refused.get(clock.room_id) != reason:
        _refused[clock.room_id] = reason
        turn, where = clock.turn, f"{clock.turn.game.event.code}-{clock.room.number}"
        logger.warning("turn %d is not judged in room %s: %s", turn.number, where, reason)
