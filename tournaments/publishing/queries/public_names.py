"""Names on the club's website: members who agreed, and guests of events whose public page is on."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from tournaments.members.queries.identities import get_members_of_players, get_merged_records
from tournaments.models import Event, Member, Player, PlayerMember, PlayerResult
from tournaments.players.name_folding import fold_text

FoldedName = frozenset[str]


@dataclass(frozen=True, slots=True)
class ShownPlayer:
    """Public name and club of a player; both are empty for one who is not named."""

    name: str = ""
    club: str = ""


UNNAMED = ShownPlayer()


def list_published_members() -> list[Member]:
    """Return the members who agreed to appear in public."""
    return [member for member in Member.objects.filter(merged_into=None) if is_named(member)]


def list_members_with_results() -> set[int]:
    """Return the numbers of the members who have a stored result, in an event or in an imported one."""
    linked = PlayerMember.objects.filter(player__result__isnull=False).values_list("member", flat=True)
    imported = PlayerResult.objects.filter(player=None, member__isnull=False).values_list("member", flat=True)
    merged = get_merged_records()
    return {merged.get(pk, pk) for pk in (*linked, *imported) if pk is not None}


def is_named(member: Member) -> bool:
    """Tell if a member may be named in public."""
    return member.may_be_published and member.merged_into_id is None and member.anonymised_at is None


def public_name(member: Member) -> str:
    """Return the name of a member who agreed, the pseudonym of an anonymised one, "" for others."""
    return member.name if is_named(member) or member.anonymised_at is not None else ""


def list_unnamed_people() -> frozenset[FoldedName]:
    """Return the names of the members who have not agreed, so that a player who is not linked to one is not named."""
    members = Member.objects.in_bulk()
    merged = get_merged_records()
    people = [member for pk, member in members.items() if not is_named(members.get(merged.get(pk, pk), member))]
    return frozenset(_folded(member.name) for member in people if member.anonymised_at is None)


def public_names_in(event: Event, unnamed: Container[FoldedName], *, with_guests: bool) -> dict[int, ShownPlayer]:
    """Return name and club of each player of an event, by table, as they may be shown.

    A pair is named if both have agreed. `with_guests` names players who are no members, except those with the name of
    somebody in `unnamed`. Where the names of the event were removed, its pseudonyms stand for them.
    """
    players = list(Player.objects.filter(event=event))
    links = get_members_of_players(player.pk for player in players)
    members = Member.objects.in_bulk({pk for pks in links.values() for pk in pks})
    return {
        player.table: _show(
            player,
            [members[pk] for pk in links.get(player.pk, [])],
            with_guests and _folded(player.name) not in unnamed and _folded(player.nickname) not in unnamed,
        )
        for player in players
    }


def _show(player: Player, members: Sequence[Member], is_known_guest: bool) -> ShownPlayer:
    if any(member.anonymised_at is not None for member in members):
        return ShownPlayer(" · ".join(filter(None, map(public_name, members))))
    if all(map(is_named, members)) if members else is_known_guest:
        return ShownPlayer(player.shown_name, player.club)
    return UNNAMED


def _folded(name: str) -> FoldedName:
    """Return the words of a name without accents and order."""
    return frozenset(fold_text(name).split())
