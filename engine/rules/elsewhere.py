"""What the players of other rooms had in a turn, as far as the verdicts of a room hang on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """`scores`: how many of them scored so much on the board, penalties and bonuses aside (0: a zero, or nothing);
    `points`: the sum of what they got, without bonuses and before any average."""

    scores: Mapping[int, int] = field(default_factory=dict)
    points: int = 0

    @property
    def players(self) -> int:
        """How many they are."""
        return sum(self.scores.values())


NOWHERE = Elsewhere()
"""There is no other room."""
