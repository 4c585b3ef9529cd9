"""Members and their duplicates: a record that was merged into another one stands for that member."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tournaments.models import Member, PlayerMember


def get_merged_records() -> dict[int, int]:
    """Return the member that each merged record stands for, over any number of merges."""
    merged: dict[int, int] = dict(
        Member.objects.filter(merged_into__isnull=False).values_list("pk", "merged_into")  # type: ignore[arg-type]
    )
    return {pk: _last(pk, merged) for pk in merged}


def _last(pk: int, merged: Mapping[int, int]) -> int:
    seen = {pk}
    while (following := merged.get(pk)) is not None and following not in seen:
        seen.add(following)
        pk = following
    return pk


def get_records_of(member: Member) -> list[int]:
    """Return the numbers of the member's record and of all records merged into it."""
    return [member.pk, *(pk for pk, root in get_merged_records().items() if root == member.pk)]


def list_players_of(member: Member) -> list[int]:
    """Return the numbers of the players that the member was, by this record or by one merged into it."""
    links = PlayerMember.objects.filter(member__in=get_records_of(member)).order_by("player")
    return list(links.values_list("player", flat=True).distinct())


def get_members_of_players(players: Iterable[int]) -> dict[int, list[int]]:
    """Return the members that each of these players is: one, or two for a pair. Players without a member are left
    out."""
    merged = get_merged_records()
    members: dict[int, list[int]] = {}
    links = PlayerMember.objects.filter(player__in=players).order_by("pk").values_list("player", "member")
    for player, member in links:
        root, known = merged.get(member, member), members.setdefault(player, [])
        if root not in known:
            known.append(root)
    return members
