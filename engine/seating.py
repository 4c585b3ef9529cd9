"""In what order players take the tables of a hall: as they are listed, by series, or spread, so that nobody sits beside
somebody of his own club.

No federation prints how; the three are our option. Chance is handed in as a number, so the same list gives the same
plan again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Literal

Order = Literal["list", "series", "spread"]
ORDERS: tuple[Order, ...] = ("spread", "series", "list")


@dataclass(frozen=True, slots=True)
class Sitter:
    """Somebody who needs a table: the number of the player in the list, his series and his club, perhaps empty."""

    number: int
    series: str = ""
    club: str = ""


def seating(sitters: Sequence[Sitter], order: Order, seed: int) -> list[Sitter]:
    """These people in the order of the tables.

    `list`: as they are listed. `series`: series by series in the order of their names, who has none last, within a
    series as listed. `spread`: by chance, and no two neighbours of one club as long as there is a way; where there is
    none (a club with more than half of the players) the rest of that club sits together at the end. Who has no club
    may sit anywhere; where there is a choice within a club, neighbours are of different series.
    """
    if order == "list":
        return list(sitters)
    if order == "series":
        return sorted(sitters, key=lambda sitter: (not sitter.series, sitter.series.casefold()))
    return _spread(sitters, Random(seed))  # noqa: S311  who sits where is no secret


def neighbours_of_one_club(sitters: Sequence[Sitter]) -> int:
    """How many pairs of neighbours are of one club."""
    return sum(bool(left.club) and left.club == right.club for left, right in pairwise(sitters))


def _spread(sitters: Sequence[Sitter], chance: Random) -> list[Sitter]:
    """Table after table somebody of another club than the one before, by chance among all who are left; of a club that
    has half of them left somebody has to sit down now, or its members would be alone at the end."""
    shuffled = list(sitters)
    chance.shuffle(shuffled)
    clubs: dict[str, list[Sitter]] = {}
    for sitter in shuffled:
        clubs.setdefault(sitter.club, []).append(sitter)
    seated: list[Sitter] = []
    while clubs:
        before = seated[-1] if seated else None
        club = _next_club(clubs, before.club if before else "", len(shuffled) - len(seated), chance)
        members = clubs[club]
        seated.append(members.pop(_other_series(members, before.series if before else "")))
        if not members:
            del clubs[club]
    return seated


def _next_club(clubs: Mapping[str, Sequence[Sitter]], before: str, left: int, chance: Random) -> str:
    """The club of which somebody takes the next table; "" are all who have none, and may sit beside each other."""
    others = [club for club in clubs if not club or club != before] or list(clubs)
    urgent = next((club for club in others if club and 2 * len(clubs[club]) > left), None)
    if urgent is not None:
        return urgent
    return chance.choices(others, [len(clubs[club]) for club in others])[0]


def _other_series(members: Sequence[Sitter], series: str) -> int:
    """Who of a club sits down: the last one of another series than the neighbour's, if there is one."""
    looked_at = range(len(members) - 1, max(-1, len(members) - 9), -1)
    return next((at for at in looked_at if members[at].series != series), len(members) - 1)
