"""Reading a list of players: CSV with commas, semicolons or tabs, a header or none, or lines pasted from a mail."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from engine.standings.person_names import full_name
from tournaments import validators
from tournaments.errors import Refused
from tournaments.formula_guard import unescape_formula
from tournaments.players.column_headings import NAME_FIELDS, header_of
from tournaments.players.look_alikes import name_skeletons

_NUMBER = re.compile(r"[+-]?\d+")
_NUMBERED_NAME = re.compile(r"(\d+)[.):]?\s+(\S.*)")

COLUMNS = ("table", "name", "club", "series", "age_class", "country", "team", "nickname", "room")
_SHOWN = 80


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """A player to add. Without a table the player gets the lowest free one; `room` is the name of a room, or empty.

    `surname` is the end of `name` where the list has surnames, else empty.
    """

    table: int | None
    name: str
    club: str = ""
    series: str = ""
    age_class: str = ""
    country: str = ""
    team: str = ""
    nickname: str = ""
    room: str = ""
    surname: str = ""
    licence: str = ""


@dataclass(frozen=True, slots=True)
class LineError:
    """A line of a list that cannot be used: its number from 1, its text, what is wrong and what to do."""

    line: int
    text: str
    sentence: str


@dataclass(frozen=True, slots=True)
class ParsedPlayers:
    """The players that were read, and every line that could not be read."""

    players: list[NewPlayer]
    errors: list[LineError]


def parse_players(text: str, *, namesakes: bool = False) -> ParsedPlayers:
    """Players from CSV (table, name, club, series, age class, country, team, nickname, room) or from lines such as
    `12 Anna Rossi, Torino`.

    A header, in one of seven languages, may leave columns out and reorder them; unknown ones are passed over. A table
    twice, or a name twice within a club, is an error of the later line; empty lines do not matter. `namesakes`: equal
    names within a club are different people.
    """
    players: list[NewPlayer] = []
    errors: list[LineError] = []
    seen = _SeenPlayers(namesakes=namesakes)
    for number, line, cells in _player_lines(text):
        try:
            player = _read_player(cells)
            seen.add(player, number)
        except Refused as refused:
            errors.append(LineError(number, line.strip()[:_SHOWN], refused.sentence))
            continue
        players.append(player)
    return ParsedPlayers(players, errors)


class _SeenPlayers:
    """The first line of each table and name."""

    def __init__(self, *, namesakes: bool) -> None:
        self._namesakes = namesakes
        self._count = 0
        self._tables: dict[int, int] = {}
        self._names: dict[tuple[str, str], tuple[int, str]] = {}

    def add(self, player: NewPlayer, line: int) -> None:
        named = [(look, player.club.casefold()) for look in name_skeletons(player.name)]
        if self._count >= validators.MOST_PLAYERS:
            raise Refused(_("An event holds at most %(most)d players.") % {"most": validators.MOST_PLAYERS})
        if player.table is not None and player.table in self._tables:
            raise Refused(
                _("Table %(table)d is there twice; it is in line %(line)d already.")
                % {"table": player.table, "line": self._tables[player.table]}
            )
        for line_there, name in (self._names[each] for each in named if each in self._names):
            if self._namesakes and is_same_name(name, player.name):
                continue
            raise Refused(_duplicate_sentence(player.name, name, line_there))
        if player.table is not None:
            self._tables[player.table] = line
        self._names |= dict.fromkeys(named, (line, player.name))
        self._count += 1


def _duplicate_sentence(name: str, other: str, line: int) -> str:
    if is_same_name(name, other):
        text = _("%(name)s is there twice; the name is in line %(line)d already.")
    else:
        text = _("%(name)s looks the same as %(other)s in line %(line)d: write one of the names differently.")
    return text % {"name": name, "other": other, "line": line}


def _player_lines(text: str) -> Iterator[tuple[int, str, Mapping[str, str]]]:
    """(line number, the line, cells by column) of each line that is neither empty nor the header."""
    lines = text.removeprefix("\ufeff").splitlines()
    delimiter = next((sign for sign in "\t;" if any(sign in line for line in lines)), ",")
    header: Sequence[str] | None = None
    first = True
    for number, line in enumerate(lines, 1):
        cells = [validators.one_line(unescape_formula(cell)) for cell in _cells(line, delimiter)]
        if not any(cells):
            continue
        if first:
            first = False
            header = header_of(cells)
            if header is not None:
                continue
        columns = header or columns_of(cells)
        placed = zip(columns, cells if header else split_number(cells), strict=False)
        yield number, line, {column: cell for column, cell in placed if column}


def _cells(line: str, delimiter: str) -> list[str]:
    """The cells of a line; one that is too long for the reader is a single cell, which is refused as a name."""
    try:
        return [cell for row in csv.reader([line], delimiter=delimiter) for cell in row]
    except csv.Error:
        return [line]


def split_number(cells: Sequence[str]) -> list[str]:
    """`12 Anna Rossi` is two cells."""
    numbered = _NUMBERED_NAME.fullmatch(cells[0])
    return [numbered[1], numbered[2], *cells[1:]] if numbered else list(cells)


def columns_of(cells: Sequence[str]) -> Sequence[str]:
    """The columns of a list without headings, by its first line: the table may be left out."""
    has_table = not cells[0] or _NUMBER.fullmatch(cells[0]) or _NUMBERED_NAME.fullmatch(cells[0])
    return COLUMNS if has_table else COLUMNS[1:]


def _read_player(cells: Mapping[str, str]) -> NewPlayer:
    return make_player({column: READERS[column](text) for column, text in {"name": "", **cells}.items()})


def make_player(values: Mapping[str, object]) -> NewPlayer:
    """The player of a row, from the values that `READERS` read. Raise `Refused` for one without a name."""
    rest = {column: value for column, value in values.items() if column not in NAME_FIELDS}
    surname, first_name = str(values.get("surname") or ""), str(values.get("first_name") or "")
    name = full_name(first_name, surname) or str(values.get("name") or "")
    return NewPlayer(**{"table": None, **rest, "name": validators.player_name(name), "surname": surname})  # type: ignore[arg-type]  # each reader gives what its column is


def is_same_name(name: str, other: str) -> bool:
    """Return True for two names that differ in case at most."""
    return name.casefold() == other.casefold()


def read_table(text: str) -> int | None:
    """The number of a table; None for the next free one."""
    if not text:
        return None
    if not _NUMBER.fullmatch(text) or len(text) > _SHOWN:
        raise Refused(_("“%(text)s” is not the number of a table.") % {"text": text[:_SHOWN]})
    return validators.table_number(int(text))


READERS: Mapping[str, Callable[[str], object]] = {
    "table": read_table,
    "name": lambda text: validators.typed_name(text, what=_("name")),
    "surname": validators.surname,
    "first_name": validators.first_name,
    "licence": validators.licence,
    "club": validators.club,
    "series": validators.series,
    "age_class": validators.age_class,
    "country": validators.country,
    "team": validators.team,
    "nickname": validators.nickname,
    "room": lambda text: validators.room_name(text) if text else "",
}
"""By column the function that reads a cell."""
