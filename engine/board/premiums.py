"""Premium squares: the factors of a newly covered square."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.i18n import N_

SIZE = 15

# One character for each square: 2 and 3 multiply the letter, d and t the word. The standard board is symmetric, so
# only its upper left part is listed.
_STANDARD_QUARTER = (
    "t..2...t",
    ".d...3..",
    "..d...2.",
    "2..d...2",
    "....d...",
    ".3...3..",
    "..2...2.",
    "t..2...d",
)


class Premium(NamedTuple):
    """Letter and word factors of a square when a tile is laid on it."""

    letter: int
    word: int


_PREMIUMS = {
    ".": Premium(1, 1),
    "2": Premium(2, 1),
    "3": Premium(3, 1),
    "d": Premium(1, 2),
    "t": Premium(1, 3),
}


def standard_layout() -> tuple[str, ...]:
    """Return the 15 rows of the standard board."""
    upper = [row + row[-2::-1] for row in _STANDARD_QUARTER]
    return tuple(upper + upper[-2::-1])


def read_premiums(rows: Sequence[str] | None = None) -> tuple[Premium, ...]:
    """Read 225 premiums, row by row, from 15 rows of 15 characters `.23dt`; the standard board if `rows` is None."""
    layout = standard_layout() if rows is None else tuple(rows)
    if len(layout) != SIZE or any(len(row) != SIZE or set(row) - set(_PREMIUMS) for row in layout):
        raise ValueError(N_("premiums must be 15 rows of 15 characters out of . 2 3 d t"))
    return tuple(_PREMIUMS[sign] for row in layout for sign in row)
