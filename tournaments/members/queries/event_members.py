"""Members and the players of an event: who is there, who was there last time, and whom a phone finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Max, Q
from django.utils.translation import get_language

from engine.standings.collation import sort_key
from engine.standings.person_names import full_name
from tournaments.members.queries.identities import get_merged_records, get_records_of
from tournaments.members.queries.namesakes import name_key
from tournaments.models import Event, Member, Player, PlayerMember
from tournaments.players.name_folding import fold_text
from tournaments.players.near_names import is_near

LEAST_SEARCHED = 2
MOST_FOUND = 8
MOST_NEAR = 4
MOST_OFFERED = 200


@dataclass(frozen=True, slots=True)
class MemberChoice:
    """A member who may be chosen. `club` is followed by the licence number, or else the year of birth, if somebody else
    in the list has the same name."""

    pk: int
    surname: str
    first_name: str
    club: str
    is_ticked: bool

    @property
    def name(self) -> str:
        """First name and surname."""
        return full_name(self.first_name, self.surname)

    @property
    def listed_name(self) -> str:
        """The name in a list by surname."""
        return full_name(self.surname, self.first_name)

    @property
    def search_text(self) -> str:
        """The text in which a search finds the member: name and club without accents."""
        return fold_text(f"{self.name} {self.club}")


def list_members_of_event(event: Event) -> set[int]:
    """Return the members who are players of an event."""
    merged = get_merged_records()
    links = PlayerMember.objects.filter(player__event=event).values_list("member", flat=True)
    return {merged.get(member, member) for member in links}


def find_player_of_member(event: Event, member: Member) -> Player | None:
    """Return the player of an event who is this member."""
    return Player.objects.filter(event=event, member_links__member__in=get_records_of(member)).first()


def get_member_name(member: int) -> str:
    """Return the name of a member; empty if there is none of this number."""
    found = Member.objects.filter(pk=member, anonymised_at=None).first()
    return found.name if found is not None else ""


def list_member_choices(event: Event | None, ticked: Collection[int] = ()) -> list[MemberChoice]:
    """Return the members who are not players of the event yet, by surname; those who have left only if ticked."""
    there = list_members_of_event(event) if event is not None else set()
    members = Member.objects.filter(merged_into=None, anonymised_at=None).exclude(pk__in=there)
    rows = members.filter(Q(left_on=None) | Q(pk__in=ticked)).values_list(
        "pk", "surname", "first_name", "club", "licence", "birth_year"
    )
    names = Counter(name_key(surname, first_name) for _pk, surname, first_name, *_rest in rows)
    choices = [
        MemberChoice(
            pk,
            surname,
            first_name,
            _tell_apart(club, licence, birth_year) if names[name_key(surname, first_name)] > 1 else club,
            pk in ticked,
        )
        for pk, surname, first_name, club, licence, birth_year in rows
    ]
    language = get_language() or ""
    return sorted(choices, key=lambda each: (sort_key(each.surname, language), sort_key(each.first_name, language)))


@dataclass(frozen=True, slots=True)
class OfferedMembers:
    """A part of the members who may be ticked, by surname; `found` is the number of all who match the search."""

    choices: Sequence[MemberChoice]
    found: int

    @property
    def is_complete(self) -> bool:
        """Return True if nobody who matches is left out."""
        return self.found <= MOST_OFFERED


def offer_members(event: Event | None, ticked: Collection[int], question: str) -> OfferedMembers:
    """Return the ticked members and at most `MOST_OFFERED` others who match: those who played last."""
    asked = fold_text(question).split()
    listed = list_member_choices(event, ticked)
    found = [each for each in listed if not each.is_ticked and all(part in each.search_text for part in asked)]
    offered = {each.pk for each in found}
    if len(found) > MOST_OFFERED:
        days = dict(
            Member.objects.filter(pk__in=PlayerMember.objects.values("member"))
            .annotate(last=Max("player_links__player__event__date"))
            .values_list("pk", "last")
        )
        found.sort(key=lambda each: days[each.pk].toordinal() if each.pk in days else 0, reverse=True)
        offered = {each.pk for each in found[:MOST_OFFERED]}
    return OfferedMembers([each for each in listed if each.is_ticked or each.pk in offered], len(found))


def list_members_of_last_event(event: Event | None) -> tuple[Event | None, set[int]]:
    """Return the latest event before this one, or of all, that has members as players, and these members."""
    earlier = Event.objects.filter(is_rehearsal=False, players__member_links__isnull=False)
    if event is not None:
        earlier = earlier.filter(date__lte=event.date).exclude(pk=event.pk)
    last = earlier.order_by("-date", "-pk").first()
    return last, list_members_of_event(last) if last is not None else set()


def search_members(event: Event, question: str) -> list[MemberChoice]:
    """Return the members of whose names each part of the question begins a word, and who are not players yet.

    Nobody without `LEAST_SEARCHED` letters: a phone cannot list the members of the club.
    """
    asked = fold_text(question).split()
    if len("".join(asked)) < LEAST_SEARCHED:
        return []
    found = [
        choice
        for choice in list_member_choices(event)
        if all(any(word.startswith(part) for word in fold_text(choice.name).split()) for part in asked)
    ]
    return found[:MOST_FOUND]


def find_near_members(event: Event, typed: str) -> list[MemberChoice]:
    """Return the members who are not players yet and whose name is the typed one, or near it."""
    return [choice for choice in list_member_choices(event) if is_near(typed, choice.name)][:MOST_NEAR]


def _tell_apart(club: str, licence: str, birth_year: int | None) -> str:
    return ", ".join(filter(None, (club, licence or str(birth_year or ""))))
