"""The review of people who played and are linked to no member."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from engine.canonical_json import canonical_json
from tournaments.members.queries.unlinked_people import UnlinkedPerson, list_unlinked_people
from tournaments.models import Event


@dataclass(slots=True)
class Review:
    """The people without a member: `certain` matches, `questions` with several or near members, `guests` whose name is
    near no member, and `decided` guests. Each person is in one of the lists."""

    certain: list[UnlinkedPerson] = field(default_factory=list)
    questions: list[UnlinkedPerson] = field(default_factory=list)
    guests: list[UnlinkedPerson] = field(default_factory=list)
    decided: list[UnlinkedPerson] = field(default_factory=list)

    @property
    def everybody(self) -> list[UnlinkedPerson]:
        """All people of the review."""
        return [*self.certain, *self.questions, *self.guests, *self.decided]

    @property
    def certain_results(self) -> int:
        """The number of results that the certain matches have."""
        return sum(len(person.places) for person in self.certain)

    @property
    def digest(self) -> str:
        """A text that is the same for the same certain matches."""
        links = sorted([place.text, person.match.certain or 0] for person in self.certain for place in person.places)
        return hashlib.sha256(canonical_json(links)).hexdigest()[:32]


def get_review(event: Event | None = None) -> Review:
    """Return the review of all events and imported evenings, or of one event."""
    review = Review()
    for person in list_unlinked_people(event):
        if person.is_known_guest:
            review.decided.append(person)
        elif person.match.certain is not None:
            review.certain.append(person)
        elif person.match.candidates:
            review.questions.append(person)
        else:
            review.guests.append(person)
    return review
