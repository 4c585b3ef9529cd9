"""Seating order: as listed, by series, or spread, so that no two neighbours are of the same club.

No federation has a rule for this; the three orders are our option. The random seed is a parameter, so the same list
and seed give the same plan.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

Order = Literal["list", "series", "spread"]
ORDERS: tuple[Order, ...] = ("spread", "series", "list")


@dataclass(frozen=True, slots=True)
class SeatedPlayer:
    """Player who needs a table: their number in the list, series and club, both possibly empty."""

    number: int
    series: str = ""
    club: str = ""


def seat_players(sitters: Sequence[SeatedPlayer], order: Order, seed: int) -> list[SeatedPlayer]:
    """Return the players in the order of the tables.

    `list`: as listed. `series`: by name of the series, players without one last, within a series as listed. `spread`:
    random, with no two neighbours of one club if possible; if not (a club with more than half of the players), the rest
    of that club sits together at the end. Players without a club may sit anywhere. Among members of the same club, a
    player of another series than the neighbour's is preferred.
    """
    if order == "list":
        return list(sitters)
    if order == "series":
        return sorted(sitters, key=lambda sitter: (not sitter.series, sitter.series.casefold()))
    return _spread(sitters, Random(seed))  # noqa: S311  the seating plan is not secret


def _spread(sitters: Sequence[SeatedPlayer], chance: Random) -> list[SeatedPlayer]:
    """Fill table after table with a random player of another club than the previous one.

    If a club has more than half of the remaining players, one of them is taken, because its members would otherwise be
    left over at the end.
    """
    shuffled = list(sitters)
    chance.shuffle(shuffled)
    clubs: dict[str, list[SeatedPlayer]] = {}
    for sitter in shuffled:
        clubs.setdefault(sitter.club, []).append(sitter)
    seated: list[SeatedPlayer] = []
    while clubs:
        before = seated[-1] if seated else None
        club = _next_club(clubs, before.club if before else "", len(shuffled) - len(seated), chance)
        members = clubs[club]
        seated.append(members.pop(_find_other_series(members, before.series if before else "")))
        if not members:
            del clubs[club]
    return seated


def _next_club(clubs: Mapping[str, Sequence[SeatedPlayer]], before: str, left: int, chance: Random) -> str:
    """Choose the club of the next table; "" stands for the players without a club, who may sit side by side."""
    others = [club for club in clubs if not club or club != before] or list(clubs)
    urgent = next((club for club in others if club and 2 * len(clubs[club]) > left), None)
    if urgent is not None:
        return urgent
    return chance.choices(others, [len(clubs[club]) for club in others])[0]


def _find_other_series(members: Sequence[SeatedPlayer], series: str) -> int:
    """Return the index of the last member of another series than the neighbour's, else of the last member."""
    looked_at = range(len(members) - 1, max(-1, len(members) - 9), -1)
    return next((at for at in looked_at if members[at].series != series), len(members) - 1)
