"""The questions of the review as forms: one line a person, with the members who may be meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.members.queries.linked_players import label_members
from tournaments.members.queries.unlinked_people import UnlinkedPerson
from tournaments.members.services.reviews import GUEST, NEW_MEMBER, ReviewResult

_ANSWER = "answer-"


@dataclass(frozen=True, slots=True)
class PersonQuestion:
    """A person and the possible answers, each with its text."""

    person: UnlinkedPerson
    choices: Sequence[tuple[str, str]]

    @property
    def field(self) -> str:
        """The name of the form field."""
        return f"{_ANSWER}{self.person.key}"


def list_questions(people: Iterable[UnlinkedPerson]) -> list[PersonQuestion]:
    """Return a question for each person. One query."""
    asked = list(people)
    named = {person.key: _candidates(person) for person in asked}
    labels = label_members({member for members in named.values() for member in members})
    return [
        PersonQuestion(
            person,
            [
                *((str(member), labels[member]) for member in named[person.key] if member in labels),
                (GUEST, _("Guest")),
                (NEW_MEMBER, _("New member")),
            ],
        )
        for person in asked
    ]


def read_answers(post: QueryDict) -> dict[str, str]:
    """Return the answers by the key of the person, without empty ones."""
    answers = {name.removeprefix(_ANSWER): post.get(name, "") for name in post if name.startswith(_ANSWER)}
    return {key: answer for key, answer in answers.items() if answer}


def tell_result(done: ReviewResult) -> str:
    """Return the sentence that says what was stored."""
    told = [
        (done.linked, ngettext("%(n)d person is linked.", "%(n)d people are linked.", done.linked)),
        (done.new, ngettext("%(n)d new member.", "%(n)d new members.", done.new)),
        (done.guests, ngettext("%(n)d person stays a guest.", "%(n)d people stay guests.", done.guests)),
    ]
    return " ".join(text % {"n": n} for n, text in told if n) or _("Nothing was chosen.")


def _candidates(person: UnlinkedPerson) -> Sequence[int]:
    match = person.match
    return match.candidates if match.certain is None else (match.certain,)
