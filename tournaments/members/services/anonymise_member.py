"""Remove a member's name: results stay in seasons and rankings under a pseudonym, and nothing identifies the person.

The category stays too, so that rankings by category do not change. It cannot be undone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from engine.standings.person_names import PAIR_SIGN, full_name, surname_first
from tournaments.enums import GameState
from tournaments.errors import AlreadyDone, Refused
from tournaments.members.member_fields import MEMBER_FIELDS, MemberDetails
from tournaments.members.models import new_page_token
from tournaments.members.queries.identities import get_records_of
from tournaments.members.queries.namesakes import name_key
from tournaments.members.services.member_acts import record_acts
from tournaments.models import Event, Game, Member, MemberAct, Player, PlayerResult, ResultMail, WebhookDelivery
from tournaments.players.name_folding import fold_text
from tournaments.players.services.anonymise import anonymise_player

_KEPT = "category"


@dataclass(frozen=True, slots=True)
class MemberAnonymisation:
    """Effects of anonymising a member: the events in which a player loses the name, the number of imported results that
    do, the merged records, and the events that must end first. `unlinked` are events in which somebody of the same name
    is not linked to the member and keeps the name."""

    events: Sequence[Event]
    running: Sequence[Event]
    imported: int
    records: int
    unlinked: Sequence[str]


def preview_member_anonymisation(member: Member) -> MemberAnonymisation:
    """Tell the effects of anonymising this member without changing anything."""
    records = get_records_of(member)
    players = _named_players(records)
    events = {player.event_id: player.event for player in players}
    running = set(Game.objects.filter(event__in=events, state=GameState.RUNNING).values_list("event", flat=True))
    return MemberAnonymisation(
        events=[event for pk, event in events.items() if pk not in running],
        running=[event for pk, event in events.items() if pk in running],
        imported=PlayerResult.objects.filter(member__in=records).exclude(name="", licence="").count(),
        records=len(records),
        unlinked=_list_unlinked_places(records),
    )


@transaction.atomic
def anonymise_member(*, member: Member, by: User | None, now: datetime) -> None:
    """Remove the name of a member and of all merged records, from the events and imported results of that person too.

    Refused while a game of one of these events is going on.
    """
    member = Member.objects.select_for_update().get(pk=member.pk)
    _require_can_anonymise(member)
    records = list(Member.objects.select_for_update().filter(pk__in=get_records_of(member)))
    players = _named_players([record.pk for record in records])
    names = _names_of(records)
    for player in players:
        _require_finished(player.event)
        anonymise_player(player=player, person=_name_in_pair(player, names), by=by, now=now)
    _delete_deliveries({player.event_id for player in players}, {*names, *(player.name for player in players)})
    results = PlayerResult.objects.filter(member__in=records)
    results.update(name="", licence="", club="")
    mails = ResultMail.objects.filter(member__in=records)
    mails.filter(sent_at=None).delete()
    mails.update(error="")
    for record in records:
        _remove_details(record, member, now)
    record_acts(records, MemberAct.Kind.ANONYMISED, by=by, now=now)


def _require_can_anonymise(member: Member) -> None:
    if member.anonymised_at is not None:
        raise AlreadyDone(_("This member was anonymised already."))
    if member.merged_into_id is not None:
        raise Refused(_("This record was merged into another one: anonymise that member."))


def _require_finished(event: Event) -> None:
    if Game.objects.filter(event=event, state=GameState.RUNNING).exists():
        raise Refused(
            _("A game of “%(event)s” is going on: end it first, then anonymise the member.") % {"event": event}
        )


def _named_players(records: Iterable[int]) -> list[Player]:
    """Return the players of these records in events whose names were not removed yet."""
    players = Player.objects.filter(member_links__member__in=records, event__forgotten_at=None).distinct()
    return list(players.select_related("event").order_by("event__date", "event", "table"))


def _names_of(records: Iterable[Member]) -> set[str]:
    names = {full_name(record.first_name, record.surname) for record in records}
    return names | {surname_first(full_name(each.first_name, each.surname), each.surname) for each in records}


def _name_in_pair(player: Player, names: Iterable[str]) -> str:
    """Return the name of this person in the name of a pair; empty when the whole name goes."""
    people = player.name.split(PAIR_SIGN)
    wanted = {frozenset(fold_text(name).split()) for name in names}
    found = [person for person in people if frozenset(fold_text(person).split()) in wanted]
    return found[0] if len(people) > 1 and len(found) == 1 else ""


def _delete_deliveries(events: Iterable[int], names: Iterable[str]) -> None:
    """Delete messages to other programs that hold one of the names."""
    for delivery in WebhookDelivery.objects.filter(event__in=events):
        body = json.dumps(delivery.body, ensure_ascii=False)
        if any(name in body for name in names):
            delivery.delete()


def _remove_details(record: Member, member: Member, now: datetime) -> None:
    nothing = MemberDetails()
    for name in MEMBER_FIELDS:
        if name != _KEPT:
            setattr(record, name, getattr(nothing, name))
    record.surname = _("Member %(number)d") % {"number": member.pk}
    record.page_token, record.anonymised_at, record.given_fields = new_page_token(), now, []
    record.save()


def _list_unlinked_places(records: Iterable[int]) -> list[str]:
    """Return the events in which a player or an imported result has the name of the member without a link to one."""
    keys = {name_key(record.surname, record.first_name) for record in Member.objects.filter(pk__in=records)}
    words = {frozenset(" ".join(key).split()) for key in keys}
    players = Player.objects.filter(member_links=None, event__forgotten_at=None).values_list("name", "event__name")
    results = PlayerResult.objects.filter(member=None, player=None).values_list("name", "summary__name")
    places = [place for name, place in (*players, *results) if frozenset(fold_text(name).split()) in words]
    return list(dict.fromkeys(places))
