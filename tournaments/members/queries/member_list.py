"""The list of members: search without accents, filters, sorting by surname."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from engine.standings.collation import sort_key
from tournaments.models import Member
from tournaments.players.name_folding import fold_text

CURRENT, LEFT, EVERYBODY = "current", "left", "all"
STATES = (CURRENT, LEFT, EVERYBODY)


@dataclass(frozen=True, slots=True)
class MemberFilter:
    """The members to list: those in whose name, club, team or licence number all words of `words` occur. Empty texts
    filter nothing."""

    words: str = ""
    club: str = ""
    category: str = ""
    state: str = CURRENT


@dataclass(frozen=True, slots=True)
class MemberList:
    """The numbers of the members found, in the order of surnames, and what the page tells about all members."""

    found: Sequence[int]
    current: int
    left: int
    clubs: Sequence[str]
    categories: Sequence[str]


class _Row(NamedTuple):
    pk: int
    surname: str
    first_name: str
    club: str
    team: str
    licence: str
    category: str
    left_on: date | None
    is_anonymous: bool

    def has_left(self, today: date) -> bool:
        return self.is_anonymous or (self.left_on is not None and self.left_on <= today)


def list_members(chosen: MemberFilter, *, language: str, today: date) -> MemberList:
    """Find members. One query for all, since databases neither fold accents nor sort by a language."""
    names = [name for name in _Row._fields if name != "is_anonymous"]
    values = Member.objects.filter(merged_into=None).order_by().values_list(*names, "anonymised_at")
    rows = [_Row._make((*row[:-1], row[-1] is not None)) for row in values]
    left = {row.pk for row in rows if row.has_left(today)}
    found = [row for row in rows if _is_chosen(row, chosen, has_left=row.pk in left)]
    found.sort(key=lambda row: (sort_key(row.surname, language), sort_key(row.first_name, language), row.pk))
    return MemberList(
        found=[row.pk for row in found],
        current=len(rows) - len(left),
        left=len(left),
        clubs=sorted({row.club for row in rows} - {""}, key=lambda club: sort_key(club, language)),
        categories=sorted({row.category for row in rows} - {""}, key=lambda category: sort_key(category, language)),
    )


def get_members(numbers: Sequence[int]) -> list[Member]:
    """Return these members in this order."""
    members = Member.objects.in_bulk(numbers)
    return [members[pk] for pk in numbers if pk in members]


def _is_chosen(row: _Row, chosen: MemberFilter, *, has_left: bool) -> bool:
    if chosen.state in (CURRENT, LEFT) and has_left != (chosen.state == LEFT):
        return False
    if (chosen.club and row.club != chosen.club) or (chosen.category and row.category != chosen.category):
        return False
    if not chosen.words:
        return True
    texts = fold_text(" ".join((row.first_name, row.surname, row.licence, row.club, row.team)))
    return all(word in texts for word in fold_text(chosen.words).split())
