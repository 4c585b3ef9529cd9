"""How a caller spells aloud: the code word of every letter in a language, and what the blank is called there."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from engine.edition import Edition

FOLDER = Path(__file__).parent
BLANK_FACE = "?"


@dataclass(frozen=True, slots=True)
class Spelling:
    """The spelling alphabet of a language.

    `like` is how a letter and its word are said together ("%(letter)s for %(word)s"); `names` are said alone. A letter
    that is in neither (a tile of an organiser's own edition) is said as it is. `source` says where the words are from.
    """

    language: str
    source: str
    like: str
    blank: str
    words: Mapping[str, str]
    names: Mapping[str, str]

    def knows(self, face: str) -> bool:
        """Whether there is a word or a name for this letter."""
        return face in self.words or face in self.names

    def tile(self, face: str) -> str:
        """A tile as it is called: "A for Alfa"; a blank by its name, one that stands for a letter (lower case) by both:
        "blank, A for Alfa"."""
        if face == BLANK_FACE:
            return self.blank
        letter = face.upper()
        if letter != face:
            return f"{self.blank}, {self._letter(letter)}"
        return self._letter(letter)

    def word(self, edition: Edition, codes: Iterable[int]) -> list[str]:
        """The tiles of a word as they are called, blanks included."""
        return [self.tile(edition.face(code)) for code in codes]

    def _letter(self, letter: str) -> str:
        if letter in self.names:
            return self.names[letter]
        return self.like % {"letter": letter, "word": self.words[letter]} if letter in self.words else letter


@cache
def spelling_of(language: str) -> Spelling:
    """The alphabet of a language; one without words where the program has none."""
    path = FOLDER / f"{language}.toml"
    if not language.isalpha() or not path.is_file():
        return Spelling(language, "", "%(letter)s", "blank", {}, {})
    facts = tomllib.loads(path.read_text(encoding="utf-8"))
    return Spelling(language, facts["source"], facts["like"], facts["blank"], facts["words"], facts.get("names", {}))
