"""Members by their names, whatever accents, case and order these are written in."""

from __future__ import annotations

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
