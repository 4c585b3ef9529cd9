"""Read a table of players from a file, cell by cell; every error names its cell.

The columns are recognised by their headings in seven languages (`tournaments.players.column_headings`), or assigned by
whoever imports the file. Nothing is stored here; `tournaments.players.roster_changes` compares the players with those
of an event.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext as _

from tournaments import validators
from tournaments.errors import Refused
from tournaments.players import roster_text
from tournaments.players.cell_tables import CellRow, cell_name
from tournaments.players.column_headings import FIELDS, NAME_FIELDS, header_of
from tournaments.players.roster_text import READERS, NewPlayer, make_player
from tournaments.players.table_columns import (
    MOST_ERRORS,
    CellError,
    SheetColumn,
    fill_columns,
    find_repeated_column,
    place_cells,
    read_cell,
)


@dataclass(frozen=True, slots=True)
class SheetPlayer:
    """A player of the table; `cells` are the names of the cells it was read from, by column. `namesake` is the row of
    an earlier player of the same name and club, 0 without one."""

    row: int
    player: NewPlayer
    cells: Mapping[str, str]
    namesake: int = 0

    def cell(self, *columns: str) -> str:
        """The name of the cell of the first of these columns that the file has, else of the first cell of the row."""
        return next((self.cells[column] for column in columns if column in self.cells), cell_name(0, self.row))


@dataclass(frozen=True, slots=True)
class PlayerSheet:
    """Content of a file: its columns in their order, the players, and every error. `has_header`: the first row holds
    headings."""

    headings: Sequence[SheetColumn]
    players: Sequence[SheetPlayer]
    errors: Sequence[CellError]
    has_header: bool = False

    @property
    def columns(self) -> list[str]:
        """The fields of the columns that are read."""
        return [column.field for column in self.headings if column.field]

    @property
    def new_players(self) -> list[NewPlayer]:
        """The players alone, as `add_players` and `create_event` take them."""
        return [each.player for each in self.players]


def parse_player_rows(
    rows: Sequence[CellRow],
    assigned: Sequence[str] | None = None,
    *,
    has_header: bool | None = None,
    namesakes: bool = False,
) -> PlayerSheet:
    """The players in the rows of a file (`tournaments.players.cell_tables.read_cells`); all that is wrong is among the
    errors. Without headings the columns are table, name, club, series, age class, country, team, nickname, room; the
    first may be left out.

    `assigned` are the fields of the columns, empty for one that is ignored; None recognises them. `namesakes` accepts
    players of one name and club with different tables or licences.
    """
    if not rows:
        return PlayerSheet((), (), ())
    recognised = header_of(rows[0].cells)
    with_header = recognised is not None if has_header is None else has_header
    listed = [(row, row.cells if with_header else roster_text.split_number(row.cells)) for row in rows]
    width = max(len(cells) for _row, cells in listed)
    fields = assigned if assigned is not None else recognised or roster_text.columns_of(rows[0].cells)
    columns = fill_columns(fields, FIELDS, width)
    reader = _SheetReader(namesakes=namesakes)
    reader.require_different_columns(columns, rows[0].number)
    is_readable = not reader.errors and not NAME_FIELDS.isdisjoint(columns)
    for row, cells in listed[1:] if with_header else listed:
        if not is_readable or len(reader.errors) >= MOST_ERRORS:
            break
        reader.take(row.number, dict(place_cells(columns, cells, row.number, len(cells) - len(row.cells))))
    titles = rows[0].cells if with_header else ()
    samples = next((cells for _row, cells in listed[1 if with_header else 0 :]), ())
    headings = [
        SheetColumn(" ".join(titles[at : at + 1]), " ".join(samples[at : at + 1]), field)
        for at, field in enumerate(columns[:width])
    ]
    return PlayerSheet(headings, tuple(reader.players), tuple(reader.errors), with_header)


@dataclass(slots=True)
class _SheetReader:
    """The players read so far, and what later ones must not be."""

    namesakes: bool
    players: list[SheetPlayer] = field(default_factory=list)
    errors: list[CellError] = field(default_factory=list)
    tables: dict[int, str] = field(default_factory=dict)
    licences: dict[str, str] = field(default_factory=dict)
    named: dict[tuple[str, str], SheetPlayer] = field(default_factory=dict)
    called: set[str] = field(default_factory=set)

    def require_different_columns(self, columns: Sequence[str], row: int) -> None:
        """Report the first column whose field an earlier one has."""
        error = find_repeated_column(columns, row)
        if error is not None:
            self.errors.append(error)

    def take(self, row: int, cells: Mapping[str, tuple[str, str]]) -> None:
        """Read a row; each cell that cannot be used is an error of its own."""
        before = len(self.errors)
        values = {column: self._value(column, name, text) for column, (name, text) in cells.items()}
        if len(self.errors) > before:
            return
        where = {column: name for column, (name, _text) in cells.items()}
        try:
            read = SheetPlayer(row, make_player(values), where)
        except Refused as refused:
            self._wrong(next(where[column] for column in _NAME_ORDER if column in where), refused.sentence)
            return
        read = replace(read, namesake=self._compare(read))
        if len(self.errors) == before:
            self.players.append(read)
            self._remember(read)

    def _value(self, column: str, cell: str, text: str) -> object:
        value = read_cell(cell, text, READERS[column])
        if isinstance(value, CellError):
            self.errors.append(value)
        return value

    def _compare(self, read: SheetPlayer) -> int:
        """Compare a player with those above; return the row of a namesake."""
        player = read.player
        if len(self.players) >= validators.MOST_PLAYERS:
            most = _("An event holds at most %(most)d players.") % {"most": validators.MOST_PLAYERS}
            self._wrong(read.cell(), most)
        if player.table is not None and player.table in self.tables:
            twice = _("Table %(table)d is there twice; it is in cell %(cell)s already.")
            self._wrong(read.cell("table"), twice % {"table": player.table, "cell": self.tables[player.table]})
        if player.licence and player.licence.casefold() in self.licences:
            twice = _("The licence number %(licence)s is there twice; it is in cell %(cell)s already.")
            cell = self.licences[player.licence.casefold()]
            self._wrong(read.cell("licence"), twice % {"licence": player.licence, "cell": cell})
        if player.nickname and player.nickname.casefold() in self.called:
            taken = _("Another player is called %(name)s; choose another nickname.") % {"name": player.nickname}
            self._wrong(read.cell("nickname"), taken)
        same = self.named.get(_name_and_club(player))
        if same is None:
            return 0
        if not (self.namesakes and _is_distinguished(player, same.player)):
            twice = _("%(name)s is there twice; the name is in cell %(cell)s already.")
            self._wrong(read.cell(*_NAME_ORDER), twice % {"name": player.name, "cell": same.cell(*_NAME_ORDER)})
        return same.row

    def _remember(self, read: SheetPlayer) -> None:
        player = read.player
        if player.table is not None:
            self.tables[player.table] = read.cell("table")
        if player.licence:
            self.licences[player.licence.casefold()] = read.cell("licence")
        self.named.setdefault(_name_and_club(player), read)
        self.called |= {player.name.casefold(), player.nickname.casefold()} - {""}

    def _wrong(self, cell: str, sentence: str) -> None:
        self.errors.append(CellError(cell, sentence))


_NAME_ORDER = ("name", "surname", "first_name")


def _name_and_club(player: NewPlayer) -> tuple[str, str]:
    return player.name.casefold(), player.club.casefold()


def _is_distinguished(player: NewPlayer, other: NewPlayer) -> bool:
    """Return True when licences or tables tell two players of one name apart."""
    licences = bool(player.licence and other.licence) and player.licence.casefold() != other.licence.casefold()
    return licences or (None not in (player.table, other.table) and player.table != other.table)
