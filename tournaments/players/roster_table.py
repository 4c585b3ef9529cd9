"""Read a table of players from a file, cell by cell; every error names its cell.

The columns are recognised by their headings in seven languages (`tournaments.players.column_headings`), or assigned by
whoever imports the file. Nothing is stored here; `tournaments.players.roster_changes` compares the players with those
of an event.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext as _

from tournaments import validators
from tournaments.errors import Refused
from tournaments.formula_guard import unescape_formula
from tournaments.players import roster_text
from tournaments.players.cell_tables import CellRow, cell_name
from tournaments.players.column_headings import FIELDS, NAME_FIELDS, header_of
from tournaments.players.roster_text import READERS, NewPlayer, make_player

MOST_ERRORS = 200
_SPREADSHEET_ERRORS = frozenset({"#REF!", "#N/A", "#NAME?", "#VALUE!", "#DIV/0!", "#NULL!", "#NUM!"})


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
class SheetColumn:
    """A column of the file: its heading, its first cell below, and the field that it holds, empty for none."""

    heading: str
    sample: str
    field: str


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
    columns = _columns(assigned if assigned is not None else recognised or roster_text.columns_of(rows[0].cells), width)
    reader = _SheetReader(namesakes=namesakes)
    reader.require_different_columns(columns, rows[0].number)
    is_readable = not reader.errors and not NAME_FIELDS.isdisjoint(columns)
    for row, cells in listed[1:] if with_header else listed:
        if not is_readable or len(reader.errors) >= MOST_ERRORS:
            break
        reader.take(row.number, dict(_placed(columns, cells, row.number, len(cells) - len(row.cells))))
    titles = rows[0].cells if with_header else ()
    samples = next((cells for _row, cells in listed[1 if with_header else 0 :]), ())
    headings = [
        SheetColumn(" ".join(titles[at : at + 1]), " ".join(samples[at : at + 1]), field)
        for at, field in enumerate(columns[:width])
    ]
    return PlayerSheet(headings, tuple(reader.players), tuple(reader.errors), with_header)


def _columns(fields: Sequence[str], width: int) -> list[str]:
    """The field of each column, empty for one that is ignored."""
    known = [name if name in FIELDS else "" for name in fields]
    return known + [""] * (width - len(known))


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
        twice = next((at for at, name in enumerate(columns) if name and name in columns[:at]), None)
        if twice is not None:
            sentence = _("Two columns are assigned to the same field: ignore one of them.")
            self._wrong(cell_name(twice, row), sentence)

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
        if text.upper() in _SPREADSHEET_ERRORS:
            self._wrong(cell, _("The spreadsheet has an error here (%(text)s): mend it there.") % {"text": text})
            return None
        try:
            return READERS[column](text)
        except Refused as refused:
            self._wrong(cell, refused.sentence)
            return None

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
