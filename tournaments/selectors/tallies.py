"""How many players got what in a turn, and with which moves: counted in the database, once for each judging of a turn.

After a turn only the new one is counted, so a hall of thousands costs as much in the thirtieth turn as in the first.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Count, F, Max, QuerySet

from engine.analysis import Played
from tournaments.models import Entry, Turn, Verdict
from tournaments.selectors.results import Stand

_LAID = ("valid", "rescued")
_TURNS_KEPT = 2_000
Key = tuple[str, int, int, int, int | None, tuple[int | None, ...]]


@dataclass(slots=True)
class Tally:
    """`points` counts players by what their moves got, `moves` are those that were laid, most players first."""

    points: dict[int, int] = field(default_factory=dict)
    moves: list[Played] = field(default_factory=list)


_kept: OrderedDict[Key, Tally] = OrderedDict()
_lock = threading.Lock()


def tallies_of(stand: Stand, turns: Sequence[Turn]) -> Mapping[int, Tally]:
    """By turn what its players (of the room) had, in one query for turns that were counted before and three for all
    others together."""
    verdicts = _verdicts(stand, turns)
    marks = verdicts.values_list("turn_id").annotate(newest=Max("pk"), number=Count("pk")).order_by("turn_id")
    keys = {
        turn_id: (stand.event_code, turn_id, newest, number, stand.room_id, stand.entries)
        for turn_id, newest, number in marks
    }
    with _lock:
        found = {turn_id: _kept[key] for turn_id, key in keys.items() if key in _kept}
    fresh = _counted(verdicts.filter(turn__in=keys.keys() - found.keys())) if len(found) < len(keys) else {}
    with _lock:
        _kept.update({keys[turn_id]: tally for turn_id, tally in fresh.items()})
        while len(_kept) > _TURNS_KEPT:
            _kept.popitem(last=False)
    return found | fresh


def _verdicts(stand: Stand, turns: Sequence[Turn]) -> QuerySet[Verdict]:
    verdicts = Verdict.objects.filter(turn__in=[turn.pk for turn in turns])
    if stand.room_id is None:
        return verdicts
    here = Entry.objects.filter(game=stand.game_id, room=stand.room_id)
    return verdicts.filter(player__in=here.values("player"))


def _counted(verdicts: QuerySet[Verdict]) -> dict[int, Tally]:
    """Penalties and bonuses do not tell who found the top, so they are not in the points. What was no move is not
    told: a player may write anything."""
    found: dict[int, Tally] = {}
    had = verdicts.annotate(had=F("points") + F("penalty") - F("bonus")).values_list("turn_id", "had")
    for turn_id, points, count in had.annotate(n=Count("pk")).order_by("turn_id", "had"):
        tally, got = found.setdefault(turn_id, Tally()), max(0, points)
        tally.points[got] = tally.points.get(got, 0) + count
    laid = verdicts.filter(result__in=_LAID).exclude(move_word="")
    moves = laid.values_list("turn_id", "move_word", "move_ref", "move_score").annotate(n=Count("pk"))
    for turn_id, word, ref, score, count in moves.order_by("turn_id", "-n", "-move_score", "move_word", "move_ref"):
        found[turn_id].moves.append(Played(word, ref, score or 0, count))
    return found
