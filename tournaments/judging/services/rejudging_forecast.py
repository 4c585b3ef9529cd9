"""Derivation of the effects of judging a turn again, before the game is locked.

With thousands of players this takes seconds, and no slip is stored while the game is locked. Therefore the effects are
derived without the lock; under the lock, a stamp shows whether the facts have changed since.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db.models import Max

from tournaments.enums import ClockState
from tournaments.judging.queries.differences import PointsDifferences, find_differences
from tournaments.judging.queries.preview import ProposedChange
from tournaments.judging.services.ruling_checks import get_placed_turn, require_current_preview
from tournaments.models import Game, LedgerEntry, Slip, Turn, TurnClock
from tournaments.play.services.game_lock import lock_game

MAX_ATTEMPTS = 3
_IGNORED_KINDS = ("slips", "look")
"""Frequent entries during a turn that change no closed turn; the stamp includes late slips of closed turns itself."""

_Stamp = tuple[int | None, int | None, int]


@dataclass(frozen=True, slots=True)
class RejudgingForecast:
    """The present turn, the change, and the points that it alters."""

    turn: Turn
    change: ProposedChange
    differences: PointsDifferences


@contextmanager
def locked_forecast(
    turn: Turn, change: Callable[[Turn], ProposedChange], seen: str | None
) -> Iterator[RejudgingForecast]:
    """Yield the effects of `change` on the present turn, with the game locked.

    `change` raises `Refused` for impossible rulings; it is called again if the facts changed before the lock was taken.
    `seen` is the token of the confirmed preview, or None.
    """
    for _attempt in range(MAX_ATTEMPTS):
        before = _state_stamp(turn)
        try:
            found = _make_forecast(turn, change, seen)
        except Exception:
            # Facts read while another act was stored may be inconsistent.
            if _state_stamp(turn) == before:
                raise
            continue
        with lock_game(turn.game):
            if _state_stamp(turn) == before:
                yield found
                return
    with lock_game(turn.game):
        yield _make_forecast(turn, change, seen)


def _make_forecast(turn: Turn, change: Callable[[Turn], ProposedChange], seen: str | None) -> RejudgingForecast:
    game = Game.objects.select_related("event").get(pk=turn.game_id)
    current = get_placed_turn(game, turn)
    found = change(current)
    require_current_preview(seen, lambda: found)
    return RejudgingForecast(current, found, find_differences(found))


def _state_stamp(turn: Turn) -> _Stamp:
    """Stamp that differs once an act or a late slip may have changed the verdicts of closed turns."""
    acts = LedgerEntry.objects.filter(game__event=turn.game.event_id).exclude(kind__in=_IGNORED_KINDS)
    closed = TurnClock.objects.filter(turn__game=turn.game_id, state=ClockState.CLOSED).values("turn")
    late = Slip.objects.filter(turn__in=closed).aggregate(last=Max("pk"))["last"]
    return acts.aggregate(last=Max("pk"))["last"], late, closed.count()
