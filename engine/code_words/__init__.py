"""Spelling alphabets for calling: the code word of every letter in a language, and the name of the blank."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from engine.tiles.edition import Edition

FOLDER = Path(__file__).parent
BLANK_FACE = "?"


@dataclass(frozen=True, slots=True)
class CodeWords:
    """Spelling alphabet of a language.

    `like`: template for a letter and its word ("%(letter)s for %(word)s"); `names`: letters called by a name only. A
    letter without a word or name (a tile of an organiser's own edition) is called as it is. `source`: origin of the
    words.
    """

    language: str
    source: str
    like: str
    blank: str
    words: Mapping[str, str]
    names: Mapping[str, str]

    def knows(self, face: str) -> bool:
        """Return True if there is a word or a name for this letter."""
        return face in self.words or face in self.names

    def tile(self, face: str) -> str:
        """Return the call of a tile: "A for Alfa"; "blank"; for a blank that stands for a letter (lower case) both:
        "blank, A for Alfa"."""
        if face == BLANK_FACE:
            return self.blank
        letter = face.upper()
        if letter != face:
            return f"{self.blank}, {self._letter(letter)}"
        return self._letter(letter)

    def word(self, edition: Edition, codes: Iterable[int]) -> list[str]:
        """Return the calls of the tiles of a word, blanks included."""
        return [self.tile(edition.face(code)) for code in codes]

    def _letter(self, letter: str) -> str:
        if letter in self.names:
            return self.names[letter]
        return self.like % {"letter": letter, "word": self.words[letter]} if letter in self.words else letter


@cache
def load_code_words(language: str) -> CodeWords:
    """Load the alphabet of a language; it is empty if the program has none."""
    path = FOLDER / f"{language}.toml"
    if not language.isalpha() or not path.is_file():
        return CodeWords(language, "", "%(letter)s", "blank", {}, {})
    facts = tomllib.loads(path.read_text(encoding="utf-8"))
    return CodeWords(language, facts["source"], facts["like"], facts["blank"], facts["words"], facts.get("names", {}))
