"""Folding and selection of words by the letters of an edition, for all languages except Italian.

Tiles and letters come from the edition file, so that a list never contains a word that its edition cannot show.
(Italian uses the older :mod:`.folding`, because it has no tile of several letters and keeps no accent.)

A language module creates one :class:`Letters`, folds all input with :meth:`Letters.fold_all` into *plain* words
("COL·LOCAR", "ANY"), selects words, and calls :meth:`Letters.finished`, which applies the rules common to all
languages and returns tile text ("CO[L·L]OCAR", "A[NY]").
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from importlib.metadata import distributions
from pathlib import Path

from engine.tiles.edition import Edition

from . import Credit

SHORTEST, LONGEST = 2, 15
"""Number of tiles of a word: at least two, at most the length of a row."""

VOWELS = frozenset("AEIOUYÄÖÜ")
_NO_LETTER = "\0"


class Letters:
    """Letters of an edition, including those that exist only as blanks, and the folding of words to them."""

    def __init__(self, edition: Edition) -> None:
        several = sorted((face for face in edition.letters if len(face) > 1), key=len, reverse=True)
        single = [face for face in edition.letters if len(face) == 1]
        any_letter = "|".join([*map(re.escape, several), f"[{re.escape(''.join(single))}]"])
        self._signs = _SignTable(edition)
        self._laid = re.compile(f"(?:{any_letter})+")
        self._several = re.compile("|".join(map(re.escape, several))) if several else None

    def fold(self, word: str, *, names: bool = False) -> str | None:
        """Return the word in capitals with the accents that the edition keeps, or None if it cannot be laid.

        A word with capitals is a name or an abbreviation and is refused, unless ``names`` is true (German nouns have a
        capital). Words with an apostrophe, a hyphen, a digit, a space or a letter that the edition lacks (Catalan K, a
        Y outside NY) are always refused.
        """
        if not names and not word.islower():
            return None
        folded = unicodedata.normalize("NFC", word).translate(self._signs)
        return folded if self._laid.fullmatch(folded) else None

    def fold_all(self, words: Iterable[str], *, names: bool = False) -> set[str]:
        """Return the folded words that can be laid, each once."""
        return {folded for word in words if (folded := self.fold(word, names=names)) is not None}

    def tiles(self, word: str) -> int:
        """Return the number of tiles of a folded word: 2 for ANY, A and NY."""
        return len(word) if self._several is None else len(self._several.sub(_NO_LETTER, word))

    def tile_text(self, word: str) -> str:
        """Return a folded word in tile text: A[NY] for ANY."""
        return word if self._several is None else self._several.sub(r"[\g<0>]", word)

    def finished(
        self, words: Iterable[str], two_tiles: Collection[str], without_vowel: Collection[str] = ()
    ) -> list[str]:
        """Return the folded words of valid length in tile text, sorted by code point.

        They have 2-15 tiles. Words of two tiles come only from ``two_tiles``, a list made by hand, because
        dictionaries contain many abbreviations of this length. Words without a vowel are taken for abbreviations,
        except those in ``without_vowel`` (BRR).
        """
        chosen = set(two_tiles)
        for word in words:
            if SHORTEST < self.tiles(word) <= LONGEST and (not VOWELS.isdisjoint(word) or word in without_vowel):
                chosen.add(word)
        return sorted(map(self.tile_text, chosen))


def credited(packages_dir: Path, taken: Iterable[tuple[str, str, str]]) -> tuple[Credit, ...]:
    """Return the credits for (package, data taken from it, licence), with the versions found in the folder."""
    versions = {found.metadata["Name"]: found.version for found in distributions(path=[str(packages_dir)])}
    return tuple(Credit(name, versions.get(name, "unknown"), what, licence) for name, what, licence in taken)


class _SignTable(dict[int, str]):
    """Table for ``str.translate`` that folds characters by the edition; entries are computed on first use."""

    def __init__(self, edition: Edition) -> None:
        super().__init__()
        self._edition = edition

    def __missing__(self, point: int) -> str:
        self[point] = self._edition.fold(chr(point)).upper()
        return self[point]
