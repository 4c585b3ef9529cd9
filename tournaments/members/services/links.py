"""Link people in results to members, separate them again, and remember who is a guest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.errors import AlreadyDone
from tournaments.members.person_places import PersonPlace
from tournaments.members.queries.identities import get_merged_records
from tournaments.members.services.member_acts import record_acts
from tournaments.models import KnownGuest, Member, MemberAct, Player, PlayerMember, PlayerResult

Link = tuple[PersonPlace, int]
"""A place and the member who it is."""


@transaction.atomic
def link_places(links: Sequence[Link], *, by: User | None, now: datetime) -> int:
    """Link these places. A place that is linked already is left, and so is one in an event in which the member has
    another line. Return the number of new links."""
    new = list(_list_possible(links))
    PlayerMember.objects.bulk_create(
        PlayerMember(player_id=place.player, member_id=member, position=place.position)
        for place, member in new
        if place.player
    )
    for place, member in new:
        if place.result:
            PlayerResult.objects.filter(pk=place.result).update(member=member)
    forget_guests(place for place, _member in new)
    members = Member.objects.filter(pk__in={member for _place, member in new})
    record_acts(members, MemberAct.Kind.LINKED, by=by, now=now)
    return len(new)


@transaction.atomic
def mark_guests(places: Iterable[PersonPlace]) -> None:
    """Remember that these people are guests: the review asks no more."""
    KnownGuest.objects.bulk_create(
        (
            KnownGuest(player_id=place.player or None, position=place.position, result_id=place.result or None)
            for place in places
        ),
        ignore_conflicts=True,
    )


@transaction.atomic
def forget_guests(places: Iterable[PersonPlace]) -> None:
    """Forget these decisions: the review asks again."""
    wanted = {(place.player or None, place.position, place.result or None) for place in places}
    stored = KnownGuest.objects.values_list("pk", "player", "position", "result")
    KnownGuest.objects.filter(pk__in=[pk for pk, *place in stored if tuple(place) in wanted]).delete()


@transaction.atomic
def unlink_place(place: PersonPlace, *, by: User | None, now: datetime) -> Member:
    """Take a link away; the person is a guest. Return the member who was linked."""
    if place.result:
        result = PlayerResult.objects.filter(pk=place.result, member__isnull=False).select_related("member").first()
        member = result.member if result else None
        PlayerResult.objects.filter(pk=place.result).update(member=None)
    else:
        link = PlayerMember.objects.filter(player=place.player, position=place.position).select_related("member")
        found = link.first()
        member = found.member if found else None
        link.delete()
    if member is None:
        raise AlreadyDone(_("This is linked to no member any more."))
    mark_guests([place])
    record_acts([member], MemberAct.Kind.UNLINKED, by=by, now=now)
    return member


def _list_possible(links: Sequence[Link]) -> Iterable[Link]:
    """The links that can be made, each place and each member of an event once."""
    players = dict(Player.objects.filter(pk__in={place.player for place, _member in links}).values_list("pk", "event"))
    results = dict(
        PlayerResult.objects.filter(pk__in={place.result for place, _member in links}, member=None).values_list(
            "pk", "summary"
        )
    )
    merged = get_merged_records()
    stored = PlayerMember.objects.filter(player__event__in=set(players.values()))
    taken = {
        ("event", event, merged.get(member, member)) for event, member in stored.values_list("player__event", "member")
    }
    imported = PlayerResult.objects.filter(summary__in=set(results.values()), member__isnull=False)
    for summary, known in imported.values_list("summary", "member"):
        taken.add(("summary", summary, merged.get(known or 0, known or 0)))
    done = set(stored.values_list("player", "position"))
    for place, member in links:
        key = _line(place, member, players, results)
        name = (place.player, place.position)
        if key is None or key in taken or (place.player and name in done):
            continue
        taken.add(key)
        done.add(name)
        yield place, member


def _line(
    place: PersonPlace, member: int, players: dict[int, int], results: dict[int, int]
) -> tuple[str, int, int] | None:
    """Key of which there is one: a member in an event. None for a place that does not exist, or is linked."""
    if place.player in players:
        return "event", players[place.player], member
    return ("summary", results[place.result], member) if place.result in results else None
