"""People in results who are linked to no member: the same name, club and licence number is one person.

The names of events that were removed are not read, and neither are rehearsals.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date

from django.db.models import Q

from engine.standings.person_names import PAIR_SIGN, is_pair, pair_names
from tournaments.members.person_match import Match, Person, make_person
from tournaments.members.person_places import PersonPlace
from tournaments.members.queries.identities import get_merged_records
from tournaments.members.queries.member_index import load_member_index
from tournaments.models import Event, KnownGuest, Player, PlayerMember, PlayerResult

_Decision = tuple[int | None, int, int | None]
Occasion = tuple[str, int]
"""An event ("event", its key), or an imported evening ("summary", its key)."""


@dataclass(slots=True)
class UnlinkedPerson:
    """A person with all places, and the name in the last one, which is the newest. `is_known_guest`: somebody decided
    that this is no member."""

    name: str
    club: str
    licence: str
    places: list[PersonPlace] = field(default_factory=list)
    occasions: list[Occasion] = field(default_factory=list)
    last: date = date.min
    match: Match = field(default_factory=Match)
    is_known_guest: bool = False

    @property
    def key(self) -> str:
        """The text by which forms name the person."""
        return self.places[0].text


@dataclass(frozen=True, slots=True)
class Appearance:
    """A name in an event or an imported evening, linked to no member."""

    place: PersonPlace
    occasion: Occasion
    day: date
    name: str
    surname: str
    club: str
    licence: str
    is_known_guest: bool
    self_joined: bool = False

    @property
    def person(self) -> Person:
        """The facts that are compared with members."""
        return make_person(self.name, surname=self.surname, club=self.club, licence=self.licence)


def list_unlinked_people(event: Event | None = None) -> list[UnlinkedPerson]:
    """Return the unlinked people of all events, or of one, each with the members who may be meant; the most frequent
    first. The number of queries is fixed."""
    people = _group(sorted(list_appearances(event), key=lambda each: (each.day, each.place)))
    if not people:
        return []
    index, present = load_member_index(), _list_present_members()
    for (person, _copy), found in people.items():
        found.match = _without_present(index.match(person), found, present, is_alone=(person, 1) not in people)
    return sorted(people.values(), key=lambda found: (-len(found.places), found.name))


def _group(appearances: Iterable[Appearance]) -> dict[tuple[Person, int], UnlinkedPerson]:
    """The people by what is known about them. Two of one name in the same event are two people."""
    decided: set[tuple[Person, int]] = set()
    people: dict[tuple[Person, int], UnlinkedPerson] = {}
    met: dict[tuple[Person, Occasion], int] = {}
    for each in appearances:
        person = each.person
        copy = met[person, each.occasion] = met.get((person, each.occasion), -1) + 1
        if each.is_known_guest:
            decided.add((person, copy))
        found = people.setdefault((person, copy), UnlinkedPerson(each.name, each.club, each.licence))
        found.places.append(each.place)
        found.occasions.append(each.occasion)
        found.name, found.last = each.name, each.day
    for key in decided:
        people[key].is_known_guest = True
    return people


def _without_present(
    match: Match, person: UnlinkedPerson, present: dict[Occasion, set[int]], *, is_alone: bool
) -> Match:
    """The match, not certain when the member has another line in one of these events, or the person has a namesake
    there."""
    if match.certain is None:
        return match
    if is_alone and all(match.certain not in present.get(occasion, ()) for occasion in person.occasions):
        return match
    return Match(None, (match.certain, *match.candidates))


def _list_present_members() -> dict[Occasion, set[int]]:
    """The members of each event and each imported evening."""
    merged = get_merged_records()
    present: dict[Occasion, set[int]] = {}
    for event, member in PlayerMember.objects.order_by().values_list("player__event", "member"):
        present.setdefault(("event", event), set()).add(merged.get(member, member))
    imported = PlayerResult.objects.filter(summary__event=None, member__isnull=False).order_by()
    for summary, imported_member in imported.values_list("summary", "member"):
        member = imported_member or 0
        present.setdefault(("summary", summary), set()).add(merged.get(member, member))
    return present


def list_appearances(event: Event | None) -> Iterator[Appearance]:
    """Yield the unlinked names of all events and imported evenings, or of one event, in no order."""
    guests: set[_Decision] = set(KnownGuest.objects.values_list("player", "position", "result"))
    yield from _list_players(event, guests)
    if event is None:
        rows = PlayerResult.objects.filter(summary__event=None, player=None, member=None).exclude(name="").order_by()
        for pk, name, club, licence, summary, day in rows.values_list(
            "pk", "name", "club", "licence", "summary", "summary__date"
        ):
            is_guest = (None, 0, pk) in guests
            yield Appearance(PersonPlace(result=pk), ("summary", summary), day, name, "", club, licence, is_guest)


def _list_players(event: Event | None, guests: Container[_Decision]) -> Iterator[Appearance]:
    """Each name of a player that has no link."""
    players = Player.objects.filter(Q(member_links=None) | Q(name__contains=PAIR_SIGN)).order_by()
    players = players.filter(event__is_rehearsal=False, event__forgotten_at=None)
    linked = PlayerMember.objects.filter(player__name__contains=PAIR_SIGN).order_by()
    if event is not None:
        players, linked = players.filter(event=event), linked.filter(player__event=event)
    known = set(linked.values_list("player", "position"))
    rows = players.distinct().values_list(
        "pk", "name", "stated_surname", "club", "licence", "event", "event__date", "self_joined"
    )
    for pk, name, surname, club, licence, key, day, self_joined in rows:
        surnames = pair_names(surname) if is_pair(surname) else (surname, "")
        for position, each in enumerate(pair_names(name)):
            if (pk, position) in known:
                continue
            own = "" if is_pair(name) else licence
            yield Appearance(
                place=PersonPlace(pk, position),
                occasion=("event", key),
                day=day,
                name=each,
                surname=surnames[position],
                club=club,
                licence=own,
                is_known_guest=(pk, position, None) in guests,
                self_joined=self_joined,
            )
