"""Editions: the tile set of a language, read from `engine/editions/*.toml` and from folders of the organiser.

A *letter* is what can stand on a square; it has a number, 0, 1, 2 ..., in the order of the edition file, letters
that exist by blank only last. A *kind* is what lies in the bag: kind 0 is the blank, kind k the letter k - 1.
A *tile code*, as boards and moves hold it, is the letter's number, plus `BLANK_BIT` when a blank stands for it.

A tile of several letters (CH, L·L) is one square. *By hand*, on slips and in word lists, its letters joined are the
tile (`parse_word`); in *tile text*, as boards and racks are stored, only brackets make them one (`parse_tiles`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path

from engine.coords import SIZE, Notation
from engine.edition_file import MAX_KINDS, EditionError, TileClass, TileKind, is_code, read_edition_file
from engine.folding import fold
from engine.premiums import Premium

__all__ = [
    "BLANK_BIT",
    "LETTER_MASK",
    "MAX_KINDS",
    "Edition",
    "EditionError",
    "TileClass",
    "TileKind",
    "UnknownLetter",
    "bad_editions",
    "comes_with_program",
    "edition_codes",
    "edition_path",
    "load_edition",
    "look_also_in",
    "open_edition",
    "read_edition",
]

BLANK_BIT = 0x20
LETTER_MASK = 0x1F
EDITIONS = Path(__file__).parent / "editions"
MOST_READINGS = 64

_Piece = tuple[int, int]
"""(signs used, tile code) of a tile that begins at some place of a text."""


class UnknownLetter(ValueError):
    """A text with a sign that no tile of the edition can show. `sign` is the offender."""

    def __init__(self, sign: str, edition: str) -> None:
        super().__init__(f"{sign!r} is not a letter of the edition {edition}")
        self.sign = sign


@dataclass(frozen=True)
class Edition:
    """The tile set of a language. `kinds` are in the order of the bag, the blank first.

    `may_be_split`: tiles of several letters whose letters may also be laid one by one. `toml` is the text of the file.
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
        return max((len(face) for face in self.letters), default=1)

    @cached_property
    def _apart(self) -> frozenset[str]:
        """Faces of several letters each of which is a letter of its own, so that they can be laid apart: CH, not NY."""
        return frozenset(face for face in self.letters if len(face) > 1 and all(sign in self._numbers for sign in face))

    @cached_property
    def _joined(self) -> Mapping[int, tuple[tuple[int, ...], ...]]:
        """By letter number: the letters that, written behind it, would be read as one tile with it."""
        spelled = [tuple(self._numbers[sign] for sign in face) for face in self._apart]
        return {first: tuple(one[1:] for one in spelled if one[0] == first) for first, *_ in spelled}

    @cached_property
    def _without_sign(self) -> Mapping[str, str]:
        """Faces by how they look without a sign between their letters: LL for L·L."""
        spelled = {"".join(filter(str.isalpha, face)): face for face in self.letters}
        return {spelling: face for spelling, face in spelled.items() if spelling not in self._numbers}

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
        """Drop the signs that the edition does not keep (É becomes E); the case stays, ß becomes two letters."""
        return fold(text, self.keeps, self.aliases)

    def parse_word(self, text: str) -> tuple[int, ...]:
        """Tile codes of a word written by hand or by `word_text`.

        Lower case, or round brackets "(O)", is a blank; a tile of several letters may stand in square brackets or
        not, and is then recognised greedily. Brackets fix the reading: "[C]H" is C and H where CH is one tile.
        `UnknownLetter` names the first bad sign.
        """
        return self._parsed(self.fold(text.strip()), apart=frozenset())

    def parse_tiles(self, text: str) -> tuple[int, ...]:
        """Tile codes of tile text, as racks and rows of boards hold it: "CH" is C and H, "[CH]" the one tile.

        Only what could not lie apart needs no brackets: the tile NY in a set without Y. `UnknownLetter` as above.
        """
        return self._parsed(self.fold(text.strip()), apart=self._apart)

    def readings(self, text: str) -> tuple[tuple[int, ...], ...]:
        """Every way to cut a word written by hand into tiles, whatever the rule; the one of `parse_word` first.

        A tile with a sign between its letters may have been written without it: COLLEGI is read with two L and with
        L·L. Others longer than a row are left out, and all beyond the first `MOST_READINGS`. `UnknownLetter` as above.
        """
        return self._readings(text, self._any_piece_at)

    def allowed_readings(self, text: str) -> tuple[tuple[int, ...], ...]:
        """The readings that the rule of the edition allows: letters that make up a tile are that tile, unless it may
        be split. The one of `parse_word` is always allowed and first. `UnknownLetter` as above.
        """
        return self._readings(text, self._allowed_at)

    def _readings(self, text: str, pieces_at: Callable[[str, int], Iterator[_Piece]]) -> tuple[tuple[int, ...], ...]:
        greedy = self.parse_word(text)
        if self._longest_face == 1:
            return (greedy,)
        folded = self.fold(text.strip())
        pieces = [list(pieces_at(folded, at)) for at in range(len(folded))]
        found = dict.fromkeys([greedy, *islice(_cuts(pieces), MOST_READINGS)])
        return tuple(islice(found, MOST_READINGS))

    def _parsed(self, folded: str, apart: frozenset[str]) -> tuple[int, ...]:
        """The first tile at every place; tiles whose face is in `apart` count only in brackets."""
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
        """The tiles that may begin here by the rule: the longest, and shorter ones as long as it may be split."""
        for length, code in self._pieces_at(text, at):
            yield length, code
            if self.letters[code & LETTER_MASK] not in self.may_be_split:
                return

    def _any_piece_at(self, text: str, at: int) -> Iterator[_Piece]:
        """The tiles that can begin here, and last those whose inner sign was left out."""
        yield from self._pieces_at(text, at)
        for spelled, face in self._without_sign.items():
            piece = text[at : at + len(spelled)]
            if piece.upper() == spelled:
                yield len(spelled), self._numbers[face] | (BLANK_BIT if piece.islower() else 0)

    def _pieces_at(self, text: str, at: int) -> Iterator[_Piece]:
        """Every tile that can begin at this place, the longest first; brackets leave one."""
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
        """Tile text of tile codes: the inverse of `parse_word` and of `parse_tiles`."""
        return "".join(self._written(codes, at) for at in range(len(codes)))

    def _written(self, codes: Sequence[int], at: int) -> str:
        """The tile at this place; in brackets when it has several letters, or would be read with those behind it."""
        face = self.face(codes[at])
        bracketed = len(face) > 1
        for rest in self._joined.get(codes[at] & LETTER_MASK, ()):
            following = codes[at + 1 : at + 1 + len(rest)]
            bracketed = bracketed or tuple(code & LETTER_MASK for code in following) == rest
        return f"[{face}]" if bracketed else face


