"""What players have after a turn was judged again, beside what they had: every one whose points are others, and why.

found = differences(change)
found.points, found.solos
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.rules.averages import AVERAGE
from engine.rules.verdict import Verdict as Judgement
from tournaments.models import Entry, TurnClock, Verdict
from tournaments.selectors.preview import Change, derived_by

COUNTS, COUNTS_NOT, ANEW, BONUS, AVERAGED, WARNED = "counts", "counts_not", "anew", "bonus", "average", "warnings"


@dataclass(frozen=True, slots=True)
class Difference:
    """Points of a table in a turn; `why`: the slip `counts` now, `counts_not` any more or was judged `anew`, or the
    `bonus`, the `average` of the others, or the number of `warnings` is another one."""

    turn: int
    table: int
    before: int
    after: int
    why: str

    def as_json(self) -> list[int | str]:
        """As the ledger keeps it."""
        return [self.turn, self.table, self.before, self.after, self.why]


@dataclass(frozen=True, slots=True)
class Differences:
    """By turn and table; `solos`: [turn, table before, table after], None for nobody."""

    points: list[Difference]
    solos: list[list[int | None]]


def differences(change: Change) -> Differences:
    """Of everybody whose room has been shown the turn: what nobody has been told yet is no difference."""
    points: list[Difference] = []
    solos: list[list[int | None]] = []
    rooms = dict(Entry.objects.filter(game=change.game).values_list("player_id", "room_id"))
    for facts, derived in derived_by(change):
        turn = facts.turn
        shown = _shown(turn.pk)
        verdicts = Verdict.objects.filter(turn=turn.pk)
        if derived.partial:
            verdicts = verdicts.filter(player__in=[one.player_id for one in derived.judged])
        stored = {row.player_id: row for row in verdicts}
        for one in derived.judged:
            old = stored.get(one.player_id)
            if old is not None and old.points != one.judgement.points and rooms.get(one.player_id) in shown:
                why = _why(old, one.judgement)
                points.append(Difference(turn.number, one.table, old.points, one.judgement.points, why))
        if shown and derived.solo != turn.solo:
            solos.append([turn.number, turn.solo, derived.solo])
    return Differences(points, solos)


def _shown(turn_id: int) -> frozenset[int]:
    clocks = TurnClock.objects.filter(turn=turn_id, shown_at__isnull=False)
    return frozenset(clocks.values_list("room_id", flat=True))


def _why(old: Verdict, new: Judgement) -> str:
    if AVERAGE in (old.reason, new.reason):
        return AVERAGED
    if (old.result, old.reason or None, old.move_score, old.penalty) == _alone(new):
        return BONUS
    if (old.result, old.reason or None, old.move_score) == _alone(new)[:3]:
        return WARNED if len(old.warnings) != len(new.warnings) or old.penalty != new.penalty else ANEW
    if (old.result == "zero") != (new.result == "zero"):
        return COUNTS_NOT if new.result == "zero" else COUNTS
    return ANEW


def _alone(new: Judgement) -> tuple[str, str | None, int | None, int]:
    return new.result, new.reason, new.move_score, new.penalty


def read_differences(told: Mapping[str, object]) -> list[Difference]:
    """Those of a ledger entry."""
    rows = told.get("differences")
    return [Difference(*row) for row in rows] if isinstance(rows, list) else []
