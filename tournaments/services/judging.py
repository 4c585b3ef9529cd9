"""Judging a turn: every player's verdict, from slips and rulings alone, written anew as a whole."""

from __future__ import annotations

from django.db import transaction

from tournaments.enums import ClockState
from tournaments.judgements import BY_JUDGE, BY_RULE, Derived, Judged, counting_slips, derive, facts_of, group_of
from tournaments.models import Turn, TurnClock, Verdict
from tournaments.position import edition_of, profile_of

__all__ = ["counting_slips", "forget_verdicts", "group_of", "judge_turn", "write_verdicts"]

_AT_ONCE = 500


def judge_turn(*, turn: Turn) -> None:
    """Write all verdicts of a turn anew: one for each player with a place in it, identical slips judged once.

    The caller has locked the game. Derived from the slips, the words ruled on up to this turn and the judge's
    decisions; warnings and faults are counted through the game, so turns after it that are closed follow.
    """
    with transaction.atomic():
        write_verdicts(turn=turn, derived=derive(facts_of(turn)))
        for later in _closed_after(turn):
            write_verdicts(turn=later, derived=derive(facts_of(later)))


def write_verdicts(*, turn: Turn, derived: Derived) -> None:
    """Store these verdicts in the place of those that the turn had; the caller has locked the game."""
    Verdict.objects.filter(turn=turn).delete()
    Verdict.objects.bulk_create(_rows(turn, derived), batch_size=_AT_ONCE)
    turn.solo = derived.solo
    Turn.objects.filter(pk=turn.pk).update(solo=turn.solo)


def forget_verdicts(*, turn: Turn) -> None:
    """Take the verdicts of a turn back that is being played again; the caller has locked the game."""
    Verdict.objects.filter(turn=turn).delete()
    Turn.objects.filter(pk=turn.pk).update(solo=None)


def _closed_after(turn: Turn) -> list[Turn]:
    """A slip of a turn that is on the board may come in late, from a phone that was away."""
    clocks = TurnClock.objects.filter(turn__game=turn.game, turn__number__gt=turn.number, state=ClockState.CLOSED)
    later = list(Turn.objects.filter(pk__in=clocks.values("turn")).order_by("number"))
    for each in later:
        each.game = turn.game
    return later


def _rows(turn: Turn, derived: Derived) -> list[Verdict]:
    edition, notation = edition_of(turn.game), profile_of(turn.game).notation
    rows: dict[int, tuple[str, str]] = {}

    def move_of(one: Judged) -> tuple[str, str]:
        """Word and place of a move, read once for all who made it: identical slips share the verdict's move."""
        move = one.judgement.move
        if move is None:
            return "", ""
        if id(move) not in rows:
            rows[id(move)] = move.word_text(edition), move.reference_text(notation)
        return rows[id(move)]

    return [_row(turn, one, *move_of(one)) for one in derived.judged]


def _row(turn: Turn, one: Judged, move_word: str, move_ref: str) -> Verdict:
    judgement = one.judgement
    return Verdict(
        turn=turn,
        player_id=one.player_id,
        slip=one.slip,
        group=one.group,
        result=judgement.result,
        reason=judgement.reason or "",
        points=judgement.points,
        move_score=judgement.move_score,
        warnings=list(judgement.warnings),
        penalty=judgement.penalty,
        bonus=judgement.bonus,
        word=judgement.word or "",
        rule=judgement.rule or "",
        details=dict(judgement.details),
        move_word=move_word,
        move_ref=move_ref,
        decided_by=BY_RULE if one.decision is None else BY_JUDGE,
        decision_reason="" if one.decision is None else one.decision.reason,
    )
