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
    most = min(MOST_DIFFERENT, len(min(one, other, key=len)) // 3)
    pairs = ((one, other), (_in_order(one), _in_order(other)))
    return any(count_differences(first, second, most) <= most for first, second in pairs)


def count_differences(one: str, other: str, most: int) -> int:
    """Count the letters to add, remove or replace until two texts are equal; stop above `most`."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before = list(range(len(other) + 1))
    for row, sign in enumerate(one, 1):
        line = [row]
        for column, other_sign in enumerate(other, 1):
            line.append(min(before[column] + 1, line[-1] + 1, before[column - 1] + (sign != other_sign)))
        if min(line) > most:
            return most + 1
        before = line
    return before[-1]


def _in_order(name: str) -> str:
    return " ".join(sorted(name.split()))
