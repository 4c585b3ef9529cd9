"""Verdicts between the engine and the database, and their sentences."""

from __future__ import annotations

from django.utils.translation import gettext as _

from engine.coords import Direction, parse_reference
from engine.move import Move
from engine.rules.sentences import sentence
from engine.rules.slip import Received
from engine.rules.slip import Slip as WrittenSlip
from engine.rules.verdict import Result
from engine.rules.verdict import Verdict as Judgement
from tournaments.enums import SlipSource
from tournaments.models import Game, Slip, Verdict
from tournaments.position import edition_of, profile_of

NO_SLIP = WrittenSlip("", "", None)


def written(slip: Slip | None) -> WrittenSlip:
    """The stored slip as the engine judges it; an empty one for who handed in nothing."""
    if slip is None:
        return NO_SLIP
    received: Received = "in_time"
    if not slip.in_time:
        received = "late"
    elif slip.several and slip.source == SlipSource.PAPER:
        received = "several"
    return WrittenSlip(
        word=slip.word,
        ref=slip.ref,
        declared=slip.declared,
        direction=Direction(slip.direction) if slip.direction else None,
        hook=slip.hook,
        received=received,
    )


class Reader:
    """Reads the stored verdicts of one game."""

    def __init__(self, game: Game) -> None:
        self.edition = edition_of(game)
        self.notation = profile_of(game).notation

    def judgement(self, row: Verdict) -> Judgement:
        """The verdict as the engine gave it, the move included."""
        result: Result = "zero" if row.result == "zero" else "rescued" if row.result == "rescued" else "valid"
        return Judgement(
            result=result,
            reason=row.reason or None,
            points=row.points,
            move_score=row.move_score,
            warnings=tuple(row.warnings),
            penalty=row.penalty,
            bonus=row.bonus,
            word=row.word or None,
            rule=row.rule or None,
            move=self._move(row),
            details=row.details,
        )

    def sentence(self, row: Verdict) -> str:
        """What the verdict says, in the active language."""
        return sentence(self.judgement(row), _)

    def _move(self, row: Verdict) -> Move | None:
        if not row.move_word or row.move_score is None:
            return None
        reference = parse_reference(row.move_ref, self.notation)
        return Move(reference, self.edition.parse_word(row.move_word), row.move_score)
