"""Names on the club's website: members who agreed, and guests of events whose public page is on."""

from __future__ import annotations

from collections.abc import Iterable

from tournaments.members.queries.identities import get_members_of_players
from tournaments.models import Event, Member, Player

UNNAMED = ""


def list_published_members() -> list[Member]:
    """Return the members who agreed to appear in public."""
    return [member for member in Member.objects.filter(merged_into=None) if is_named(member)]


def is_named(member: Member) -> bool:
    """Tell if a member may be named in public."""
    return member.may_be_published and member.merged_into_id is None and member.anonymised_at is None


def public_name(member: Member) -> str:
    """Return the name of a member who agreed, the pseudonym of an anonymised one, "" for others."""
    return member.name if is_named(member) or member.anonymised_at is not None else UNNAMED


def public_names_in(event: Event, *, with_guests: bool) -> dict[int, str]:
    """Return the public name of each player of an event by table; "" for those who are not named.

    A pair is named if both have agreed. `with_guests` names players who are no members. Where the names of the event
    were removed, its pseudonyms stand for them.
    """
    players = list(Player.objects.filter(event=event))
    links = get_members_of_players(player.pk for player in players)
    members = Member.objects.in_bulk({pk for pks in links.values() for pk in pks})
    return {
        player.table: _name_of(player, [members[pk] for pk in links.get(player.pk, [])], with_guests)
        for player in players
    }


def _name_of(player: Player, members: Iterable[Member], with_guests: bool) -> str:
    own = list(members)
    if not own:
        return player.shown_name if with_guests else UNNAMED
    if any(member.anonymised_at is not None for member in own):
        return " · ".join(filter(None, map(public_name, own)))
    return player.shown_name if all(map(is_named, own)) else UNNAMED
