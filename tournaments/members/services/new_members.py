"""Make members of people who played as guests."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from engine.standings.person_names import is_pair, name_parts, pair_names
from tournaments.errors import AlreadyDone
from tournaments.members.person_places import PersonPlace
from tournaments.members.services.links import link_places
from tournaments.members.services.members import MemberDetails, create_member
from tournaments.models import Member, Player, PlayerMember, PlayerResult


@transaction.atomic
def make_member(places: Sequence[PersonPlace], *, by: User | None, now: datetime, is_namesake: bool = False) -> Member:
    """Add a member with the details that the last of these places has, and link all of them. A member of the same name
    raises `NamesakeFound` unless `is_namesake`."""
    member = create_member(details=_details_of(places[-1]), by=by, now=now, is_namesake=is_namesake)
    link_places([(place, member.pk) for place in places], by=by, now=now)
    return member


def _details_of(place: PersonPlace) -> MemberDetails:
    if place.result:
        result = PlayerResult.objects.filter(pk=place.result, member=None).first()
        if result is None:
            raise _linked_error()
        parts = name_parts(result.name)
        return MemberDetails(
            surname=parts.surname, first_name=parts.first_name, club=result.club, licence=result.licence
        )
    player = Player.objects.filter(pk=place.player).first()
    if player is None or place.position >= len(player.person_names) or _is_linked(place):
        raise _linked_error()
    stated = pair_names(player.stated_surname) if is_pair(player.stated_surname) else (player.stated_surname, "")
    parts = name_parts(player.person_names[place.position], stated[place.position])
    return MemberDetails(
        surname=parts.surname,
        first_name=parts.first_name,
        club=player.club,
        licence="" if player.is_pair else player.licence,
        category=player.age_class or player.series,
        team=player.team,
        country=player.country,
    )


def _is_linked(place: PersonPlace) -> bool:
    return PlayerMember.objects.filter(player=place.player, position=place.position).exists()


def _linked_error() -> AlreadyDone:
    return AlreadyDone(_("This person is linked to a member already, or was removed."))
