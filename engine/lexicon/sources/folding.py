"""Folding of words from packages to the letters A-Z."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

SHORTEST, LONGEST = 2, 15
"""Number of tiles of a word: at least two, at most the length of a row."""


def fold(word: str) -> str | None:
    """Return the word in capitals without accents, or None if it cannot be laid with the letters A-Z.

    Words with capitals are names or abbreviations and are refused, as are words with an apostrophe, a hyphen, a digit
    or a space.
    """
    if not SHORTEST <= len(word) <= LONGEST or not word.islower():
        return None
    if not word.isascii():
        word = "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
    return word.upper() if word.isascii() and word.isalpha() else None


def fold_all(words: Iterable[str]) -> set[str]:
    """Return the folded words, each once; words that cannot be folded are left out."""
    return {folded for word in words if (folded := fold(word)) is not None}
