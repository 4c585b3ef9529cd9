"""Duplicates of members: found by near names, left out where something speaks against them."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random

import pytest

from tests.tournaments.club_game import ClubGame
from tournaments.members.near_members import Likeness, find_near_names, fold_name
from tournaments.members.queries.duplicates import list_likely_duplicates
from tournaments.members.services.members import MemberDetails, create_member
from tournaments.members.services.merging import mark_distinct, merge_members
from tournaments.models import Member, PlayerMember

NOW = datetime(2026, 3, 6, 20, 30, tzinfo=UTC)


def likeness(one: tuple[str, str], other: tuple[str, str], *rest: tuple[str, str]) -> Likeness | None:
    """The likeness of the first two of these names (surname, first name)."""
    names = {number: fold_name(*name) for number, name in enumerate((one, other, *rest))}
    return find_near_names(names).get((0, 1))


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        (("Müller", "José"), ("MULLER", "Jose"), Likeness.EQUAL),
        (("D’Angelo", "Anna-Maria"), ("Dangelo", "Anna Maria"), Likeness.EQUAL),
        (("Rossi", "Anna"), ("Anna", "Rossi"), Likeness.SWAPPED),
        (("De Luca", "Maria"), ("Maria De", "Luca"), Likeness.SWAPPED),
        (("Rossi", "Giovanni"), ("Rosi", "Giovanni"), Likeness.TYPO),
        (("Rossi", "Giovanni"), ("Rosi", "Giovani"), Likeness.TYPO),
        (("Rossi", "Giovanni"), ("Rossi", "Gioavnni"), Likeness.TYPO),
        (("Castellani", "Anna"), ("Castelan", "Anna"), Likeness.TYPO),
        (("Giovanni", "Rossi"), ("Rossi", "Giovani"), Likeness.TYPO),
        (("Rossi", "Anna"), ("Rossi", "Anna Maria"), Likeness.PART),
        (("Rossi", "A."), ("Rossi", "Anna"), Likeness.PART),
        (("Rossi", ""), ("Rossi", "Anna"), Likeness.PART),
        (("Rossi", "Luca"), ("Rossi", "Pietro"), None),
        (("Rossi", "Paolo"), ("Rossi", "Paola"), None),
        (("Rossi", "Daniel"), ("Rossi", "Daniele"), None),
        (("Rossi", "Anna"), ("Verdi", "Anna"), None),
        (("Rossi", "Anna"), ("Verdi", "A."), None),
        (("Rossi", "B."), ("Rossi", "Anna"), None),
        (("Li", "Bo"), ("Lu", "Bo"), None),
    ],
)
def test_names_are_near_or_not(one: tuple[str, str], other: tuple[str, str], found: Likeness | None) -> None:
    assert likeness(one, other) == found
    assert likeness(other, one) == found


def test_names_that_others_have_too_are_no_typos() -> None:
    brothers = ("Rossi", "Marco"), ("Rossi", "Mario")
    others = [("Verdi", "Marco"), ("Neri", "Mario")]
    assert likeness(*brothers) == Likeness.TYPO
    assert likeness(*brothers, *others) is None


def test_every_near_pair_of_many_names_is_found_and_no_other() -> None:
    random = Random(17)  # noqa: S311
    names, planted = {}, set()
    for number in range(0, 400, 2):
        surname, first_name = _letters(random, 9), _letters(random, 7)
        names[number] = fold_name(surname, first_name)
        shortened = _without_a_letter(random, surname), _without_a_letter(random, first_name)
        variants = [(first_name, surname), (surname, shortened[1]), (shortened[0], first_name), shortened]
        names[number + 1] = fold_name(*random.choice([*variants, variants[2][::-1], (surname, first_name[0])]))
        planted.add((number, number + 1))
    assert find_near_names(names).keys() == planted


def _letters(random: Random, length: int) -> str:
    return "".join(random.choices("abcdefghilmnopqrstuvz", k=length))


def _without_a_letter(random: Random, text: str) -> str:
    at = random.randrange(len(text) // 2)
    return text[:at] + text[at + 1 :]


@pytest.mark.django_db
class TestMembers:
    def add(self, surname: str, first_name: str, **details: object) -> Member:
        described = MemberDetails(surname=surname, first_name=first_name, **details)  # type: ignore[arg-type]
        return create_member(details=described, by=None, now=NOW, is_namesake=True)

    def pairs(self) -> list[tuple[str, str, Likeness, list[str]]]:
        return [
            (each.first.name, each.second.name, each.likeness, list(each.against)) for each in list_likely_duplicates()
        ]

    def test_different_licences_and_birth_years_speak_against(self) -> None:
        self.add("Rossi", "Giovanni", licence="1", birth_year=1950)
        self.add("Rossi", "Giovanni", licence="2", birth_year=1950)
        self.add("Rossi", "Giovani", licence="3")
        self.add("Rossi", "Giovanni", licence="4", birth_year=1951)
        assert self.pairs() == [("Giovanni Rossi", "Giovanni Rossi", Likeness.EQUAL, ["licence"])]

    def test_members_told_apart_or_merged_or_met_in_one_event_are_not_proposed(self, club_game: ClubGame) -> None:
        one, other, third = (self.add("Rossi", name) for name in ("Giovanni", "GIOVANNI", "Gìovanni"))
        assert len(self.pairs()) == 3
        mark_distinct(first=one, second=other, by=None, now=NOW)
        PlayerMember.objects.create(member=one, player=club_game.player(1))
        PlayerMember.objects.create(member=third, player=club_game.player(2))
        assert [(first, second) for first, second, *_rest in self.pairs()] == [("GIOVANNI Rossi", "Gìovanni Rossi")]
        merge_members(kept=other, duplicate=third, by=None, now=NOW)
        assert self.pairs() == []
