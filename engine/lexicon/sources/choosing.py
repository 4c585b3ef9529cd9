"""What all languages but Italian do alike: fold words to an edition's letters, and keep those that can be laid.

Tiles and letters come from the edition file, so that a list never holds a word that its edition cannot show.
(Italian has its own, older :mod:`.folding`: it has no tile of several letters and keeps no sign.)

A module of a language makes one :class:`Letters`, folds everything it reads with :meth:`Letters.fold_all` into
*plain* words ("COL·LOCAR", "ANY"), chooses among those, and ends with :meth:`Letters.finished`, which knows the
rules that are the same everywhere and writes the words in tile text ("CO[L·L]OCAR", "A[NY]").
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from importlib.metadata import distributions
from pathlib import Path

from engine.edition import Edition

from . import Credit

SHORTEST, LONGEST = 2, 15
"""Tiles of a word: one tile is no word, and a board has fifteen squares in a row."""

VOWELS = frozenset("AEIOUYÄÖÜ")
_NO_LETTER = "\0"


class Letters:
    """The letters of an edition, tiles and those that exist by blank only, and how words are folded to them."""

    def __init__(self, edition: Edition) -> None:
        several = sorted((face for face in edition.letters if len(face) > 1), key=len, reverse=True)
        single = [face for face in edition.letters if len(face) == 1]
        any_letter = "|".join([*map(re.escape, several), f"[{re.escape(''.join(single))}]"])
        self._signs = _SignTable(edition)
        self._laid = re.compile(f"(?:{any_letter})+")
        self._several = re.compile("|".join(map(re.escape, several))) if several else None

    def fold(self, word: str, *, names: bool = False) -> str | None:
        """The word in capitals, with only those signs that the edition keeps, or None when it cannot be laid.

        What is not written in small letters throughout is a name or an abbreviation and is refused, unless
        ``names`` allows capitals (German nouns have one). An apostrophe, a hyphen, a digit, a space or a letter
        that the edition has not (Catalan K, a Y that is not in NY) is always refused.
        """
        if not names and not word.islower():
            return None
        folded = unicodedata.normalize("NFC", word).translate(self._signs)
        return folded if self._laid.fullmatch(folded) else None

    def fold_all(self, words: Iterable[str], *, names: bool = False) -> set[str]:
        """The words that can be laid, folded, each once."""
        return {folded for word in words if (folded := self.fold(word, names=names)) is not None}

    def tiles(self, word: str) -> int:
        """How many tiles a folded word takes: 2 for ANY, A and NY."""
        return len(word) if self._several is None else len(self._several.sub(_NO_LETTER, word))

    def tile_text(self, word: str) -> str:
        """A folded word in tile text: ANY as A[NY]."""
        return word if self._several is None else self._several.sub(r"[\g<0>]", word)

    def finished(
        self, words: Iterable[str], two_tiles: Collection[str], without_vowel: Collection[str] = ()
    ) -> list[str]:
        """The folded words that may lie on the board, in tile text, sorted by code point.

        They have 2-15 tiles. Words of two tiles are only those of the list ``two_tiles``, which is made by hand:
        dictionaries are full of abbreviations of this length. What has no vowel is an abbreviation too, but for
        the words in ``without_vowel`` (BRR).
        """
        chosen = set(two_tiles)
        for word in words:
            if SHORTEST < self.tiles(word) <= LONGEST and (not VOWELS.isdisjoint(word) or word in without_vowel):
                chosen.add(word)
        return sorted(map(self.tile_text, chosen))


def credited(packages_dir: Path, taken: Iterable[tuple[str, str, str]]) -> tuple[Credit, ...]:
    """Credits for ``(package, what was taken from it, licence)``, with the versions found in the folder."""
    versions = {found.metadata["Name"]: found.version for found in distributions(path=[str(packages_dir)])}
    return tuple(Credit(name, versions.get(name, "unknown"), what, licence) for name, what, licence in taken)


class _SignTable(dict[int, str]):
    """For ``str.translate``: what the edition makes of each sign, worked out when a sign is first met."""

    def __init__(self, edition: Edition) -> None:
        super().__init__()
        self._edition = edition

    def __missing__(self, point: int) -> str:
        self[point] = self._edition.fold(chr(point)).upper()
        return self[point]
