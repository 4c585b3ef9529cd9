"""Identical slips of a turn as the judge decides on them: once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.rules.verdict import judge
from tournaments.models import Turn, Verdict
from tournaments.position import is_blitz, position_of, profile_of
from tournaments.selectors.warned import WarningLine
from tournaments.verdicts import Reader, written

BAD, WARN, OK = "bad", "warn", "ok"
_ORDER = (BAD, WARN, OK)
_BY_WORD = ("not_a_word", "invalid_cross_word")


@dataclass(frozen=True, slots=True)
class Group:
    """Identical slips, decided once. `kind`: "bad" (zero), "warn" (points, but something was wrong), "ok".

    `points` are those of a player without a bonus or warnings of his own, as of the first table; `warned`: whom of them
    the judge warned himself. `stake`: the points that would go to these tables if the word were allowed, else 0.
    `failed`: the word that is not allowed, on which the judge may rule. `received`: in_time, late or several.
    `decided_by`: rule or judge.
    """

    key: str
    word: str
    ref: str
    direction: str
    declared: int | None
    result: str
    points: int
    move_score: int | None
    reason: str
    sentence: str
    kind: str
    received: str
    tables: list[int]
    stake: int
    failed: str
    is_top: bool
    decided_by: str
    decision_reason: str
    warned: list[WarningLine]


class _EveryWord:
    """A list in which everything stands, to see what a word would be worth."""

    def __contains__(self, word: Sequence[int]) -> bool:
        return True


def groups_of(turn: Turn, warned: Sequence[WarningLine] = ()) -> list[Group]:
    """The groups of a judged turn: those that need the judge first, the more is at stake the earlier; then by points.

    Who handed in nothing is in none of them. `warned`: the warnings that the judge gave in this turn.
    """
    rows = Verdict.objects.filter(turn=turn, slip__isnull=False).select_related("slip", "player")
    by_key: dict[str, list[Verdict]] = {}
    for row in rows.order_by("player__table"):
        if not written(row.slip).is_blank:
            by_key.setdefault(row.group, []).append(row)
    reader = Reader(turn.game)
    groups = [_group(turn, reader, key, members, warned) for key, members in by_key.items()]
    return sorted(groups, key=lambda group: (_ORDER.index(group.kind), -group.stake, -group.points, group.word))


def _group(
    turn: Turn, reader: Reader, key: str, members: Sequence[Verdict], warned: Sequence[WarningLine]
) -> Group:
    tables = [row.player.table for row in members]
    warned = [line for line in warned if line.table in tables]
    warned_tables = {line.table for line in warned}
    first = next((row for row in members if row.player.table not in warned_tables), members[0])
    slip = written(first.slip)
    reference = slip.reference(reader.notation)
    return Group(
        key=key,
        word=slip.word,
        ref=slip.ref,
        direction=reference.direction.value if reference else slip.direction or "",
        declared=slip.declared,
        result=first.result,
        points=first.points,
        move_score=first.move_score,
        reason=first.reason,
        sentence=reader.sentence(first),
        kind=_kind(first),
        received=slip.received,
        tables=tables,
        stake=_stake(turn, first) * len(members),
        failed=first.word,
        is_top=first.result != "zero" and first.move_score == turn.top,
        decided_by=first.decided_by,
        decision_reason=first.decision_reason,
        warned=warned,
    )


def _kind(row: Verdict) -> str:
    if row.result == "zero":
        return BAD
    return WARN if row.warnings or row.penalty or row.result == "rescued" or _score_differs(row) else OK


def _score_differs(row: Verdict) -> bool:
    """Whether the player counted wrongly, even where the rules do not mind: he should be told."""
    declared = row.slip.declared if row.slip is not None else None
    return declared is not None and row.move_score is not None and declared != row.move_score


def _stake(turn: Turn, row: Verdict) -> int:
    """What one of these slips would get if every word were allowed; 0 when it fails for another reason."""
    if row.reason not in _BY_WORD:
        return 0
    return judge(
        written(row.slip), position_of(turn), profile_of(turn.game), _EveryWord(), blitz=is_blitz(turn.game)
    ).points
