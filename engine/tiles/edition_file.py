"""Parser of edition files: TOML written by hand, with an error message and a line number for every mistake.

`docs/formats.md` describes the keys. This module parses the text into an `EditionFile`; `engine/tiles/edition.py`
makes an `Edition` of it.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from typing import Any, NoReturn

from engine.board.coordinates import Notation
from engine.board.premiums import Premium, read_premiums
from engine.i18n import N_
from engine.tiles.folding import fold

MAX_KINDS = 30
MAX_OF_A_KIND = 200
HIGHEST_VALUE = 99
LONGEST_FACE = 3
LONGEST_ALIAS = 6
LONGEST_TEXT = 500
BLANK_FACE = "?"

_NEEDED = ("name", "language", "across", "source", "verified", "tiles")
_OPTIONAL = ("blank_only", "keeps", "aliases", "may_be_split", "premiums")
_OF_A_TILE = ("count", "value", "class")
_INSIDE_A_FACE = "·'"
_CODE = re.compile(r"[a-z0-9][a-z0-9-]{0,19}")
_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)$")
_SECTION = re.compile(r"\s*\[\s*(\w+)\s*(?:\.\s*(\"[^\"]*\"|'[^']*'|[\w-]+)\s*)?\]")
_KEY = re.compile(r"\s*(\"[^\"]*\"|'[^']*'|[A-Za-z0-9_-]+)\s*[=.]")
_KEY_WITHOUT_QUOTES = re.compile(r"\s*([^\s\"'#=\[\]{}]*[^\x00-\x7f][^\s\"'#=\[\]{}]*)\s*=")


class EditionError(ValueError):
    """Missing edition or invalid edition file; the message names file, line, entry and reason.

    `template` is the reason in English, with names in place of `fields`.
    """

    def __init__(self, template: str, file: str = "", line: int | None = None, **fields: object) -> None:
        self.template = template
        self.fields = fields
        self.file = file
        self.line = line
        super().__init__(self.explain_with_place(lambda text: text))

    def explain(self, translate: Callable[[str], str]) -> str:
        """Return the reason in the language of `translate`."""
        return translate(self.template) % self.fields

    def explain_with_place(self, translate: Callable[[str], str]) -> str:
        """Return file, line and reason in the language of `translate`."""
        reason = self.explain(translate)
        if self.line:
            place = translate(N_("%(file)s, line %(line)d: %(reason)s"))
            return place % {"file": self.file, "line": self.line, "reason": reason}
        return f"{self.file}: {reason}" if self.file else reason


class TileClass(StrEnum):
    VOWEL = "vowel"
    CONSONANT = "consonant"
    EITHER = "either"
    BLANK = "blank"


@dataclass(frozen=True, slots=True)
class TileKind:
    """Kind of tile in the bag: face ("A", "L·L", "?" for the blank), number of tiles, value, and class."""

    face: str
    count: int
    value: int
    tile_class: TileClass


@dataclass(frozen=True, slots=True)
class EditionFile:
    """Validated content of an edition file. `aliases` are given in every combination of upper and lower case."""

    name: str
    language: str
    across: Notation
    source: str
    verified: bool
    kinds: tuple[TileKind, ...]
    blank_only: tuple[str, ...]
    premiums: tuple[Premium, ...]
    keeps: frozenset[str]
    aliases: Mapping[str, str]
    may_be_split: frozenset[str]


def is_edition_code(text: str) -> bool:
    """Return True if the text is a valid code of an edition."""
    return _CODE.fullmatch(text) is not None


def read_edition_file(code: str, text: str) -> EditionFile:
    """Parse the content of `<code>.toml`; `EditionError` for the first invalid entry."""
    if not is_edition_code(code):
        template = N_("the file of an edition is named for its code: small letters, digits and hyphens, 20 at most")
        raise EditionError(template, f"{code}.toml")
    return _File(code, text).read()


class _File:
    """Parser of one file."""

    def __init__(self, code: str, text: str) -> None:
        self.file = f"{code}.toml"
        self.entries = list(_entries(text))
        self.table = self._parsed(text)

    def read(self) -> EditionFile:
        self._check_names()
        keeps = frozenset(self._texts("keeps"))
        kinds = tuple(self._kind(face, entry) for face, entry in self._section("tiles").items())
        blank_only = tuple(self._face(face, "blank_only") for face in self._texts("blank_only"))
        self._check_kinds(kinds, blank_only)
        faces = [kind.face for kind in kinds[1:]] + list(blank_only)
        aliases = self._aliases(faces)
        self._check_folding(faces, keeps, aliases)
        return EditionFile(
            name=self._one_line("name"),
            language=self._one_line("language"),
            across=self._across(),
            source=self._one_line("source"),
            verified=self._verified(),
            kinds=kinds,
            blank_only=blank_only,
            premiums=self._premiums(),
            keeps=keeps,
            aliases=aliases,
            may_be_split=frozenset(self._may_be_split(faces)),
        )

    def refuse(self, template: str, section: str = "", key: str = "", **fields: object) -> NoReturn:
        """Raise the error at the line of this entry, else of its section, else at the first line."""
        for wanted in ((section, key), ("", section), (section, "")):
            for line, found_section, found_key in self.entries:
                if (found_section, found_key) == wanted != ("", ""):
                    raise EditionError(template, self.file, line, **fields)
        raise EditionError(template, self.file, 1, **fields)

    def _parsed(self, text: str) -> dict[str, Any]:
        try:
            return tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            self._refuse_text(text, str(error))

    def _refuse_text(self, text: str, complaint: str) -> NoReturn:
        """Raise the error for invalid TOML; duplicate keys and missing quotes, the usual mistakes, get a remedy."""
        seen: dict[tuple[str, str], int] = {}
        for line, section, key in self.entries if "overwrite" in complaint or "twice" in complaint else ():
            if (section, key) in seen:
                template = N_("%(entry)s is there twice, first in line %(first)d; remove one of them")
                if section == "tiles" and key:
                    template = N_("tile %(entry)s is there twice, first in line %(first)d; remove one of them")
                raise EditionError(template, self.file, line, entry=key or section, first=seen[section, key])
            seen[section, key] = line
        at = _AT_LINE.search(complaint)
        number = int(at[1]) if at else max(1, text.count("\n"))
        line_text = text.split("\n")[number - 1] if number <= text.count("\n") + 1 else ""
        if bare := _KEY_WITHOUT_QUOTES.match(line_text):
            template = N_('write "%(key)s" in quotes, since it is not plain ASCII')
            raise EditionError(template, self.file, number, key=bare[1])
        template = N_("this cannot be read as TOML: %(complaint)s")
        raise EditionError(template, self.file, number, complaint=_AT_LINE.sub("", complaint))

    def _check_names(self) -> None:
        known = (*_NEEDED, *_OPTIONAL)
        for key in self.table:
            if key not in known:
                template = N_("there is no entry %(entry)s; there are %(known)s")
                self.refuse(template, "", key, entry=repr(key), known=", ".join(known))
        for key in _NEEDED:
            if key not in self.table:
                self.refuse(N_("the entry %(entry)s is missing"), entry=key)

    def _section(self, key: str) -> dict[str, Any]:
        table = self.table.get(key, {})
        if not isinstance(table, dict):
            self.refuse(N_("%(entry)s must be a table, [%(entry)s]"), "", key, entry=key)
        return table

    def _one_line(self, key: str) -> str:
        text = self.table[key]
        if not isinstance(text, str) or not text.strip() or len(text) > LONGEST_TEXT or not text.isprintable():
            self.refuse(N_("%(entry)s must be one line of text in quotes"), "", key, entry=key)
        return text.strip()

    def _across(self) -> Notation:
        value = self.table["across"]
        if value not in list(Notation):
            self.refuse(N_('across must be "8H" or "H8", not %(value)s'), "", "across", value=_format_value(value))
        return Notation(value)

    def _verified(self) -> bool:
        value = self.table["verified"]
        if not isinstance(value, bool):
            template = N_("verified must be true or false, not %(value)s")
            self.refuse(template, "", "verified", value=_format_value(value))
        return value

    def _texts(self, key: str) -> list[str]:
        """Return a list of distinct letters in composed form (NFC)."""
        value = self.table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            self.refuse(N_('%(entry)s must be a list of letters such as ["Ä", "Ö"]'), "", key, entry=key)
        texts = [unicodedata.normalize("NFC", one) for one in value]
        for one in texts:
            if texts.count(one) > 1:
                self.refuse(N_("%(entry)s has %(letter)s twice"), "", key, entry=key, letter=one)
            if key == "keeps" and (len(one) != 1 or not _is_capital(one)):
                self.refuse(N_("keeps holds single capital letters, not %(value)s"), "", key, value=_format_value(one))
        return texts

    def _kind(self, face: str, entry: object) -> TileKind:
        if not isinstance(entry, dict):
            self._refuse_tile(face, N_('tile %(tile)s: write it as { count = 2, value = 3, class = "consonant" }'))
        for key in entry:
            if key not in _OF_A_TILE:
                template = N_("tile %(tile)s: there is no %(entry)s; there are %(known)s")
                self._refuse_tile(face, template, entry=repr(key), known=", ".join(_OF_A_TILE))
        for key in _OF_A_TILE:
            if key not in entry:
                self._refuse_tile(face, N_("tile %(tile)s: %(entry)s is missing"), entry=key)
        count = self._number(face, entry, "count", 1, MAX_OF_A_KIND)
        value = self._number(face, entry, "value", 0, HIGHEST_VALUE)
        if entry["class"] not in list(TileClass):
            template = N_("tile %(tile)s: class must be one of %(known)s, not %(value)s")
            self._refuse_tile(face, template, known=", ".join(TileClass), value=_format_value(entry["class"]))
        tile_class = TileClass(entry["class"])
        if (tile_class is TileClass.BLANK) != (face == BLANK_FACE) or (face == BLANK_FACE and value):
            self._refuse_tile(face, N_('tile %(tile)s: the blank is "?", of the class blank, and its value 0'))
        return TileKind(face if face == BLANK_FACE else self._face(face, "tiles"), count, value, tile_class)

    def _number(self, face: str, entry: Mapping[str, object], key: str, least: int, most: int) -> int:
        number = entry[key]
        if type(number) is not int or not least <= number <= most:
            template = N_("tile %(tile)s: %(entry)s must be a whole number from %(least)d to %(most)d, not %(value)s")
            self._refuse_tile(face, template, entry=key, least=least, most=most, value=_format_value(number))
        return number

    def _refuse_tile(self, face: str, template: str, **fields: object) -> NoReturn:
        self.refuse(template, "tiles", face, tile=_truncate(face), **fields)

    def _face(self, face: str, section: str) -> str:
        """Return the face in composed form (NFC); raise the error if words cannot be written with it."""
        composed = unicodedata.normalize("NFC", face)
        key = face if section == "tiles" else ""
        if not 1 <= len(composed) <= LONGEST_FACE:
            template = N_("tile %(tile)s: a face has 1 to %(most)d signs")
            self.refuse(template, section, key, tile=_truncate(face), most=LONGEST_FACE)
        inside = composed[1:-1] if len(composed) > 1 else ""
        if not all(sign.isalpha() or (sign in _INSIDE_A_FACE and sign in inside) for sign in composed):
            self.refuse(
                N_("tile %(tile)s: a face holds letters only, and · or ' between them"), section, key, tile=face
            )
        if not _is_capital(composed):
            template = N_("tile %(tile)s: a face is written in capitals that have small letters")
            self.refuse(template, section, key, tile=face)
        return composed

    def _check_kinds(self, kinds: tuple[TileKind, ...], blank_only: tuple[str, ...]) -> None:
        if not kinds or kinds[0].tile_class is not TileClass.BLANK:
            self.refuse(N_('the first tile must be the blank, "?", of the class blank'), "tiles")
        if max(len(kinds), len(kinds) - 1 + len(blank_only)) > MAX_KINDS:
            template = N_(
                "%(kinds)d kinds of tiles and %(blank_only)d letters by blank only are too many; "
                "the engine holds %(most)d"
            )
            self.refuse(template, "tiles", kinds=len(kinds), blank_only=len(blank_only), most=MAX_KINDS)
        faces = [kind.face for kind in kinds] + list(blank_only)
        for face in faces:
            if faces.count(face) > 1:
                section, key = ("", "blank_only") if face in blank_only else ("tiles", face)
                self.refuse(N_("tile %(tile)s is there twice; remove one of them"), section, key, tile=face)

    def _check_folding(self, faces: list[str], keeps: frozenset[str], aliases: Mapping[str, str]) -> None:
        """Raise the error if a face changes when accents are removed."""
        for face in faces:
            folded = fold(face, keeps, aliases)
            if folded == face:
                continue
            if folded in faces:
                template = N_("tile %(tile)s: it is the same as %(folded)s without its accent; put it into keeps")
            else:
                template = N_("tile %(tile)s: it is read as %(folded)s without its accent; put it into keeps")
            self.refuse(template, "tiles", face, tile=face, folded=folded)

    def _aliases(self, faces: list[str]) -> dict[str, str]:
        """Return the aliases, the longest first, in every case; all lower case means a blank, else a tile."""
        found: dict[str, str] = {}
        for alias, spelled in sorted(self._section("aliases").items(), key=lambda entry: (-len(entry[0]), entry[0])):
            self._check_alias(alias, spelled, faces)
            for written in _in_every_case(unicodedata.normalize("NFC", alias)):
                found[written] = spelled.lower() if written.islower() else spelled
        return found

    def _check_alias(self, alias: str, spelled: object, faces: list[str]) -> None:
        if not 1 <= len(alias) <= LONGEST_ALIAS or alias != alias.upper():
            template = N_("alias %(alias)s: write it in capitals, %(most)d signs at most")
            self.refuse(template, "aliases", alias, alias=_truncate(alias), most=LONGEST_ALIAS)
        if alias in faces or not any(sign.isalpha() for sign in alias):
            template = N_("alias %(alias)s: it must hold a letter, and not be a tile itself")
            self.refuse(template, "aliases", alias, alias=alias)
        if not isinstance(spelled, str) or not _is_spelled(spelled, faces):
            template = N_("alias %(alias)s: %(value)s is not made of letters of the edition")
            self.refuse(template, "aliases", alias, alias=alias, value=_format_value(spelled))

    def _may_be_split(self, faces: list[str]) -> Iterator[str]:
        for face in self._texts("may_be_split"):
            if len(face) < 2 or face not in faces:
                template = N_("may_be_split: %(tile)s is no tile of several letters")
                self.refuse(template, "", "may_be_split", tile=face)
            for sign in face:
                if sign not in faces:
                    template = N_("may_be_split: %(tile)s cannot be laid apart without a letter %(letter)s")
                    self.refuse(template, "", "may_be_split", tile=face, letter=sign)
            yield face

    def _premiums(self) -> tuple[Premium, ...]:
        rows = self.table.get("premiums")
        if rows is not None and (not isinstance(rows, list) or not all(isinstance(row, str) for row in rows)):
            self.refuse(N_("premiums must be a list of 15 rows of text"), "", "premiums")
        try:
            return read_premiums(rows)
        except ValueError as error:
            self.refuse(str(error), "", "premiums")


def _entries(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield (line from 1, section, key) of every header and key at the start of a line; the first section is ""."""
    section = ""
    for number, line in enumerate(text.split("\n"), 1):
        if header := _SECTION.match(line):
            section = header[1]
            yield number, section, (header[2] or "").strip("\"'")
        elif key := _KEY.match(line):
            yield number, section, key[1].strip("\"'")


def _is_capital(text: str) -> bool:
    """Return True if the text is in capitals and each of its characters has a lower-case form."""
    small = text.lower()
    return text == text.upper() != small and small.upper() == text and len(small) == len(text)


def _is_spelled(text: str, faces: Iterable[str]) -> bool:
    """Return True if the text can be divided into faces, the longest first."""
    longest_first = sorted(faces, key=len, reverse=True)
    rest = text
    while rest:
        face = next((face for face in longest_first if rest.startswith(face)), None)
        if face is None:
            return False
        rest = rest[len(face) :]
    return bool(text)


def _in_every_case(text: str) -> list[str]:
    return ["".join(signs) for signs in product(*(dict.fromkeys((sign, sign.lower())) for sign in text))]


def _truncate(text: str) -> str:
    return text if len(text) <= 20 else text[:19] + "…"


def _format_value(value: object) -> str:
    """Return a short form of a value for an error message."""
    if isinstance(value, int) and value.bit_length() > 60:
        return "a number with so many digits"
    return _truncate(repr(value)) if isinstance(value, str | int | float) else f"a {type(value).__name__}"
