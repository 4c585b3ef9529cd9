"""Members by their names, whatever accents, case and order these are written in."""

from __future__ import annotations

from collections.abc import Iterable

from tournaments.members.queries.identities import get_merged_records
from tournaments.models import Member
from tournaments.players.name_folding import fold_text

NameKey = tuple[str, str]


def name_key(surname: str, first_name: str) -> NameKey:
    """Return what two spellings of one name have in common."""
    return fold_text(surname), fold_text(first_name)


def find_namesakes(surname: str, first_name: str, member: Member | None = None) -> list[Member]:
    """Return the members of this name other than `member`, in any order of the two parts."""
    wanted, merged = name_key(surname, first_name), get_merged_records()
    rows = Member.objects.filter(anonymised_at=None).values_list("pk", "surname", "first_name")
    found = {merged.get(pk, pk) for pk, *parts in rows if name_key(*parts) in (wanted, wanted[::-1])}
    own = merged.get(member.pk, member.pk) if member else 0
    return list(Member.objects.filter(pk__in=found - {own}))


def tell_namesakes_apart(members: Iterable[int]) -> dict[int, str]:
    """Return what stands in small print beside the names that several of these members have: the club, or the licence
    number where the clubs are equal too."""
    rows = Member.objects.filter(pk__in=members).values_list("pk", "surname", "first_name", "club", "licence")
    by_name: dict[str, list[tuple[int, str, str]]] = {}
    for pk, surname, first_name, club, licence in rows:
        by_name.setdefault(f"{first_name} {surname}".casefold(), []).append((pk, club, licence))
    apart: dict[int, str] = {}
    for namesakes in (each for each in by_name.values() if len(each) > 1):
        clubs = [club.casefold() for _pk, club, _licence in namesakes]
        for pk, club, licence in namesakes:
            apart[pk] = licence or club if clubs.count(club.casefold()) > 1 else club or licence
    return apart
