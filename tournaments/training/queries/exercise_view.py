"""A turn that is played again, as its page shows it: the top only after the try."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from engine.board.board import Board
from tournaments.models import Exercise
from tournaments.play.position import board_before, draw_position_after
from tournaments.training.queries.lost_turns import LostTurn

ExercisePhase = Literal["ready", "running", "judged"]


@dataclass(frozen=True, slots=True)
class ExerciseView:
    """`board` is that before the turn, with the master move on it (`new`: its squares) once the try has ended.
    `deadline` is set while the clock runs."""

    phase: ExercisePhase
    board: Board
    new: frozenset[tuple[int, int]]
    deadline: datetime | None


def view_exercise(lost: LostTurn, exercise: Exercise | None) -> ExerciseView:
    """Return the view of a try. The caller has ended the one whose time is up."""
    before = board_before(lost.turn)
    if exercise is not None and exercise.deadline is not None:
        return ExerciseView("running", before, frozenset(), exercise.deadline)
    if exercise is None or not exercise.result:
        return ExerciseView("ready", before, frozenset(), None)
    after = draw_position_after(lost.turn).board
    size = len(after.rows)
    new = {divmod(at, size) for at, code in enumerate(after.squares) if before.squares[at] != code}
    return ExerciseView("judged", after, frozenset(new), None)
