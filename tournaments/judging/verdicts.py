"""Conversion of slips and verdicts between the database and the engine."""

from __future__ import annotations

from django.utils.translation import gettext as _

from engine.board.coordinates import parse_reference
from engine.board.move import Move
from engine.judging.verdict import Result
from engine.judging.verdict import Verdict as Judgement
from engine.judging.verdict_text import explain_verdict, verdict_sentence
from engine.slips.slip import Received
from engine.slips.slip import Slip as WrittenSlip
from tournaments.enums import SlipSource
from tournaments.models import Game, Slip, Verdict
from tournaments.play.position import edition_of, profile_of

EMPTY_SLIP = WrittenSlip("", "", None)


def to_written_slip(slip: Slip | None) -> WrittenSlip:
    """The stored slip as the engine judges it; `EMPTY_SLIP` when nothing was handed in."""
    if slip is None:
        return EMPTY_SLIP
    received: Received = "in_time"
    if not slip.in_time:
        received = "delayed" if slip.sent_in_time else "late"
    elif slip.several and slip.source == SlipSource.PAPER:
        received = "several"
    return slip.content.to_slip(received)


class VerdictReader:
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
        """The verdict as a sentence in the active language."""
        return verdict_sentence(self.judgement(row), _)

    def explanation(self, row: Verdict) -> tuple[str, str]:
        """Return the sentences of the verdict and the source of its rule, in the active language."""
        return explain_verdict(self.judgement(row), _)

    def _move(self, row: Verdict) -> Move | None:
        if not row.move_word or row.move_score is None:
            return None
        reference = parse_reference(row.move_ref, self.notation)
        return Move(reference, self.edition.parse_word(row.move_word), row.move_score)
