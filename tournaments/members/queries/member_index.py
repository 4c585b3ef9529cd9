"""The index of all members by which names of events are matched."""

from __future__ import annotations

from functools import lru_cache

from tournaments.members.person_match import MemberIndex, MemberRecord, make_person
from tournaments.members.queries.identities import get_merged_records
from tournaments.models import Member


def load_member_index() -> MemberIndex:
    """Load all members who have a name, with the names and licences of merged records. Two queries."""
    merged = get_merged_records()
    rows = Member.objects.filter(anonymised_at=None).values_list("pk", "first_name", "surname", "club", "licence")
    records = (
        MemberRecord(
            merged.get(pk, pk), make_person(f"{first} {surname}".strip(), surname=surname, club=club, licence=licence)
        )
        for pk, first, surname, club, licence in rows.order_by("pk")
    )
    return _make_index(tuple(records))


@lru_cache(maxsize=2)
def _make_index(records: tuple[MemberRecord, ...]) -> MemberIndex:
    """The index of these members, kept until one of them changes."""
    return MemberIndex(records)
