"""From a word as a package writes it to the letters that lie on the board."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

SHORTEST, LONGEST = 2, 15
"""Tiles of a word: one tile is no word, and a board has fifteen squares in a row."""


def fold(word: str) -> str | None:
    """The word in capitals without signs, or None when it cannot lie on a board of plain letters A-Z.

    What is not written in small letters throughout is a name or an abbreviation and is refused, and so is
    anything with an apostrophe, a hyphen, a digit or a space.
    """
    if not SHORTEST <= len(word) <= LONGEST or not word.islower():
        return None
    if not word.isascii():
        word = "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
    return word.upper() if word.isascii() and word.isalpha() else None


def fold_all(words: Iterable[str]) -> set[str]:
    """The words that can be folded, each once."""
    return {folded for word in words if (folded := fold(word)) is not None}
