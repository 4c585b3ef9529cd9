"""Differences between the stored results and a change: the players whose points change, and the reasons.

found = find_differences(change)
found.points, found.solos
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.judging.verdict import Verdict as Judgement
from engine.turn_results.averages import AVERAGE
from tournaments.judging.queries.preview import ProposedChange, derive_proposed
from tournaments.models import Entry, Turn, TurnClock, Verdict

COUNTS, COUNTS_NOT, REJUDGED, BONUS, AVERAGED, WARNED = "counts", "counts_not", "anew", "bonus", "average", "warnings"


@dataclass(frozen=True, slots=True)
class PointsDifference:
    """Changed points of a table in a turn.

    `why`: the slip now `counts`, no longer counts (`counts_not`) or was judged `anew`; or the `bonus`, the `average` of
    the others or the number of `warnings` changed.
    """

    turn: int
    table: int
    before: int
    after: int
    why: str

    def as_json(self) -> list[int | str]:
        """As the ledger keeps it."""
        return [self.turn, self.table, self.before, self.after, self.why]


@dataclass(frozen=True, slots=True)
class PointsDifferences:
    """By turn and table; `solos`: [turn, table before, table after], None for nobody."""

    points: list[PointsDifference]
    solos: list[list[int | None]]


def find_differences(change: ProposedChange) -> PointsDifferences:
    """Find the differences of all players whose room has been shown the turn; other results are not public."""
    points: list[PointsDifference] = []
    solos: list[list[int | None]] = []
    rooms = dict(Entry.objects.filter(game=change.game).values_list("player_id", "room_id"))
    for facts, derived in derive_proposed(change):
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
                points.append(PointsDifference(turn.number, one.table, old.points, one.judgement.points, why))
        if shown and derived.solo != turn.solo:
            solos.append([turn.number, turn.solo, derived.solo])
    return PointsDifferences(points, solos)


def get_ruling_impact(change: ProposedChange) -> dict[str, object]:
    """Tables whose points a change alters, and the sum of the alterations, as the ledger keeps them.

    Read before the change is written.
    """
    tables: set[int] = set()
    total_gain = 0
    for facts, derived in derive_proposed(change):
        before = dict(Verdict.objects.filter(turn=facts.turn.pk).values_list("player_id", "points"))
        for one in derived.judged:
            gain = one.judgement.points - before.get(one.player_id, one.judgement.points)
            tables |= {one.table} if gain else set()
            total_gain += gain
    return {"tables": sorted(tables), "grown": total_gain}


def describe_slip(turn: Turn, group: str) -> dict[str, object]:
    """Word and reference of the slips of a group, as the ledger keeps them."""
    row = Verdict.objects.filter(turn=turn, group=group, slip__isnull=False).select_related("slip").first()
    slip = row.slip if row else None
    return {"word": slip.word if slip else "", "ref": slip.place_text if slip else ""}


def _shown(turn_id: int) -> frozenset[int]:
    clocks = TurnClock.objects.filter(turn=turn_id, shown_at__isnull=False)
    return frozenset(clocks.values_list("room_id", flat=True))


def _why(old: Verdict, new: Judgement) -> str:
    if AVERAGE in (old.reason, new.reason):
        return AVERAGED
    if (old.result, old.reason or None, old.move_score, old.penalty) == _solo_table(new):
        return BONUS
    if (old.result, old.reason or None, old.move_score) == _solo_table(new)[:3]:
        return WARNED if len(old.warnings) != len(new.warnings) or old.penalty != new.penalty else REJUDGED
    if (old.result == "zero") != (new.result == "zero"):
        return COUNTS_NOT if new.result == "zero" else COUNTS
    return REJUDGED


def _solo_table(new: Judgement) -> tuple[str, str | None, int | None, int]:
    return new.result, new.reason, new.move_score, new.penalty


def read_differences(data: Mapping[str, object]) -> list[PointsDifference]:
    """The differences recorded in a ledger entry."""
    rows = data.get("differences")
    return [PointsDifference(*row) for row in rows] if isinstance(rows, list) else []
