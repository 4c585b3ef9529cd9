"""The member whose private page has a certain address."""

from __future__ import annotations

from engine.standings.person_names import PAIR_SIGN
from tournaments.members.queries.identities import get_merged_records
from tournaments.models import Member, PlayerMember


def find_member_by_token(token: str) -> Member | None:
    """Return the member of a private page; None if there is none, or if the member was anonymised.

    The address of a record that was merged leads to the member it stands for.
    """
    record = Member.objects.filter(page_token=token).first()
    if record is None:
        return None
    root = get_merged_records().get(record.pk, record.pk)
    return Member.objects.filter(pk=root, anonymised_at=None).first()


def list_page_tokens(event: int) -> dict[int, str]:
    """Return the secret part of the private address by table, for players of an event who are one member.

    A pair has none: two people share a sheet, and each would get the other's address.
    """
    merged = get_merged_records()
    members: dict[int, set[int]] = {}
    links = PlayerMember.objects.filter(player__event=event).exclude(player__name__contains=PAIR_SIGN)
    for table, member in links.values_list("player__table", "member"):
        members.setdefault(table, set()).add(merged.get(member, member))
    alone = {table: next(iter(each)) for table, each in members.items() if len(each) == 1}
    tokens = dict(Member.objects.filter(pk__in=alone.values(), anonymised_at=None).values_list("pk", "page_token"))
    return {table: tokens[member] for table, member in alone.items() if member in tokens}