def _cuts(pieces: Sequence[Sequence[_Piece]]) -> Iterator[tuple[int, ...]]:
    """Every way through the pieces from the first place to the end, in at most a row of tiles."""
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


def look_also_in(folder: Callable[[], Path]) -> None:
    """Know the editions of another folder too; a file there replaces the edition of the same code. The folder is asked
    for every time, and need not exist."""
    _folders.append(folder)


def edition_path(code: str) -> Path | None:
    """The file of an edition, the organiser's before the program's."""
    paths = (folder() / f"{code}.toml" for folder in reversed(_folders)) if is_code(code) else ()
    return next((path for path in paths if path.is_file()), None)


def comes_with_program(edition: Edition) -> bool:
    """Whether this is an edition of the program as it is shipped, so that others have it too."""
    path = EDITIONS / f"{edition.code}.toml"
    return is_code(edition.code) and path.is_file() and path.read_text(encoding="utf-8") == edition.toml


def edition_codes() -> tuple[str, ...]:
    """The codes of the editions that can be played with, sorted."""
    return tuple(code for code, edition in _all().items() if isinstance(edition, Edition))


def bad_editions() -> dict[str, EditionError]:
    """The codes of the editions whose file cannot be used, and why."""
    return {code: edition for code, edition in _all().items() if isinstance(edition, EditionError)}


def _all() -> dict[str, Edition | EditionError]:
    paths = {path.stem: path for folder in _folders for path in folder().glob("*.toml")}
    return {code: _edition_or_error(paths[code]) for code in sorted(paths)}


def _edition_or_error(path: Path) -> Edition | EditionError:
    try:
        return _of_file(path)
    except EditionError as error:
        return error


def load_edition(code: str) -> Edition:
    """The edition with this code ("it"), its file read again when it has changed; `EditionError` when there is none or
    its file is bad."""
    path = edition_path(code)
    if path is None:
        raise EditionError(f"there is no edition {code!r}; there are {', '.join(edition_codes())}")
    return _of_file(path)


def open_edition(code_or_path: str) -> Edition:
    """The edition with this code or, where the text ends in .toml, in this file; `EditionError` as above."""
    return _of_file(Path(code_or_path)) if code_or_path.endswith(".toml") else load_edition(code_or_path)


def _of_file(path: Path) -> Edition:
    try:
        stat = path.stat()
        return _kept(path, stat.st_mtime_ns, stat.st_size, stat.st_ino)
    except OSError as error:
        raise EditionError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise EditionError("this is not text in UTF-8; save it in UTF-8", path.name) from None


@lru_cache(maxsize=64)
def _kept(path: Path, _changed_at: int, _size: int, _inode: int) -> Edition:
    return read_edition(path.stem, path.read_text(encoding="utf-8-sig"))


@lru_cache(maxsize=64)
def read_edition(code: str, text: str) -> Edition:
    """An edition from the text of its TOML file; `EditionError` names the entry that is wrong, its line and why."""
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
