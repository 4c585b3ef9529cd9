"""An earlier evening that was played without this program: its results as a file tells them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class EarlierGame:
    """A player's part in one game of an evening; `rank` is None if the player missed it or was disqualified.

    `started_at` is the start of the game's first turn, empty if unknown.
    """

    number: int
    points: int
    tops: int
    rank: int | None
    presence: str
    started_at: str = ""


@dataclass(frozen=True, slots=True)
class EarlierResult:
    """Result of a player. `rank` is None for a disqualified one; what a spreadsheet does not tell is 0 or empty."""

    name: str
    points: int
    rank: int | None
    licence: str = ""
    club: str = ""
    surname: str = ""
    solos: int = 0
    tops_found: int = 0
    best_word: str = ""
    best_points: int = 0
    games: Sequence[EarlierGame] = ()


@dataclass(frozen=True, slots=True)
class EarlierEvening:
    """An evening of a file. `date` is None if the file does not tell it; `tops` is the sum of tops, 0 if unknown.

    `source` is the name of the file.
    """

    name: str
    date: date | None
    source: str
    results: Sequence[EarlierResult]
    tops: int = 0
    turns: int = 0
    games: int = 1

    @property
    def first(self) -> Sequence[EarlierResult]:
        """The players at the first place."""
        return [result for result in self.results if result.rank == 1]


def rank_by_points(points: Iterable[int]) -> list[int]:
    """Return the rank of each of these players; equal points share one."""
    listed = list(points)
    return [1 + sum(other > each for other in listed) for each in listed]
