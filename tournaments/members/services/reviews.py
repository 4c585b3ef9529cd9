"""Answers of the review: certain matches at once, uncertain ones as a person decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.errors import AlreadyDone, Refused
from tournaments.members.queries.reviews import get_review
from tournaments.members.queries.unlinked_people import UnlinkedPerson
from tournaments.members.services.links import forget_guests, link_places, mark_guests
from tournaments.members.services.new_members import make_member
from tournaments.models import Event

GUEST, NEW_MEMBER = "guest", "new"


@dataclass(frozen=True, slots=True)
class ReviewResult:
    """The number of people who were linked, who are guests, and who are new members."""

    linked: int = 0
    guests: int = 0
    new: int = 0


@transaction.atomic
def link_certain(*, shown: str, by: User | None, now: datetime) -> int:
    """Link all certain matches; return the number of people. Refused when they are others than those `shown`."""
    review = get_review()
    if not review.certain:
        raise AlreadyDone(_("These matches are linked already."))
    if review.digest != shown:
        raise Refused(_("The certain matches have changed in the meantime: look at them and confirm again."))
    link_places(
        [(place, person.match.certain or 0) for person in review.certain for place in person.places], by=by, now=now
    )
    return len(review.certain)


@transaction.atomic
def store_answers(
    *, answers: Mapping[str, str], by: User | None, now: datetime, event: Event | None = None
) -> ReviewResult:
    """Store answers by the key of the person: the number of a member, `GUEST` or `NEW_MEMBER`. An empty answer, or one
    about somebody who is linked by now, is left out. With `event` the people are those of one event."""
    people = _find_people(answers, event)
    chosen = [(person, answers[person.key]) for person in people]
    links = [(person, int(answer)) for person, answer in chosen if _is_candidate(person, answer)]
    guests = [person for person, answer in chosen if answer == GUEST]
    new = [person for person, answer in chosen if answer == NEW_MEMBER]
    link_places([(place, member) for person, member in links for place in person.places], by=by, now=now)
    mark_guests(place for person in guests for place in person.places)
    for person in new:
        make_member(person.places, by=by, now=now, is_namesake=True)
    return ReviewResult(len(links), len(guests), len(new))


@transaction.atomic
def make_members(*, keys: Sequence[str], by: User | None, now: datetime) -> int:
    """Make members of these people; return how many. Refused with the name of the first who cannot be one."""
    people = _find_people(dict.fromkeys(keys, NEW_MEMBER))
    if not people:
        raise AlreadyDone(_("These people are linked to members already."))
    for person in people:
        make_member(person.places, by=by, now=now)
    return len(people)


@transaction.atomic
def ask_again(*, keys: Sequence[str]) -> int:
    """Forget that these people are guests; return how many."""
    people = [person for person in _find_people(dict.fromkeys(keys, "")) if person.is_known_guest]
    forget_guests(place for person in people for place in person.places)
    return len(people)


def _find_people(answers: Mapping[str, str], event: Event | None = None) -> list[UnlinkedPerson]:
    return [person for person in get_review(event).everybody if person.key in answers]


def _is_candidate(person: UnlinkedPerson, answer: str) -> bool:
    return answer in {str(member) for member in (person.match.certain, *person.match.candidates)}
