"""Members as players of an event: chosen at the desk, listed by name, joining by phone, and playing as a pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from engine.standings.person_names import PAIR_SIGN
from tournaments import validators
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.services.events import NewEvent, create_event
from tournaments.members.person_match import make_person
from tournaments.members.person_places import PersonPlace
from tournaments.members.playing_category import is_age_class
from tournaments.members.queries.event_members import find_player_of_member, list_members_of_event
from tournaments.members.queries.identities import get_merged_records
from tournaments.members.queries.member_index import load_member_index
from tournaments.members.queries.unlinked_people import list_appearances
from tournaments.members.services.links import link_places
from tournaments.members.services.member_acts import record_acts
from tournaments.models import Event, Game, Member, MemberAct, Player, PlayerMember, Room
from tournaments.play.services.game_lock import lock_current_game
from tournaments.players.roster_text import NewPlayer
from tournaments.players.services.players import (
    JoinResult,
    PlayerDetails,
    add_players,
    join_event,
    rename_player,
)


@dataclass(frozen=True, slots=True)
class AddedMembers:
    """The number of members who are new players, and of players of the same name who were linked instead."""

    added: int
    linked: int


def as_new_player(member: Member) -> NewPlayer:
    """Return the player that a member is in an event, at the next free table."""
    is_age = is_age_class(member.category)
    return NewPlayer(
        table=None,
        name=member.name,
        surname=member.surname,
        licence=member.licence,
        club=member.club,
        series="" if is_age else member.category,
        age_class=member.category if is_age else "",
        team=member.team,
        country=member.country,
    )


def create_event_with_members(
    request: NewEvent,
    players: Sequence[NewPlayer],
    members: Collection[int],
    *,
    by: User | None,
    now: datetime,
    seed: bytes,
) -> Game:
    """Create an event with these players and members. A listed player who is a member is linked."""
    with transaction.atomic():
        game = create_event(request, players, by=by, now=now, seed=seed)
        link_listed_players(event=game.event, by=by, now=now)
        _add_missing_members(game.event, members, None, by, now)
    return game


def add_members(
    *, event: Event, members: Collection[int], by: User | None, now: datetime, room: Room | None = None
) -> AddedMembers:
    """Add these members to an event. Who is a player already is left out; a player of the same name whom nobody has
    linked is linked instead."""
    with lock_current_game(event):
        done = _add_missing_members(event, members, room, by, now)
    if not done.added and not done.linked:
        raise AlreadyDone(_("These members are players already.") if members else _("Choose members first."))
    return done


def _add_missing_members(
    event: Event, members: Collection[int], room: Room | None, by: User | None, now: datetime
) -> AddedMembers:
    chosen = Member.objects.filter(pk__in=members, merged_into=None, anonymised_at=None)
    chosen = chosen.exclude(pk__in=list_members_of_event(event))
    guests = _guests_by_name(event)
    by_name = {_key(member): member.pk for member in reversed(chosen)}
    links = [(guests[key][0], member) for key, member in by_name.items() if len(guests.get(key, ())) == 1]
    linked = link_places(links, by=by, now=now)
    known = {member for _place, member in links}
    newcomers = [member for member in chosen if member.pk not in known]
    players = [as_new_player(member) for member in newcomers]
    added = add_players(event=event, players=players, now=now, by=by, room=room, namesakes=True)
    places = [PersonPlace(player.pk) for player in added]
    link_places([(at, member.pk) for at, member in zip(places, newcomers, strict=True)], by=by, now=now)
    return AddedMembers(len(added), linked)


def link_listed_players(*, event: Event, by: User | None, now: datetime) -> int:
    """Link the players whom the desk has listed to the members whom they name, by licence or by name; return how many.

    Players who joined by phone are not linked: anybody can type a name there. Several members of a name, near names,
    and names about which a person has decided are left to the review.
    """
    with lock_current_game(event):
        listed = [each for each in list_appearances(event) if not each.self_joined and not each.is_known_guest]
        if not listed:
            return 0
        index = load_member_index()
        found = [(each.place, index.match_listed(each.person)) for each in listed]
        times = Counter(member for _place, member in found)
        links = [(place, member) for place, member in found if member is not None and times[member] == 1]
        return link_places(links, by=by, now=now)


def join_as_member(
    *,
    event: Event,
    member: int,
    now: datetime,
    token: str,
    nickname: str | None = None,
    admit: Callable[[Player | None], None] | None = None,
    room: Room | None = None,
) -> JoinResult:
    """Let a phone join for a member; the player is created when there is none, and linked. The parameters are those of
    `join_event`."""
    with lock_current_game(event) as game:
        if not game.event.members_may_join:
            raise Refused(_("In this event members join as everybody else: choose or type your name."))
        found = Member.objects.filter(pk=get_merged_records().get(member, member), anonymised_at=None).first()
        if found is None:
            raise Refused(_("This member is not on the list any more: type your name."))
        player = find_player_of_member(event, found)
        join = partial(join_event, event=event, now=now, token=token, nickname=nickname, admit=admit, room=room)
        if player is not None:
            return join(name="", table=player.table)
        _require_free_name(event, found)
        joined = join(name=found.name, table=None, newcomer=as_new_player(found))
        link_places([(PersonPlace(joined.player.pk), found.pk)], by=None, now=now)
    return joined


def play_as_pair(*, player: Player, partner: str, by: User | None, now: datetime) -> Player:
    """Let a second person share slip, table and rank of a player; a member of this name is linked."""
    with lock_current_game(player.event):
        name = validators.player_name(partner)
        if player.is_pair:
            raise AlreadyDone(_("%(name)s is a pair already.") % {"name": player.name})
        if PAIR_SIGN in name:
            raise Refused(_("Type the name of one person: a pair has two players."))
        key = make_person(name).key
        same = next((each for each in Player.objects.filter(event=player.event) if key in _keys_of_player(each)), None)
        if same is not None:
            raise Refused(
                _("%(name)s is a player, at table %(table)d: remove that player first.")
                % {"name": same.name, "table": same.table}
            )
        details = PlayerDetails(name=f"{player.name}{PAIR_SIGN}{name}")
        changed = rename_player(player, details, now=now, by=by)
        link_listed_players(event=player.event, by=by, now=now)
    return changed


def split_pair(*, player: Player, by: User | None, now: datetime) -> Player:
    """Let the first player of a pair play alone; the second one leaves slip, table and results."""
    with lock_current_game(player.event):
        if not player.is_pair:
            raise AlreadyDone(_("%(name)s plays alone already.") % {"name": player.name})
        second = PlayerMember.objects.filter(player=player, position=1)
        record_acts([link.member for link in second.select_related("member")], MemberAct.Kind.UNLINKED, by=by, now=now)
        second.delete()
        return rename_player(player, PlayerDetails(name=player.person_names[0]), now=now, by=by)


def _guests_by_name(event: Event) -> dict[str, list[PersonPlace]]:
    """The players of the event without a member, by their names. Those of whom somebody said that they are guests stay
    what they are."""
    guests: dict[str, list[PersonPlace]] = {}
    for each in list_appearances(event):
        if not each.is_known_guest:
            guests.setdefault(each.person.key, []).append(each.place)
    return guests


def _key(member: Member) -> str:
    return make_person(member.name, surname=member.surname).key


def _keys_of_player(player: Player) -> set[str]:
    if player.is_pair:
        return {make_person(name).key for name in player.person_names}
    return {make_person(player.name, surname=player.stated_surname).key}


def _require_free_name(event: Event, member: Member) -> None:
    """Refuse when the player of this name is somebody else, so that no phone gets a namesake's table."""
    key = _key(member)
    taken = [player for player in Player.objects.filter(event=event) if key in _keys_of_player(player)]
    free = {each.place.player for each in list_appearances(event) if not each.is_known_guest}
    if any(player.is_pair or player.pk not in free for player in taken):
        raise Refused(_("Another player of this event has your name: ask the judge to add you."))
