"""Identical slips of a turn as the judge decides on them: once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from engine.rules.verdict import judge
from tournaments.judgements import BY_RULE
from tournaments.models import Entry, Room, Turn, Verdict, players_in
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


def groups_of(turn: Turn, warned: Sequence[WarningLine] = (), room: Room | None = None) -> list[Group]:
    """The groups of a judged turn: those that need the judge first, the more is at stake the earlier; then by points.

    Of the players of a room, of all when None; who handed in nothing is in none of them. `warned`: the warnings that
    the judge gave in this turn.
    """
    rows = Verdict.objects.filter(turn=turn, slip__isnull=False)
    if room is not None:
        rows = rows.filter(player__in=players_in(turn.game, room))
    by_key: dict[str, dict[int, int]] = {}
    for key, table, verdict in rows.order_by("player__table").values_list("group", "player__table", "pk"):
        by_key.setdefault(key, {})[table] = verdict
    # Slips of a group say the same, so one of each is read, however many there are.
    chosen = {key: _example(members, {line.table for line in warned}) for key, members in by_key.items()}
    examples, reader = rows.select_related("slip").in_bulk(list(chosen.values())), Reader(turn.game)
    groups = [
        _group(turn, reader, key, examples[chosen[key]], list(members), warned)
        for key, members in by_key.items()
        if not written(examples[chosen[key]].slip).is_blank
    ]
    return sorted(groups, key=lambda group: (_ORDER.index(group.kind), -group.stake, -group.points, group.word))


def is_anything_doubtful(turn: Turn, room: Room) -> bool:
    """Whether somebody of a room got nothing for a word that the list does not have, and no judge has looked at it:
    neither decided on it, nor seen the same slip in a room that was shown the turn already."""
    shown = {"room__clocks__turn": turn, "room__clocks__shown_at__isnull": False}
    seen = Entry.objects.filter(game=turn.game, **shown).values("player")
    by_rule = Verdict.objects.filter(turn=turn, decided_by=BY_RULE, reason__in=_BY_WORD)
    elsewhere = Verdict.objects.filter(turn=turn, player__in=seen).values("group")
    return by_rule.filter(player__in=players_in(turn.game, room)).exclude(group__in=elsewhere).exists()


def _example(members: Mapping[int, int], warned_tables: Collection[int]) -> int:
    """The verdict of the first table that the judge has not warned, else of the first."""
    alone = (verdict for table, verdict in members.items() if table not in warned_tables)
    return next(alone, next(iter(members.values())))


def _group(
    turn: Turn, reader: Reader, key: str, first: Verdict, tables: list[int], warned: Sequence[WarningLine]
) -> Group:
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
        stake=_stake(turn, first) * len(tables),
        failed=first.word,
        is_top=first.result != "zero" and first.move_score == turn.top,
        decided_by=first.decided_by,
        decision_reason=first.decision_reason,
        warned=[line for line in warned if line.table in tables],
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
