"""Members who are probably the same person."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tournaments.members.near_members import Likeness, find_near_names, fold_name
from tournaments.members.queries.identities import get_merged_records
from tournaments.models import DistinctMembers, Member, PlayerMember, PlayerResult

_SURE = (Likeness.EQUAL, Likeness.SWAPPED)
_TELLING = ("licence", "birth_year")
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class LikelyDuplicate:
    """Two members who are probably one person; `against` are the fields in which both have different values."""

    first: Member
    second: Member
    likeness: Likeness
    against: Sequence[str]

    @property
    def pair(self) -> Pair:
        """The numbers of both."""
        return self.first.pk, self.second.pk


def list_likely_duplicates() -> list[LikelyDuplicate]:
    """Return the pairs of members whose names are near, the surest first. Left out are pairs that somebody told apart,
    that played in the same event, or whose licence or year of birth differs while the names are only similar."""
    rows = Member.objects.filter(merged_into=None, anonymised_at=None).order_by("pk")
    names = rows.values_list("pk", "surname", "first_name")
    near = find_near_names({pk: fold_name(surname, first_name) for pk, surname, first_name in names})
    for pair in DistinctMembers.objects.values_list("first", "second"):
        near.pop(pair, None)
    members = Member.objects.in_bulk({pk for pair in near for pk in pair})
    found = [_judge(members[one], members[other], likeness) for (one, other), likeness in near.items()]
    likely = [each for each in found if each.likeness in _SURE or not each.against]
    met = _find_pairs_in_one_event({each.pair for each in likely})
    listed = [each for each in likely if len(each.against) < len(_TELLING) and each.pair not in met]
    order = list(Likeness)
    return sorted(listed, key=lambda each: (len(each.against), order.index(each.likeness), each.first.surname))


def _judge(first: Member, second: Member, likeness: Likeness) -> LikelyDuplicate:
    pairs = [(name, getattr(first, name), getattr(second, name)) for name in _TELLING]
    return LikelyDuplicate(
        first, second, likeness, [name for name, one, other in pairs if one and other and one != other]
    )


def _find_pairs_in_one_event(pairs: Collection[Pair]) -> set[Pair]:
    """Return the pairs of members who both played in an event, and therefore are two people."""
    members = {pk for pair in pairs for pk in pair}
    merged = {pk: root for pk, root in get_merged_records().items() if root in members}
    records = members | merged.keys()
    events: dict[int, set[str]] = {}
    links = PlayerMember.objects.filter(member__in=records).values_list("member", "player__event")
    imported = PlayerResult.objects.filter(member__in=records, player=None).values_list("member", "summary")
    for name, rows in (("event", links), ("summary", imported)):
        for record, event in rows:
            events.setdefault(merged.get(record or 0, record or 0), set()).add(f"{name} {event}")
    return {(one, other) for one, other in pairs if events.get(one, set()) & events.get(other, set())}
