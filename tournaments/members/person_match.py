"""Find the members whom a name may mean: certain matches, and near ones that a person decides.

A list is compared with all members at once (`MemberIndex`): 2,000 members and thousands of names take a fraction of a
second, since only names with a similar word and similar letters are compared letter by letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from string import ascii_lowercase

from engine.standings.person_names import name_parts
from tournaments.players.name_folding import fold_text
from tournaments.players.near_names import is_near

MOST_CANDIDATES = 5
_MOST_OTHER_LETTERS = 4
"""Names that differ by two letters differ in at most four of the letters that they contain."""


@dataclass(frozen=True, slots=True)
class Person:
    """What an event knows about somebody: the folded full name, and folded club and licence, perhaps empty."""

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
    """All members by licence, by name, and by the words of their names."""

    def __init__(self, records: Iterable[MemberRecord]) -> None:
        self._records = list(records)
        self._by_licence: dict[str, MemberRecord] = {}
        self._by_name: dict[str, list[MemberRecord]] = {}
        self._by_word: dict[str, list[int]] = {}
        self._letters: list[int] = []
        for at, record in enumerate(self._records):
            person = record.person
            if person.licence:
                self._by_licence.setdefault(person.licence, record)
            self._by_name.setdefault(person.key, []).append(record)
            self._letters.append(_letters_of(person.key))
            for word in set(_misspellings(person.key)):
                self._by_word.setdefault(word, []).append(at)

    def match(self, person: Person) -> Match:
        """Match a person of a past event. Certain is the same licence, or the same name and club, of one member."""
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
        letters = _letters_of(person.key)
        words = set(person.key.split())
        found = {at for word in set(_misspellings(person.key)) for at in self._by_word.get(word, ())}
        for at in sorted(found):
            record = self._records[at]
            key = record.person.key
            if key == person.key or not _may_be_same(record.person.licence, person.licence):
                continue
            if _have_same_words(words, set(key.split())) or (
                (letters ^ self._letters[at]).bit_count() <= _MOST_OTHER_LETTERS and is_near(person.key, key)
            ):
                yield record


def _may_be_same(one: str, other: str) -> bool:
    return not one or not other or one == other


def _is_similar(one: str, other: str) -> bool:
    return one == other or is_near(one, other) or is_near(other, one)


def _have_same_words(one: set[str], other: set[str]) -> bool:
    """Return True when all words of one name are in the other."""
    return bool(one) and bool(other) and (one <= other or other <= one)


def _misspellings(key: str) -> Iterator[str]:
    """The words of a name, and each of them without one of its letters: two spellings with one difference share one."""
    for word in {*key.split(), key.replace(" ", "")}:
        yield word
        yield from (word[:at] + word[at + 1 :] for at in range(len(word)) if len(word) > 1)


def _letters_of(key: str) -> int:
    """One bit for each letter that a name contains."""
    return sum(1 << at for at, letter in enumerate(ascii_lowercase) if letter in key)
