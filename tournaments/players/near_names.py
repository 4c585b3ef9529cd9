"""Names that may be misspellings of a name on the list, so that a typo creates no second player."""

from __future__ import annotations

import re

from tournaments.players.name_folding import fold_text

MOST_DIFFERENT = 2


def is_near(typed: str, listed: str) -> bool:
    """Return True when a typed name may mean a listed one.

    It consists of parts of the listed name, or differs by at most two letters: by one in a name of less than six
    letters, by none in one of less than three. Names with different numbers, as in "Guest 7", are different names.
    """
    one, other = fold_text(typed), fold_text(listed)
    if not one or re.findall(r"\d+", one) != re.findall(r"\d+", other):
        return False
    if set(one.split()) <= set(other.split()):
        return True
    return is_misspelling(one, other) or is_misspelling(_in_order(one), _in_order(other))


def is_misspelling(one: str, other: str) -> bool:
    """Return True when two folded names differ by so few letters that one may be the other misspelled."""
    return differ_by_at_most(one, other, min(MOST_DIFFERENT, len(min(one, other, key=len)) // 3))


def differ_by_at_most(one: str, other: str, most: int) -> bool:
    """Return True when at most so many letters have to be added, removed or replaced until two texts are equal.

    The time grows with 3 to the power of `most`, but hardly with the length: most texts differ soon.
    """
    if abs(len(one) - len(other)) > most:
        return False
    shorter = min(len(one), len(other))
    at = next((at for at in range(shorter) if one[at] != other[at]), shorter)
    if at == shorter:
        return True
    if most == 0:
        return False
    rest, other_rest = one[at + 1 :], other[at + 1 :]
    return (
        differ_by_at_most(rest, other_rest, most - 1)
        or differ_by_at_most(rest, other[at:], most - 1)
        or differ_by_at_most(one[at:], other_rest, most - 1)
    )


def count_differences(one: str, other: str, most: int) -> int:
    """Count the letters to add, remove or replace until two texts are equal; `most` + 1 if there are more."""
    return next((number for number in range(most + 1) if differ_by_at_most(one, other, number)), most + 1)


def _in_order(name: str) -> str:
    return " ".join(sorted(name.split()))
