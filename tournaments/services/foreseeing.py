"""What follows from judging a turn again is found before anybody has to wait for it.

With thousands of players that takes seconds, and as long as a game is locked no slip of it is stored. So it is found
without the lock; under the lock it is only asked whether anybody did something meanwhile from which it follows, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db.models import Max

from tournaments.enums import ClockState
from tournaments.models import Game, LedgerEntry, Slip, Turn, TurnClock
from tournaments.selectors.differences import Differences, differences
from tournaments.selectors.preview import Change
from tournaments.services.acting import acting_on
from tournaments.services.reopenable import placed
from tournaments.services.rulings import demand_seen

TRIES = 3
_NOTHING_FOLLOWS = ("slips", "look")
"""Entries of which there are many while a turn is played; slips of a closed turn count in the stamp by themselves."""

_Stamp = tuple[int | None, int | None, int]


@dataclass(frozen=True, slots=True)
class Foreseen:
    """The turn as it is now, what would follow, and the points that would be others."""

    turn: Turn
    change: Change
    differences: Differences


@contextmanager
def foreseen(turn: Turn, change: Callable[[Turn], Change], seen: str | None) -> Iterator[Foreseen]:
    """What `change` finds for the turn as it is now, with the game locked so that it stays true.

    `change` refuses what cannot be done; it is asked again when somebody acted meanwhile. `seen` is the token of the
    preview that was confirmed, None without one.
    """
    for _attempt in range(TRIES):
        before = _stamp(turn)
        try:
            found = _find(turn, change, seen)
        except Exception:
            # What was read while somebody acted need not fit together.
            if _stamp(turn) == before:
                raise
            continue
        with acting_on(turn.game):
            if _stamp(turn) == before:
                yield found
                return
    with acting_on(turn.game):
        yield _find(turn, change, seen)


def _find(turn: Turn, change: Callable[[Turn], Change], seen: str | None) -> Foreseen:
    game = Game.objects.select_related("event").get(pk=turn.game_id)
    current = placed(game, turn)
    found = change(current)
    demand_seen(seen, lambda: found)
    return Foreseen(current, found, differences(found))


def _stamp(turn: Turn) -> _Stamp:
    """Another one as soon as anything is that verdicts of closed turns follow from: acts, and slips that came late."""
    acts = LedgerEntry.objects.filter(game__event=turn.game.event_id).exclude(kind__in=_NOTHING_FOLLOWS)
    closed = TurnClock.objects.filter(turn__game=turn.game_id, state=ClockState.CLOSED).values("turn")
    late = Slip.objects.filter(turn__in=closed).aggregate(last=Max("pk"))["last"]
    return acts.aggregate(last=Max("pk"))["last"], late, closed.count()
