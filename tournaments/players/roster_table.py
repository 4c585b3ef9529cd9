"""Read a table of players from a file, cell by cell; every error names its cell.

The columns are recognised by their headings in seven languages (`tournaments.players.column_headings`). Nothing is
stored here: the caller adds the players when there is no error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from tournaments import validators
from tournaments.errors import Refused
from tournaments.formula_guard import unescape_formula
from tournaments.models import Event, Player, Room
from tournaments.players import roster_text
from tournaments.players.cell_tables import CellRow, cell_name, read_cells
from tournaments.players.column_headings import header_of
from tournaments.players.roster_text import NewPlayer

MOST_ERRORS = 200
_SPREADSHEET_ERRORS = frozenset({"#REF!", "#N/A", "#NAME?", "#VALUE!", "#DIV/0!", "#NULL!", "#NUM!"})

_READERS: Mapping[str, Callable[[str], object]] = {
    "table": roster_text.read_table,
    "name": validators.player_name,
    "club": validators.club,
    "series": validators.series,
    "age_class": validators.age_class,
    "country": validators.country,
    "team": validators.team,
    "nickname": validators.nickname,
    "room": lambda text: validators.room_name(text) if text else "",
}


@dataclass(frozen=True, slots=True)
class CellError:
    """A fault of a cell ("B7"), with its remedy."""

    cell: str
    sentence: str

    @property
    def text(self) -> str:
        """Both together."""
        return f"{self.cell}: {self.sentence}"


@dataclass(frozen=True, slots=True)
class SheetPlayer:
    """A player of the table; `cells` are the names of the cells it was read from, by column."""

    row: int
    player: NewPlayer
    cells: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PlayerSheet:
    """Content of a file: the recognised columns in their order, the players, and every error."""

    columns: Sequence[str]
    players: Sequence[SheetPlayer]
    errors: Sequence[CellError]

    @property
    def new_players(self) -> list[NewPlayer]:
        """The players alone, as `players.add_players` takes them."""
        return [each.player for each in self.players]


def read_player_sheet(content: bytes, event: Event | None = None) -> PlayerSheet:
    """The players in a CSV or XLSX file, held against those of an event where one is given.

    Without headings the columns are table, name, club, series, age class, country, team, nickname, room; the first
    may be left out. `Refused` when the file is no table; else all that is wrong is among the errors.
    """
    return parse_player_rows(read_cells(content), event)


def parse_player_rows(rows: Sequence[CellRow], event: Event | None = None) -> PlayerSheet:
    """The same of rows that were read already."""
    if not rows:
        return PlayerSheet((), (), ())
    reading = _SheetReader(_ExistingPlayers.of(event))
    header = header_of(rows[0].cells)
    columns: Sequence[str] = header or roster_text.columns_of(rows[0].cells)
    for row in rows if header is None else rows[1:]:
        if len(reading.errors) >= MOST_ERRORS:
            break
        cells = row.cells if header else roster_text.split_number(row.cells)
        shift = len(cells) - len(row.cells)
        reading.take(row.number, dict(_placed(columns, cells, row.number, shift)))
    most = validators.MOST_PLAYERS - len(reading.known.tables)
    if len(reading.players) > most:
        sentence = _("An event holds at most %(most)d players.") % {"most": validators.MOST_PLAYERS}
        reading.errors.append(CellError(f"A{reading.players[most].row}", sentence))
    return PlayerSheet(tuple(name for name in columns if name), tuple(reading.players), tuple(reading.errors))


def _placed(
    columns: Sequence[str], cells: Sequence[str], row: int, shift: int
) -> Iterator[tuple[str, tuple[str, str]]]:
    """(column, (name of the cell, its text)); what has no column is passed over. `12 Anna Rossi` is one cell for two
    columns, by which all later ones are shifted."""
    filled = [*cells, *([""] * (len(columns) - len(cells)))]
    for at, (column, text) in enumerate(zip(columns, filled, strict=False)):
        if column:
            yield column, (cell_name(max(0, at - shift), row), validators.one_line(unescape_formula(text)))


@dataclass(slots=True)
class _ExistingPlayers:
    """Existing players by table and by name and club, and the names of the rooms; None accepts any room."""

    tables: dict[int, str] = field(default_factory=dict)
    named: dict[tuple[str, str], int] = field(default_factory=dict)
    called: set[str] = field(default_factory=set)
    rooms: set[str] | None = None

    @classmethod
    def of(cls, event: Event | None) -> _ExistingPlayers:
        known = cls()
        if event is None:
            return known
        known.rooms = {name.casefold() for name in Room.objects.filter(event=event).values_list("name", flat=True)}
        fields = ("table", "name", "nickname", "club")
        for table, name, nickname, club in Player.objects.filter(event=event).values_list(*fields):
            known.tables[table] = name
            known.named[(name.casefold(), club.casefold())] = table
            known.called |= {name.casefold(), nickname.casefold()} - {""}
        return known


@dataclass(slots=True)
class _SheetReader:
    """The players read so far, and what later ones must not be."""

    known: _ExistingPlayers
    players: list[SheetPlayer] = field(default_factory=list)
    errors: list[CellError] = field(default_factory=list)
    tables: dict[int, str] = field(default_factory=dict)
    named: dict[tuple[str, str], str] = field(default_factory=dict)

    def take(self, row: int, cells: Mapping[str, tuple[str, str]]) -> None:
        """Read a row; each cell that cannot be used is an error of its own."""
        before = len(self.errors)
        values = {column: self._value(column, name, text) for column, (name, text) in cells.items()}
        if len(self.errors) > before:
            return
        player = NewPlayer(**{"table": None, **values})  # type: ignore[arg-type]  # each reader gives what its column is
        where = {column: name for column, (name, _text) in cells.items()}
        self._compare_with_event(player, where)
        if len(self.errors) == before:
            self.players.append(SheetPlayer(row, player, where))
            self._remember(player, where)

    def _value(self, column: str, cell: str, text: str) -> object:
        if text.upper() in _SPREADSHEET_ERRORS:
            self._wrong(cell, _("The spreadsheet has an error here (%(text)s): mend it there.") % {"text": text})
            return None
        try:
            return _READERS[column](text)
        except Refused as refused:
            self._wrong(cell, refused.sentence)
            return None

    def _compare_with_event(self, player: NewPlayer, where: Mapping[str, str]) -> None:
        self._check_table(player, where)
        self._check_name(player, where)
        called = player.nickname.casefold()
        if called and (called in self.known.called or any(called == name for name, _club in self.named)):
            taken = _("Another player is called %(name)s; choose another nickname.") % {"name": player.nickname}
            self._wrong(where["nickname"], taken)
        if player.room and self.known.rooms is not None and player.room.casefold() not in self.known.rooms:
            missing = _("There is no room “%(room)s”: add it first, on the page of the players.")
            self._wrong(where["room"], missing % {"room": player.room})

    def _check_table(self, player: NewPlayer, where: Mapping[str, str]) -> None:
        if player.table is None:
            return
        if player.table in self.known.tables:
            taken = _("Table %(table)d is taken by %(name)s; choose another, or leave the cell empty.")
            self._wrong(where["table"], taken % {"table": player.table, "name": self.known.tables[player.table]})
        elif player.table in self.tables:
            twice = _("Table %(table)d is there twice; it is in cell %(cell)s already.")
            self._wrong(where["table"], twice % {"table": player.table, "cell": self.tables[player.table]})

    def _check_name(self, player: NewPlayer, where: Mapping[str, str]) -> None:
        named = (player.name.casefold(), player.club.casefold())
        if named in self.known.named:
            there = _("%(name)s is in the list already, at table %(table)d.")
            self._wrong(where["name"], there % {"name": player.name, "table": self.known.named[named]})
        elif named in self.named:
            twice = _("%(name)s is there twice; the name is in cell %(cell)s already.")
            self._wrong(where["name"], twice % {"name": player.name, "cell": self.named[named]})

    def _remember(self, player: NewPlayer, where: Mapping[str, str]) -> None:
        if player.table is not None:
            self.tables[player.table] = where["table"]
        self.named[(player.name.casefold(), player.club.casefold())] = where["name"]
        self.known.called |= {player.name.casefold(), player.nickname.casefold()} - {""}

    def _wrong(self, cell: str, sentence: str) -> None:
        self.errors.append(CellError(cell, sentence))
