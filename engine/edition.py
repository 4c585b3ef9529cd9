"""Editions: the tile set of a language, read from `engine/editions/*.toml`.

A *letter* is what can stand on a square; it has a number, 0, 1, 2 ..., in the order of the edition file, letters
that exist by blank only last. A *kind* is what lies in the bag: kind 0 is the blank, kind k the letter k - 1.
A *tile code*, as boards and moves hold it, is the letter's number, plus `BLANK_BIT` when a blank stands for it.
"""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, cached_property
from pathlib import Path

from engine.coords import Notation
from engine.premiums import Premium, read_premiums

BLANK_BIT = 0x20
LETTER_MASK = 0x1F
MAX_KINDS = 30
EDITIONS = Path(__file__).parent / "editions"


class EditionError(ValueError):
    """An edition file that cannot be used; the text names the file, the entry and the reason."""


class UnknownLetter(ValueError):
    """A text with a sign that no tile of the edition can show. `sign` is the offender."""

    def __init__(self, sign: str, edition: str) -> None:
        super().__init__(f"{sign!r} is not a letter of the edition {edition}")
        self.sign = sign


class TileClass(StrEnum):
    VOWEL = "vowel"
    CONSONANT = "consonant"
    EITHER = "either"
    BLANK = "blank"


@dataclass(frozen=True, slots=True)
class TileKind:
    """One kind of tile in the bag: its face ("A", "L·L", "?" for the blank), how many, worth, vowel or consonant."""

    face: str
    count: int
    value: int
    tile_class: TileClass


@dataclass(frozen=True)
class Edition:
    """The tile set of a language. `kinds` are in the order of the bag, the blank first."""

    code: str
    name: str
    language: str
    across: Notation
    source: str
    verified: bool
    kinds: tuple[TileKind, ...]
    blank_only: tuple[str, ...]
    premiums: tuple[Premium, ...]
    keeps: frozenset[str] = frozenset()
    aliases: Mapping[str, str] = field(default_factory=dict, hash=False)

    @cached_property
    def letters(self) -> tuple[str, ...]:
        """Faces by letter number."""
        return tuple(kind.face for kind in self.kinds[1:]) + self.blank_only

    @cached_property
    def values(self) -> tuple[int, ...]:
        """Points by tile code, 64 long: what a tile on the board is worth; blanks are worth nothing."""
        table = [0] * 64
        for letter, kind in enumerate(self.kinds[1:]):
            table[letter] = kind.value
        return tuple(table)

    @cached_property
    def total(self) -> int:
        """How many tiles the full bag holds."""
        return sum(kind.count for kind in self.kinds)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {face: number for number, face in enumerate(self.letters)}

    @cached_property
    def _longest_face(self) -> int:
        return max(len(face) for face in self.letters)

    def letter(self, face: str) -> int:
        """The number of the letter with this face, upper case; `UnknownLetter` when there is none."""
        try:
            return self._numbers[face]
        except KeyError:
            raise UnknownLetter(face, self.code) from None

    def face(self, code: int) -> str:
        """How a tile code is written: upper case for a tile, lower case for a blank standing for the letter."""
        face = self.letters[code & LETTER_MASK]
        return face.lower() if code & BLANK_BIT else face

    def fold(self, text: str) -> str:
        """Drop the signs that the edition does not keep (É becomes E); the case stays, ß becomes SS."""
        for alias, face in self.aliases.items():
            text = text.replace(alias, face)
        return "".join(self._fold_sign(sign) for sign in unicodedata.normalize("NFC", text))

    def _fold_sign(self, sign: str) -> str:
        if sign.isascii() or sign == "·" or sign.upper() in self.keeps:
            return sign
        replaced = _LIGATURES.get(sign)
        if replaced is not None:
            return replaced
        return "".join(c for c in unicodedata.normalize("NFD", sign) if not unicodedata.combining(c))

    def parse_word(self, text: str) -> tuple[int, ...]:
        """Tile codes of a word written in tile text or by hand.

        Lower case, or brackets round one letter "(O)", is a blank; a tile of several letters may stand in
        square brackets or not, and is then recognised greedily. `UnknownLetter` names the first bad sign.
        """
        folded = self.fold(text.strip())
        codes: list[int] = []
        at = 0
        while at < len(folded):
            length, code = self._tile_at(folded, at)
            codes.append(code)
            at += length
        return tuple(codes)

    def _tile_at(self, text: str, at: int) -> tuple[int, int]:
        """(signs used, tile code) of the tile that starts at `at`."""
        if text[at] in "[(":
            closing = text.find("]" if text[at] == "[" else ")", at)
            inner = text[at + 1 : closing] if closing > 0 else ""
            if inner.upper() not in self._numbers:
                raise UnknownLetter(text[at : closing + 1] or text[at], self.code)
            blank = text[at] == "(" or inner.islower()
            return closing + 1 - at, self._numbers[inner.upper()] | (BLANK_BIT if blank else 0)
        for length in range(min(self._longest_face, len(text) - at), 0, -1):
            piece = text[at : at + length]
            if piece.upper() in self._numbers:
                return length, self._numbers[piece.upper()] | (BLANK_BIT if piece.islower() else 0)
        raise UnknownLetter(text[at], self.code)

    def word_text(self, codes: tuple[int, ...] | bytes) -> str:
        """Tile text of tile codes: the inverse of `parse_word`."""
        return "".join(f"[{face}]" if len(face) > 1 else face for face in map(self.face, codes))


