"""The word list protocol that judging uses, and a word list with rulings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from engine.tiles.edition import LETTER_MASK, Edition


class WordList(Protocol):
    """Anything that knows whether tile codes are a word; blanks count as the letters they stand for."""

    def __contains__(self, word: Sequence[int], /) -> bool: ...


def is_struck(words: WordList, letters: tuple[int, ...]) -> bool:
    """Return whether a judge struck this word; a list without rulings has no struck words."""
    return letters in getattr(words, "struck", ())


class WordListWithRulings:
    """A word list with the words that a judge accepted or struck; a word that is both is struck."""

    def __init__(self, words: WordList, edition: Edition, accepted: Iterable[str], struck: Iterable[str]) -> None:
        """`accepted` and `struck` as a judge writes them; `UnknownLetter` for what the edition cannot lay."""
        self._words = words
        self._accepted = {_letters(edition, word) for word in accepted}
        self.struck = frozenset(_letters(edition, word) for word in struck)

    def __contains__(self, word: Sequence[int]) -> bool:
        letters = tuple(code & LETTER_MASK for code in word)
        return letters not in self.struck and (letters in self._accepted or word in self._words)


def _letters(edition: Edition, word: str) -> tuple[int, ...]:
    return tuple(code & LETTER_MASK for code in edition.parse_word(word))
