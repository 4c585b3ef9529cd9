"""Pairs of names that may be two spellings of one person's name, found without comparing every name with every other.

Two names are near when they are equal but for accents, case or the order of surname and first name, when at most two
letters differ, or when one is a part of the other ("A. Rossi", "Anna Rossi", "Anna Maria Rossi"). First names that two
people have in the same list, or that differ only at their ends ("Paolo", "Paola"), are different names and no typos.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache, reduce
from itertools import combinations, product

from tournaments.players.name_folding import fold_text
from tournaments.players.near_names import MOST_DIFFERENT, count_differences

_SHORTEST_PART, _SHORT_PART = 3, 6
"""In a part of a name no letter may differ, from three letters on one, from six on two."""
_LETTERS_OF_AN_EDIT = 2
_MOST_LETTERS = _LETTERS_OF_AN_EDIT * MOST_DIFFERENT
_COMPARISONS_KEPT = 100_000
_MOST_WITH_ONE_WORD = 3
"""A name of one word is a part of at most this many names; otherwise it says too little."""


class Likeness(StrEnum):
    """The way in which two names are near, the surest first."""

    EQUAL = "equal"
    SWAPPED = "swapped"
    TYPO = "typo"
    PART = "part"


@dataclass(frozen=True, slots=True)
class FoldedName:
    """Surname, first name and all words of both, in the form in which names are compared."""

    surname: str
    first_name: str
    words: frozenset[str]


def fold_name(surname: str, first_name: str) -> FoldedName:
    """Return a name in the form in which names are compared: without accents, case, hyphens and full stops."""
    parts = fold_text(surname.replace(".", " ")), fold_text(first_name.replace(".", " "))
    return FoldedName(*parts, frozenset(" ".join(parts).split()))


def find_near_names(names: Mapping[int, FoldedName]) -> dict[tuple[int, int], Likeness]:
    """Return the pairs of keys, the smaller first, whose names are near."""
    finder = _Finder(names)
    found: dict[tuple[int, int], Likeness] = {}
    for one, other in (*finder.pairs(), *finder.parts_of_names()):
        pair = (min(one, other), max(one, other))
        if one != other and pair not in found and (likeness := finder.compare(*pair)) is not None:
            found[pair] = likeness
    return found


class _Finder:
    """Names by their parts and words, so that only names with something in common are compared."""

    def __init__(self, names: Mapping[int, FoldedName]) -> None:
        self._names = names
        self._surnames = _keys_by(names, lambda name: [name.surname])
        self._first_names = _keys_by(names, lambda name: [name.first_name])
        self._words = _keys_by(names, lambda name: name.words)
        self._with_initial = {key for key, name in names.items() if any(len(word) == 1 for word in name.words)}
        self._shared_surnames = {part for part, keys in self._surnames.items() if len(keys) > 1}
        self._shared_first_names = {part for part, keys in self._first_names.items() if len(keys) > 1}

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Pairs in which one part is equal, or both parts differ by a letter; each in both orders of the parts."""
        for index in (self._surnames, self._first_names):
            for part, keys in index.items():
                if part:
                    yield from self._alike(keys)
        for surname, keys in self._surnames.items():
            if surname:
                yield from product(keys, self._first_names.get(surname, ()))
        for one, other in _close_pairs({*self._surnames, *self._first_names} - {""}):
            yield from product(self._surnames.get(one, ()), self._surnames.get(other, ()))
            yield from product(self._surnames.get(one, ()), self._first_names.get(other, ()))
            yield from product(self._first_names.get(one, ()), self._surnames.get(other, ()))

    def _alike(self, keys: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Pairs of keys whose names have nearly the same letters, or an initial: comparing these is worthwhile."""
        listed = [(key, _letters("".join(self._names[key].words)), key in self._with_initial) for key in keys]
        for at, (one, letters, has_initial) in enumerate(listed):
            for other, other_letters, other_has_initial in listed[at + 1 :]:
                if (letters ^ other_letters).bit_count() <= _MOST_LETTERS or has_initial or other_has_initial:
                    yield one, other

    def parts_of_names(self) -> Iterator[tuple[int, int]]:
        """Pairs in which one name has all words of the other, found by its rarest word."""
        for key, name in self._names.items():
            if not name.words:
                continue
            rarest = min((self._words[word] for word in name.words), key=len)
            longer = [other for other in rarest if name.words <= self._names[other].words]
            if len(name.words) > 1 or len(longer) <= 1 + _MOST_WITH_ONE_WORD:
                yield from ((key, other) for other in longer)

    def compare(self, one: int, other: int) -> Likeness | None:
        """Return the way in which two names are near; None for names that are not."""
        name, listed = self._names[one], self._names[other]
        if name.words == listed.words:
            return Likeness.EQUAL if name == listed else Likeness.SWAPPED
        parts = listed.surname, listed.first_name
        if self._is_typo(name, *parts) or self._is_typo(name, *parts[::-1]):
            return Likeness.TYPO
        if one not in self._with_initial and other not in self._with_initial:
            is_part = _is_subset(name.words, listed.words) or _is_subset(listed.words, name.words)
        else:
            is_part = _is_part(name, listed) or _is_part(listed, name)
        return Likeness.PART if is_part else None

    def _is_typo(self, name: FoldedName, surname: str, first_name: str) -> bool:
        surnames = 0 if name.surname == surname else _differences(name.surname, surname)
        if surnames > MOST_DIFFERENT or surnames + _differences(name.first_name, first_name) > MOST_DIFFERENT:
            return False
        if surnames and {name.surname, surname} <= self._shared_surnames:
            return False
        first_names = {name.first_name, first_name}
        return len(first_names) == 1 or not (first_names <= self._shared_first_names or _differ_in_ending(*first_names))


def _keys_by(names: Mapping[int, FoldedName], parts: Callable[[FoldedName], Iterable[str]]) -> dict[str, list[int]]:
    index: dict[str, list[int]] = {}
    for key, name in names.items():
        for part in parts(name):
            index.setdefault(part, []).append(key)
    return index


def _close_pairs(parts: Iterable[str]) -> set[tuple[str, str]]:
    """Return the pairs of parts that differ by a letter, or by two neighbours in the other order. Both become equal by
    leaving out a letter of each."""
    shortened: dict[str, set[str]] = {}
    for part in parts:
        for at in range(len(part)):
            shortened.setdefault(part[:at] + part[at + 1 :], set()).add(part)
        shortened.setdefault(part, set()).add(part)
    pairs = {pair for alike in shortened.values() if len(alike) > 1 for pair in combinations(sorted(alike), 2)}
    return {pair for pair in pairs if _differences(*pair) == 1}


@lru_cache(maxsize=_COMPARISONS_KEPT)
def _differences(one: str, other: str) -> int:
    """Count the letters in which two parts of a name differ; more than `MOST_DIFFERENT` for different parts. Two
    neighbours in the other order are one difference."""
    if one == other:
        return 0
    shorter = min(len(one), len(other))
    most = 0 if shorter < _SHORTEST_PART else 1 if shorter < _SHORT_PART else MOST_DIFFERENT
    if abs(len(one) - len(other)) > most or (_letters(one) ^ _letters(other)).bit_count() > _LETTERS_OF_AN_EDIT * most:
        return MOST_DIFFERENT + 1
    counted = 1 if _is_transposed(one, other) else count_differences(one, other, most)
    return counted if counted <= most else MOST_DIFFERENT + 1


@lru_cache(maxsize=_COMPARISONS_KEPT)
def _letters(part: str) -> int:
    """Return the set of a part's letters as bits: an edit changes at most two of them."""
    return reduce(lambda bits, sign: bits | 1 << ord(sign) % 64, part, 0)


def _is_transposed(one: str, other: str) -> bool:
    at = [place for place, (sign, other_sign) in enumerate(zip(one, other, strict=False)) if sign != other_sign]
    return (
        len(one) == len(other)
        and len(at) == 2
        and at[1] == at[0] + 1
        and (one[at[0]], one[at[1]]) == (other[at[1]], other[at[0]])
    )


def _differ_in_ending(one: str, other: str) -> bool:
    return one[:-1] == other[:-1] or one == other[:-1] or other == one[:-1]


def _is_subset(words: frozenset[str], of: frozenset[str]) -> bool:
    """Return True if there are words and all are among the others; what `_is_part` says of names without initials."""
    return bool(words) and words <= of


def _is_part(name: FoldedName, listed: FoldedName) -> bool:
    """Return True if the words of a name are words of the other, or their initials, and at least one is a whole
    word."""
    rest = name.words - listed.words
    if len(rest) == len(name.words) or any(len(word) > 1 for word in rest):
        return False
    others = listed.words - name.words
    return all(any(word.startswith(initial) for word in others) for initial in rest)
