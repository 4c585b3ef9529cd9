"""Editions: tile sets of a language, read from `engine/tiles/editions/*.toml` and from folders of the organiser.

A *letter* is the content of a square. Letters are numbered 0, 1, 2 ... in the order of the edition file; letters that
exist only as blanks come last. A *kind* is a kind of tile in the bag: kind 0 is the blank, kind k the letter k - 1.
A *tile code*, used in boards and moves, is the number of the letter, plus `BLANK_BIT` if a blank stands for it.

A tile of several letters (CH, L·L) covers one square. In text *written by hand*, on slips and in word lists, adjacent
letters that make up a tile are that tile (`parse_word`). In *tile text*, the stored form of boards and racks, only
brackets join them (`parse_tiles`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path

from engine.board.coordinates import SIZE, Notation
from engine.board.premiums import Premium
from engine.i18n import N_
from engine.tiles.edition_file import MAX_KINDS, EditionError, TileClass, TileKind, is_edition_code, read_edition_file
from engine.tiles.folding import fold

__all__ = [
    "BLANK_BIT",
    "LETTER_MASK",
    "MAX_KINDS",
    "Edition",
    "EditionError",
    "TileClass",
    "TileKind",
    "UnknownLetter",
    "add_edition_folder",
    "edition_codes",
    "edition_path",
    "find_edition_errors",
    "is_bundled",
    "load_edition",
    "open_edition",
    "read_edition",
]

BLANK_BIT = 0x20
LETTER_MASK = 0x1F
EDITIONS = Path(__file__).parent / "editions"
MAX_READINGS = 64

_Piece = tuple[int, int]
"""(number of characters, tile code) of a tile that begins at a position in a text."""


class UnknownLetter(ValueError):
    """Text with a character that no tile of the edition shows. `sign` is that character."""

    def __init__(self, sign: str, edition: str) -> None:
        super().__init__(f"{sign!r} is not a letter of the edition {edition}")
        self.sign = sign


@dataclass(frozen=True)
class Edition:
    """Tile set of a language. `kinds` are in the order of the bag, the blank first.

    `may_be_split`: tiles of several letters whose letters may also be laid one by one. `toml`: text of the file.
    """

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
    may_be_split: frozenset[str] = frozenset()
    toml: str = field(default="", compare=False, repr=False)

    @cached_property
    def letters(self) -> tuple[str, ...]:
        """Faces by letter number."""
        return tuple(kind.face for kind in self.kinds[1:]) + self.blank_only

    @cached_property
    def values(self) -> tuple[int, ...]:
        """Points of a tile by tile code, 64 long; 0 for blanks."""
        table = [0] * 64
        for letter, kind in enumerate(self.kinds[1:]):
            table[letter] = kind.value
        return tuple(table)

    @cached_property
    def total(self) -> int:
        """Number of tiles in the full bag."""
        return sum(kind.count for kind in self.kinds)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {face: number for number, face in enumerate(self.letters)}

    @cached_property
    def _longest_face(self) -> int:
        return max((len(face) for face in self.letters), default=1)

    @cached_property
    def _apart(self) -> frozenset[str]:
        """Faces of several letters that can also be laid as single tiles: CH, but not NY in a set without Y."""
        return frozenset(face for face in self.letters if len(face) > 1 and all(sign in self._numbers for sign in face))

    @cached_property
    def _joined(self) -> Mapping[int, tuple[tuple[int, ...], ...]]:
        """By letter number: the sequences of letters that, written after it, would be read as one tile with it."""
        spelled = [tuple(self._numbers[sign] for sign in face) for face in self._apart]
        return {first: tuple(one[1:] for one in spelled if one[0] == first) for first, *_ in spelled}

    @cached_property
    def _without_sign(self) -> Mapping[str, str]:
        """Faces by their spelling without the sign between their letters: LL for L·L."""
        spelled = {"".join(filter(str.isalpha, face)): face for face in self.letters}
        return {spelling: face for spelling, face in spelled.items() if spelling not in self._numbers}

    def letter(self, face: str) -> int:
        """Return the number of the letter with this face, upper case; `UnknownLetter` if there is none."""
        try:
            return self._numbers[face]
        except KeyError:
            raise UnknownLetter(face, self.code) from None

    def face(self, code: int) -> str:
        """Return the text of a tile code: upper case for a tile, lower case for a blank that stands for the letter."""
        face = self.letters[code & LETTER_MASK]
        return face.lower() if code & BLANK_BIT else face

    def fold(self, text: str) -> str:
        """Remove the accents that the edition does not keep (É becomes E); keep the case; ß becomes two letters."""
        return fold(text, self.keeps, self.aliases)

    def parse_word(self, text: str) -> tuple[int, ...]:
        """Parse a word written by hand or by `word_text` into tile codes.

        Lower case, or round brackets "(O)", is a blank. A tile of several letters may be in square brackets; without
        brackets it is matched greedily. Brackets determine the reading: "[C]H" is C and H in a set with the tile CH.
        `UnknownLetter` names the first invalid character.
        """
        return self._parsed(self.fold(text.strip()), apart=frozenset())

    def parse_tiles(self, text: str) -> tuple[int, ...]:
        """Parse tile text, the stored form of racks and rows of boards: "CH" is C and H, "[CH]" the one tile.

        Brackets are not needed if the letters are no tiles themselves: NY in a set without Y. `UnknownLetter` as above.
        """
        return self._parsed(self.fold(text.strip()), apart=self._apart)

    def readings(self, text: str) -> tuple[tuple[int, ...], ...]:
        """Return every way to divide a word written by hand into tiles, regardless of the rule; `parse_word` first.

        A tile with a sign between its letters may have been written without it: COLLEGI is read with two L and with
        L·L. Other readings that are longer than a row are left out, as are all beyond `MAX_READINGS`. `UnknownLetter`
        as above.
        """
        return self._readings(text, self._any_piece_at)

    def allowed_readings(self, text: str) -> tuple[tuple[int, ...], ...]:
        """Return the readings that the edition allows: letters that make up a tile are that tile, unless it may be
        split. The reading of `parse_word` is always allowed and comes first. `UnknownLetter` as above.
        """
        return self._readings(text, self._allowed_at)

    def _readings(self, text: str, pieces_at: Callable[[str, int], Iterator[_Piece]]) -> tuple[tuple[int, ...], ...]:
        greedy = self.parse_word(text)
        if self._longest_face == 1:
            return (greedy,)
        folded = self.fold(text.strip())
        pieces = [list(pieces_at(folded, at)) for at in range(len(folded))]
        found = dict.fromkeys([greedy, *islice(_list_cuts(pieces), MAX_READINGS)])
        return tuple(islice(found, MAX_READINGS))

    def _parsed(self, folded: str, apart: frozenset[str]) -> tuple[int, ...]:
        """Parse greedily; tiles whose face is in `apart` are recognised only in brackets."""
        codes: list[int] = []
        at = 0
        while at < len(folded):
            length, code = self._tile_at(folded, at, apart)
            codes.append(code)
            at += length
        return tuple(codes)

    def _tile_at(self, text: str, at: int, apart: frozenset[str]) -> _Piece:
        for length, code in self._pieces_at(text, at):
            if length == 1 or text[at] in "[(" or self.letters[code & LETTER_MASK] not in apart:
                return length, code
        closing = text.find("]" if text[at] == "[" else ")", at) if text[at] in "[(" else -1
        raise UnknownLetter(text[at : closing + 1] if closing > 0 else text[at], self.code)

    def _allowed_at(self, text: str, at: int) -> Iterator[_Piece]:
        """Yield the tiles that the rule allows at this position: the longest, and shorter ones if it may be split."""
        for length, code in self._pieces_at(text, at):
            yield length, code
            if self.letters[code & LETTER_MASK] not in self.may_be_split:
                return

    def _any_piece_at(self, text: str, at: int) -> Iterator[_Piece]:
        """Yield the tiles that can begin at this position, then those written without their inner sign."""
        yield from self._pieces_at(text, at)
        for spelled, face in self._without_sign.items():
            piece = text[at : at + len(spelled)]
            if piece.upper() == spelled:
                yield len(spelled), self._numbers[face] | (BLANK_BIT if piece.islower() else 0)

    def _pieces_at(self, text: str, at: int) -> Iterator[_Piece]:
        """Yield every tile that can begin at this position, the longest first; in brackets there is only one."""
        if text[at] in "[(":
            closing = text.find("]" if text[at] == "[" else ")", at)
            inner = text[at + 1 : closing] if closing > 0 else ""
            if inner.upper() in self._numbers:
                yield closing + 1 - at, self._code(inner, blank=text[at] == "(")
            return
        for length in range(min(self._longest_face, len(text) - at), 0, -1):
            piece = text[at : at + length]
            if piece.upper() in self._numbers:
                yield length, self._code(piece)

    def _code(self, written: str, *, blank: bool = False) -> int:
        return self._numbers[written.upper()] | (BLANK_BIT if blank or written.islower() else 0)

    def word_text(self, codes: Sequence[int]) -> str:
        """Return the tile text of tile codes: the inverse of `parse_word` and of `parse_tiles`."""
        return "".join(self._written(codes, at) for at in range(len(codes)))

    def _written(self, codes: Sequence[int], at: int) -> str:
        """Return the text of the tile at this index, in brackets if it would otherwise be read differently."""
        face = self.face(codes[at])
        bracketed = len(face) > 1
        for rest in self._joined.get(codes[at] & LETTER_MASK, ()):
            following = codes[at + 1 : at + 1 + len(rest)]
            bracketed = bracketed or tuple(code & LETTER_MASK for code in following) == rest
        return f"[{face}]" if bracketed else face


def _list_cuts(pieces: Sequence[Sequence[_Piece]]) -> Iterator[tuple[int, ...]]:
    """Yield every sequence of pieces from the first position to the end, with at most as many tiles as a row has."""
    fewest: list[float] = [math.inf] * len(pieces) + [0]
    for at in range(len(pieces) - 1, -1, -1):
        fewest[at] = min((1 + fewest[at + length] for length, _ in pieces[at]), default=math.inf)

    def onwards(at: int, codes: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if at == len(pieces):
            yield codes
        elif len(codes) + fewest[at] <= SIZE:
            for length, code in pieces[at]:
                yield from onwards(at + length, (*codes, code))

    return onwards(0, ())


_folders: list[Callable[[], Path]] = [lambda: EDITIONS]


def add_edition_folder(folder: Callable[[], Path]) -> None:
    """Add a folder of editions; a file there replaces the edition of the same code.

    `folder` is called on every access, and its folder need not exist.
    """
    _folders.append(folder)


def edition_path(code: str) -> Path | None:
    """Return the file of an edition; the organiser's takes precedence over the bundled one."""
    paths = (folder() / f"{code}.toml" for folder in reversed(_folders)) if is_edition_code(code) else ()
    return next((path for path in paths if path.is_file()), None)


