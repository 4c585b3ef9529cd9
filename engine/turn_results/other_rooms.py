"""Scores of a turn in other rooms, as far as the verdicts of one room depend on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class OtherRooms:
    """`scores`: how many of them scored so much on the board, penalties and bonuses aside (0: a zero, or nothing);
    `points`: the sum of what they got, without bonuses and before any average."""

    scores: Mapping[int, int] = field(default_factory=dict)
    points: int = 0

    @property
    def players(self) -> int:
        """The number of players in the other rooms."""
        return sum(self.scores.values())


NO_OTHER_ROOMS = OtherRooms()
"""There is no other room."""
