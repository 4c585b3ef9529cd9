"""Links between players and members, as pages show them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from tournaments.members.person_places import PersonPlace
from tournaments.members.queries.identities import get_merged_records
from tournaments.models import Event, Member, PlayerMember, PlayerResult

MOST_LINKS = 50


@dataclass(frozen=True, slots=True)
class LinkLine:
    """A link: the place, the name there, the member, and the event or imported evening."""

    place: PersonPlace
    name: str
    member: Member
    occasion: str


def get_member_links(event: Event) -> dict[int, list[LinkLine]]:
    """Return the links of an event by player. Three queries."""
    rows = PlayerMember.objects.filter(player__event=event).select_related("player__event").order_by("position", "pk")
    links: dict[int, list[LinkLine]] = {}
    for line in _lines(rows):
        links.setdefault(line.place.player, []).append(line)
    return links


def find_links(question: str) -> list[LinkLine]:
    """Return links whose name, or whose member, contains the question, the newest first."""
    if not question:
        return []
    by_name = Q(player__name__icontains=question)
    by_member = Q(member__surname__icontains=question) | Q(member__first_name__icontains=question)
    rows = PlayerMember.objects.filter(by_name | by_member).select_related("player__event")
    imported = PlayerResult.objects.filter(Q(name__icontains=question) | by_member, summary__event=None)
    imported = imported.filter(member__isnull=False).select_related("summary", "member")
    results = [
        LinkLine(PersonPlace(result=row.pk), row.name, row.member, row.summary.name)
        for row in imported.order_by("-pk")[:MOST_LINKS]
        if row.member is not None
    ]
    return [*_lines(rows.order_by("-pk")[:MOST_LINKS]), *results][:MOST_LINKS]


def label_members(members: Iterable[int]) -> dict[int, str]:
    """Return the text by which a choice shows each member: the name, with club and licence number where known."""
    rows = Member.objects.in_bulk(list(members))
    return {
        pk: " \N{MIDDLE DOT} ".join(filter(None, (member.name, member.club, member.licence)))
        for pk, member in rows.items()
    }


def _lines(rows: Iterable[PlayerMember]) -> list[LinkLine]:
    merged, links = get_merged_records(), list(rows)
    members = Member.objects.in_bulk([merged.get(link.member_id, link.member_id) for link in links])
    return [
        LinkLine(
            place=PersonPlace(link.player_id, link.position),
            name=link.player.person_names[min(link.position, len(link.player.person_names) - 1)],
            member=members[merged.get(link.member_id, link.member_id)],
            occasion=link.player.event.name,
        )
        for link in links
    ]