_LIGATURES = {"ß": "ss", "ẞ": "SS", "œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L"}


def edition_codes() -> tuple[str, ...]:
    """The codes of the editions that come with the program, sorted."""
    return tuple(sorted(path.stem for path in EDITIONS.glob("*.toml")))


@cache
def load_edition(code: str) -> Edition:
    """The edition with this code ("it"); `EditionError` when there is none or its file is bad."""
    path = EDITIONS / f"{code}.toml"
    if code not in edition_codes():
        raise EditionError(f"there is no edition {code!r}; there are {', '.join(edition_codes())}")
    return read_edition(code, path.read_text(encoding="utf-8"))


def read_edition(code: str, text: str) -> Edition:
    """An edition from the text of its TOML file; `EditionError` names the entry that is wrong and why."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise EditionError(f"{code}: {error}") from None
    kinds = tuple(_read_kind(code, face, entry) for face, entry in table.get("tiles", {}).items())
    blank_only = tuple(table.get("blank_only", ()))
    _check_kinds(code, kinds, blank_only)
    try:
        return Edition(
            code=code,
            name=table["name"],
            language=table["language"],
            across=Notation(table["across"]),
            source=table["source"],
            verified=table["verified"],
            kinds=kinds,
            blank_only=blank_only,
            premiums=read_premiums(table.get("premiums")),
            keeps=frozenset(table.get("keeps", ())),
            aliases=dict(table.get("aliases", {})),
        )
    except (KeyError, ValueError) as error:
        raise EditionError(f"{code}: {error}") from None


def _read_kind(code: str, face: str, entry: Mapping[str, object]) -> TileKind:
    count, value, tile_class = entry.get("count"), entry.get("value"), entry.get("class")
    if not isinstance(count, int) or count < 1:
        raise EditionError(f"{code}: tile {face}: count must be a whole number above 0, not {count!r}")
    if not isinstance(value, int) or value < 0:
        raise EditionError(f"{code}: tile {face}: value must be a whole number, 0 or more, not {value!r}")
    if tile_class not in set(TileClass):
        raise EditionError(f"{code}: tile {face}: class must be one of {', '.join(TileClass)}, not {tile_class!r}")
    return TileKind(face, count, value, TileClass(str(tile_class)))


def _check_kinds(code: str, kinds: tuple[TileKind, ...], blank_only: tuple[str, ...]) -> None:
    if not kinds or kinds[0].tile_class is not TileClass.BLANK:
        raise EditionError(f'{code}: the first tile must be the blank, "?"')
    if any(kind.tile_class is TileClass.BLANK for kind in kinds[1:]):
        raise EditionError(f"{code}: there may be one kind of blank only")
    faces = [kind.face for kind in kinds[1:]] + list(blank_only)
    if len(faces) > MAX_KINDS:
        raise EditionError(f"{code}: {len(faces)} letters are more than the {MAX_KINDS} that the engine can hold")
    for face in faces:
        if faces.count(face) > 1 or face != face.upper():
            raise EditionError(f"{code}: letter {face} must be there once, in upper case")