def is_bundled(edition: Edition) -> bool:
    """Return True if the edition equals the one that is shipped with the program."""
    path = EDITIONS / f"{edition.code}.toml"
    return is_edition_code(edition.code) and path.is_file() and path.read_text(encoding="utf-8") == edition.toml


def edition_codes() -> tuple[str, ...]:
    """Return the codes of the valid editions, sorted."""
    return tuple(code for code, edition in _load_all().items() if isinstance(edition, Edition))


def find_edition_errors() -> dict[str, EditionError]:
    """Return the codes of the editions whose file is invalid, and the errors."""
    return {code: edition for code, edition in _load_all().items() if isinstance(edition, EditionError)}


def _load_all() -> dict[str, Edition | EditionError]:
    paths = {path.stem: path for folder in _folders for path in folder().glob("*.toml")}
    return {code: _edition_or_error(paths[code]) for code in sorted(paths)}


def _edition_or_error(path: Path) -> Edition | EditionError:
    try:
        return _load_file(path)
    except EditionError as error:
        return error


def load_edition(code: str) -> Edition:
    """Return the edition with this code ("it"); its file is read again if it has changed.

    `EditionError` if there is none or its file is invalid.
    """
    path = edition_path(code)
    if path is None:
        template = N_("there is no edition %(code)s; there are %(known)s")
        raise EditionError(template, code=repr(code), known=", ".join(edition_codes()))
    return _load_file(path)


