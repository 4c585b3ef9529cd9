"""Statistics of turns: numbers of players by points and by move, counted in the database.

Each turn is counted once for each judging, so the cost does not grow with the number of turns.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Count, F, Max, QuerySet

from engine.standings.statistics import PlayedMove
from tournaments.models import Entry, Turn, Verdict
from tournaments.results.queries.results import ResultsKey

_LAID = ("valid", "rescued")
_CACHED_TURNS = 2_000
Key = tuple[str, int, int, int, int | None, tuple[int | None, ...]]


@dataclass(slots=True)
class VerdictCounts:
    """Statistics of one turn: `points` counts players by move score, `moves` the valid moves, most frequent first."""

    points: dict[int, int] = field(default_factory=dict)
    moves: list[PlayedMove] = field(default_factory=list)


_cache: OrderedDict[Key, VerdictCounts] = OrderedDict()
_lock = threading.Lock()


def get_turn_statistics(stand: ResultsKey, turns: Sequence[Turn]) -> Mapping[int, VerdictCounts]:
    """Statistics by turn, of all players or of a room.

    Makes one query if all turns are cached, and three more for the others together.
    """
    verdicts = _verdicts(stand, turns)
    marks = verdicts.values_list("turn_id").annotate(newest=Max("pk"), number=Count("pk")).order_by("turn_id")
    keys = {
        turn_id: (stand.event_code, turn_id, newest, number, stand.room_id, stand.entries)
        for turn_id, newest, number in marks
    }
    with _lock:
        found = {turn_id: _cache[key] for turn_id, key in keys.items() if key in _cache}
    fresh = _count_verdicts(verdicts.filter(turn__in=keys.keys() - found.keys())) if len(found) < len(keys) else {}
    with _lock:
        _cache.update({keys[turn_id]: tally for turn_id, tally in fresh.items()})
        while len(_cache) > _CACHED_TURNS:
            _cache.popitem(last=False)
    return found | fresh


def _verdicts(stand: ResultsKey, turns: Sequence[Turn]) -> QuerySet[Verdict]:
    verdicts = Verdict.objects.filter(turn__in=[turn.pk for turn in turns])
    if stand.room_id is None:
        return verdicts
    here = Entry.objects.filter(game=stand.game_id, room=stand.room_id)
    return verdicts.filter(player__in=here.values("player"))


def _count_verdicts(verdicts: QuerySet[Verdict]) -> dict[int, VerdictCounts]:
    """Count the points and moves of turns.

    Points exclude penalties and bonuses, so that they show who found the top. Slips without a valid move are left out,
    because a player may write anything.
    """
    found: dict[int, VerdictCounts] = {}
    had = verdicts.annotate(had=F("points") + F("penalty") - F("bonus")).values_list("turn_id", "had")
    for turn_id, points, count in had.annotate(n=Count("pk")).order_by("turn_id", "had"):
        tally, got = found.setdefault(turn_id, VerdictCounts()), max(0, points)
        tally.points[got] = tally.points.get(got, 0) + count
    laid = verdicts.filter(result__in=_LAID).exclude(move_word="")
    moves = laid.values_list("turn_id", "move_word", "move_ref", "move_score").annotate(n=Count("pk"))
    for turn_id, word, ref, score, count in moves.order_by("turn_id", "-n", "-move_score", "move_word", "move_ref"):
        found[turn_id].moves.append(PlayedMove(word, ref, score or 0, count))
    return found
