"""Columns and cells of a table in which each row is a person, and the faults of its cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.utils.translation import gettext as _

from tournaments import validators
from tournaments.errors import Refused
from tournaments.formula_guard import unescape_formula
from tournaments.players.cell_tables import cell_name

MOST_ERRORS = 200
_SPREADSHEET_ERRORS = frozenset({"#REF!", "#N/A", "#NAME?", "#VALUE!", "#DIV/0!", "#NULL!", "#NUM!"})
Value = TypeVar("Value")


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
    """A column of the file: its heading, its first cell below, and the field that it holds, empty for none.
    `is_unknown`: neither the program nor the user has said what it holds."""

    heading: str
    sample: str
    field: str
    is_unknown: bool = False


def fill_columns(fields: Sequence[str], known: Sequence[str], width: int) -> list[str]:
    """Return the field of each of `width` columns, empty for one that is ignored."""
    columns = [name if name in known else "" for name in fields]
    return columns + [""] * (width - len(columns))


def find_repeated_column(columns: Sequence[str], row: int) -> CellError | None:
    """Return the fault of the first column whose field an earlier one has."""
    twice = next((at for at, name in enumerate(columns) if name and name in columns[:at]), None)
    if twice is None:
        return None
    return CellError(cell_name(twice, row), _("Two columns are assigned to the same field: ignore one of them."))


def place_cells(
    columns: Sequence[str], cells: Sequence[str], row: int, shift: int = 0
) -> Iterator[tuple[str, tuple[str, str]]]:
    """(column, (name of the cell, its text)); what has no column is passed over. `12 Anna Rossi` is one cell for two
    columns, by which all later ones are shifted."""
    filled = [*cells, *([""] * (len(columns) - len(cells)))]
    for at, (column, text) in enumerate(zip(columns, filled, strict=False)):
        if column:
            yield column, (cell_name(max(0, at - shift), row), validators.one_line(unescape_formula(text)))


def read_cell(cell: str, text: str, read: Callable[[str], Value]) -> Value | CellError:
    """Return the value of a cell, or its fault."""
    if text.upper() in _SPREADSHEET_ERRORS:
        return CellError(cell, _("The spreadsheet has an error here (%(text)s): mend it there.") % {"text": text})
    try:
        return read(text)
    except Refused as refused:
        return CellError(cell, refused.sentence)