def open_edition(code_or_path: str) -> Edition:
    """Return the edition with this code or, if the text ends in .toml, in this file; `EditionError` as above."""
    return _load_file(Path(code_or_path)) if code_or_path.endswith(".toml") else load_edition(code_or_path)


def _load_file(path: Path) -> Edition:
    try:
        stat = path.stat()
        return _load_cached(path, stat.st_mtime_ns, stat.st_size, stat.st_ino)
    except OSError as error:
        raise EditionError(N_("%(path)s cannot be read: %(reason)s"), path=path, reason=error.strerror) from None
    except UnicodeDecodeError:
        raise EditionError(N_("this is not text in UTF-8; save it in UTF-8"), path.name) from None


@lru_cache(maxsize=64)
def _load_cached(path: Path, _changed_at: int, _size: int, _inode: int) -> Edition:
    return read_edition(path.stem, path.read_text(encoding="utf-8-sig"))


@lru_cache(maxsize=64)
def read_edition(code: str, text: str) -> Edition:
    """Read an edition from the text of its TOML file; `EditionError` names the invalid entry, its line and reason."""
    found = read_edition_file(code, text)
    return Edition(
        code=code,
        name=found.name,
        language=found.language,
        across=found.across,
        source=found.source,
        verified=found.verified,
        kinds=found.kinds,
        blank_only=found.blank_only,
        premiums=found.premiums,
        keeps=found.keeps,
        aliases=found.aliases,
        may_be_split=found.may_be_split,
        toml=text,
    )
