"""Surname and first name of a person, and the one string that is shown.

A pair shares a slip: its name is "Anna Rossi / Bruno Neri", with blanks around the stroke. Its first name and surname
are written in the same way: "Anna / Bruno", "Rossi / Neri".
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.standings.collation import SortKey, sort_key

_PARTICLES = frozenset(
    {"Da", "Dal", "Dalla", "De", "Degli", "Dei", "Del", "Della", "Dello", "Di", "Du", "El", "La", "Las", "Le", "Les"}
    | {"Li", "Lo", "Los", "San", "Santa", "Van", "Von"}
)

PAIR_SIGN = " / "
PAIR_SIZE = 2


@dataclass(frozen=True, slots=True)
class PersonName:
    """The parts of a name; each may be empty."""

    first_name: str
    surname: str


def full_name(first_name: str, surname: str) -> str:
    """The name as it is shown: "Anna Rossi"."""
    first_names, surnames = pair_names(first_name), pair_names(surname)
    if len(first_names) == len(surnames) == PAIR_SIZE:
        return PAIR_SIGN.join(map(full_name, first_names, surnames))
    return f"{first_name} {surname}".strip()


def pair_names(name: str) -> tuple[str, ...]:
    """The names of both players of a pair; of one person the name alone."""
    names = tuple(part.strip() for part in name.split(PAIR_SIGN))
    return names if len(names) == PAIR_SIZE and all(names) else (name,)


def is_pair(name: str) -> bool:
    """Return True for the name of a pair."""
    return len(pair_names(name)) == PAIR_SIZE


def short_pair_name(name: str) -> str:
    """The name of a pair with initials, "A. Rossi / B. Neri"; the name of one person stays as it is."""
    return PAIR_SIGN.join(_with_initial(split_name(each)) for each in pair_names(name)) if is_pair(name) else name


def _with_initial(parts: PersonName) -> str:
    return f"{parts.first_name[0]}. {parts.surname}" if parts.first_name else parts.surname


def name_parts(name: str, stated_surname: str = "") -> PersonName:
    """The parts of a shown name. `stated_surname` is the surname that a list or a judge gave; without one, `split_name`
    decides."""
    if is_pair(name):
        stated = pair_names(stated_surname) if is_pair(stated_surname) else ("", "")
        parts = list(map(name_parts, pair_names(name), stated))
        first_names = PAIR_SIGN.join(filter(None, (part.first_name for part in parts)))
        return PersonName(first_names, PAIR_SIGN.join(part.surname for part in parts))
    if stated_surname and (name == stated_surname or name.endswith(f" {stated_surname}")):
        return PersonName(name.removesuffix(stated_surname).strip(), stated_surname)
    return split_name(name)


def surname_first(name: str, stated_surname: str = "") -> str:
    """The name as lists by surname write it: "De Luca Anna"."""
    parts = name_parts(name, stated_surname)
    return full_name(parts.surname, parts.first_name)


def split_name(name: str) -> PersonName:
    """The parts of a name of which only one string is known, for sorting. In this order:

    1. "Rossi, Anna": the surname stands before the comma.
    2. "ROSSI Anna", "Anna DE ROSSI": the surname is the part in capitals at one end.
    3. "Anna Rossi", "Maria De Luca": the surname is the last word, with the particles before it that begin with a
       capital.
    """
    before, comma, after = name.partition(",")
    if comma and before.strip() and after.strip():
        return PersonName(after.strip(), before.strip())
    words = name.split()
    capitals = [_is_in_capitals(word) for word in words]
    if any(capitals) and not all(capitals):
        if capitals[0]:
            return _cut(words, capitals.index(False), surname_first=True)
        if capitals[-1]:
            return _cut(words, len(words) - capitals[::-1].index(False))
    at = max(0, len(words) - 1)
    while at > 1 and words[at - 1] in _PARTICLES:
        at -= 1
    return _cut(words, at)


def surname_key(name: str, language: str, stated_surname: str = "") -> tuple[SortKey, SortKey]:
    """The key that sorts people by surname, then by first name, in the alphabetical order of a language."""
    parts = name_parts(name, stated_surname)
    return sort_key(parts.surname, language), sort_key(parts.first_name, language)


def _cut(words: list[str], at: int, *, surname_first: bool = False) -> PersonName:
    head, tail = " ".join(words[:at]), " ".join(words[at:])
    return PersonName(tail, head) if surname_first else PersonName(head, tail)


def _is_in_capitals(word: str) -> bool:
    """Return True for a word of two or more letters that are all capitals; an initial such as "J." is none."""
    letters = [sign for sign in word if sign.isalpha()]
    return len(letters) > 1 and all(sign.isupper() for sign in letters)
