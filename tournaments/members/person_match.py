"""Find the members whom a name may mean: certain matches, and near ones that a person decides.

A list is compared with all members at once (`MemberIndex`): 2,000 members and thousands of names take a fraction of a
second, since only names with a similar word and similar letters are compared letter by letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from string import ascii_lowercase

from engine.standings.person_names import name_parts
from tournaments.players.name_folding import fold_text
from tournaments.players.near_names import is_misspelling, is_near

MOST_CANDIDATES = 5
_NUMBER = re.compile(r"\d+")
_MOST_REMEMBERED = 20_000
_MOST_OTHER_LETTERS = 4
"""Names that differ by two letters differ in at most four of the letters that they contain."""


@dataclass(frozen=True, slots=True)
class Person:
    """A person as an event knows them: the folded full name, and folded club and licence, perhaps empty."""

    key: str
    club: str
    licence: str


@dataclass(frozen=True, slots=True)
class MemberRecord:
    """A record of a member; `member` is the member for whom it stands, another one for a merged record."""

    member: int
    person: Person


@dataclass(frozen=True, slots=True)
class Match:
    """The members whom a person may be. `certain` is the one, None if somebody has to decide among `candidates`."""

    certain: int | None = None
    candidates: tuple[int, ...] = ()


def make_person(name: str, *, surname: str = "", club: str = "", licence: str = "") -> Person:
    """Return what is compared. "ROSSI Anna", "Rossi, Anna" and "Anna Rossi" have one key."""
    parts = name_parts(name, surname)
    return Person(fold_text(f"{parts.first_name} {parts.surname}"), fold_text(club), fold_text(licence))


class MemberIndex:
    """All members by licence, by name, and by the words of their names. It remembers what it has matched."""

    def __init__(self, records: Iterable[MemberRecord]) -> None:
        self._records = list(records)
        self._by_licence: dict[str, MemberRecord] = {}
        self._by_name: dict[str, list[MemberRecord]] = {}
        self._by_word: dict[str, list[int]] = {}
        self._names: list[_ComparedName] = []
        self._matches: dict[Person, Match] = {}
        for at, record in enumerate(self._records):
            person = record.person
            if person.licence:
                self._by_licence.setdefault(person.licence, record)
            self._by_name.setdefault(person.key, []).append(record)
            self._names.append(_ComparedName(person.key))
            for word in set(_misspellings(person.key)):
                self._by_word.setdefault(word, []).append(at)

    def match(self, person: Person) -> Match:
        """Match a person of a past event. Certain is the same licence, or the same name and club, of one member."""
        if person not in self._matches:
            if len(self._matches) >= _MOST_REMEMBERED:
                self._matches.clear()
            self._matches[person] = self._find_match(person)
        return self._matches[person]

    def _find_match(self, person: Person) -> Match:
        named = self._named(person)
        licensed = self._licensed(person)
        if licensed is not None and _is_similar(person.key, licensed.person.key):
            return Match(licensed.member)
        same_club = {record.member for record in named if record.person.club == person.club}
        if licensed is None and len(same_club) == 1:
            return Match(same_club.pop())
        found = [*([licensed] if licensed else []), *named, *self._near(person)]
        members = tuple(dict.fromkeys(record.member for record in found))
        is_vague = len(members) > MOST_CANDIDATES and not named
        return Match(None, () if is_vague else members[:MOST_CANDIDATES])

    def match_listed(self, person: Person) -> int | None:
        """Return the one member whose licence or name somebody listed for an event; None if it is not one, or if club
        or licence say that it is somebody else."""
        certain = self.match(person).certain
        named = [record for record in self._named(person) if _may_be_same(record.person.club, person.club)]
        members = {record.member for record in named}
        alone = len(members) == 1 and self._licensed(person) is None
        return certain if certain is not None else members.pop() if alone else None

    def _licensed(self, person: Person) -> MemberRecord | None:
        return self._by_licence.get(person.licence) if person.licence else None

    def _named(self, person: Person) -> list[MemberRecord]:
        """The records of this name, without those whose licence says that it is somebody else."""
        return [
            record
            for record in self._by_name.get(person.key, ())
            if _may_be_same(record.person.licence, person.licence)
        ]

    def _near(self, person: Person) -> Iterator[MemberRecord]:
        name = _ComparedName(person.key)
        found = {at for word in set(_misspellings(person.key)) for at in self._by_word.get(word, ())}
        for at in sorted(found):
            record = self._records[at]
            if record.person.key == person.key or not _may_be_same(record.person.licence, person.licence):
                continue
            if name.is_near(self._names[at]):
                yield record


class _ComparedName:
    """A folded name, prepared for comparison with many others."""

    __slots__ = ("key", "letters", "numbers", "sorted_key", "words")

    def __init__(self, key: str) -> None:
        self.key = key
        self.sorted_key = " ".join(sorted(key.split()))
        self.words = frozenset(key.split())
        self.numbers = _NUMBER.findall(key)
        self.letters = sum(1 << at for at, letter in enumerate(ascii_lowercase) if letter in key)

    def is_near(self, other: _ComparedName) -> bool:
        """Return True when all words of one name are in the other, or one may be the other misspelled."""
        if self.numbers != other.numbers:
            return False
        if self.words <= other.words or other.words <= self.words:
            return True
        if (self.letters ^ other.letters).bit_count() > _MOST_OTHER_LETTERS:
            return False
        return is_misspelling(self.key, other.key) or is_misspelling(self.sorted_key, other.sorted_key)


def _may_be_same(one: str, other: str) -> bool:
    return not one or not other or one == other


def _is_similar(one: str, other: str) -> bool:
    return one == other or is_near(one, other) or is_near(other, one)


def _misspellings(key: str) -> Iterator[str]:
    """The words of a name, and each of them without one of its letters: two spellings with one difference share one."""
    for word in {*key.split(), key.replace(" ", "")}:
        yield word
        yield from (word[:at] + word[at + 1 :] for at in range(len(word)) if len(word) > 1)
