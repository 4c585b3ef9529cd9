"""A game as ratings see it: the members who played it from the first turn to the last, without handicap points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MemberScore:
    """Rank and points of a member in a game, both without handicap points. `rank` is that among all players."""

    rank: int
    points: int


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A finished game with the scores of its members by number.

    `date` (of the event, ISO 8601), `started` (the start of the first turn, ISO 8601 in UTC, empty if unknown), the
    `name` of the event and the `number` in it (0 if unknown) give its place in the order of all games. `tops` is the
    sum of tops. Guests, pairs, and players who came late, left early or were disqualified are not in it.
    """

    date: str
    started: str
    name: str
    tops: int
    scores: Mapping[int, MemberScore]
    number: int = 0

    @property
    def place_in_order(self) -> tuple[object, ...]:
        """Key by which games are sorted; the same on every machine."""
        scores = sorted((member, score.rank, score.points) for member, score in self.scores.items())
        return self.date, self.started, self.name, self.number, self.tops, scores


def sort_games(games: Iterable[RatedGame]) -> list[RatedGame]:
    """Return the games in the order in which they are rated."""
    return sorted(games, key=lambda game: game.place_in_order)
