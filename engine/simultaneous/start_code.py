"""Start codes: the secret with which one club opens its package."""

from __future__ import annotations

from collections.abc import Callable

SIGNS = "BCDFGHJKMNPQRSTVWXZ23456789"  # no vowels, so that a code is no word, and no signs that look like another
LENGTH, GROUP = 20, 5  # 27 ** 20 codes, 95 bits


def make_start_code(choose: Callable[[str], str]) -> str:
    """Return a new code in groups, such as `BCDFG-HJKMN-PQRST-23456`; `choose` picks one sign of a text."""
    signs = "".join(choose(SIGNS) for _ in range(LENGTH))
    return "-".join(signs[at : at + GROUP] for at in range(0, LENGTH, GROUP))


def read_start_code(text: str) -> str | None:
    """Return the signs of a typed code, whatever its case and gaps; None if it cannot be a code."""
    signs = "".join(sign for sign in text.upper() if sign.isalnum())
    return signs if len(signs) == LENGTH and set(signs) <= set(SIGNS) else None
