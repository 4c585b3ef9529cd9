"""The cells of a table that somebody hands in: CSV in the encodings and with the signs that spreadsheets use, or XLSX.

Only texts come out, row by row with the numbers that a spreadsheet shows. Of formulas the value that was stored with
them is taken. What is larger than any list of players, or blows up when it is unpacked, is refused.
"""

from __future__ import annotations

import csv
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from io import BytesIO, StringIO
from xml.etree.ElementTree import ParseError

from django.utils.translation import gettext as _
from openpyxl import load_workbook
from openpyxl.utils import get_column_letter

from tournaments.errors import Refused

LARGEST_FILE = 5_000_000
LARGEST_UNPACKED = 60_000_000
MOST_PARTS = 300
MOST_ROWS = 20_000
MOST_COLUMNS = 60
_ZIP, _OLD_EXCEL = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_SEPARATORS = ("\t", ";", ",")
_LOOKED_AT = 25
_BAD_XLSX = (zipfile.BadZipFile, KeyError, ValueError, TypeError, AttributeError, IndexError, ParseError, OSError)


@dataclass(frozen=True, slots=True)
class CellRow:
    """A row that holds something: its number as a spreadsheet shows it, and its cells from column A on."""

    number: int
    cells: Sequence[str]


def cell_name(column: int, row: int) -> str:
    """How a spreadsheet calls a cell: column 0 of row 7 is "A7"."""
    return f"{get_column_letter(column + 1)}{row}"


def read_cells(content: bytes) -> list[CellRow]:
    """The rows of a CSV or XLSX file that are not empty; `Refused` with the remedy for anything else."""
    if len(content) > LARGEST_FILE:
        raise Refused(_("The file is larger than 5 MB: that is no list of players."))
    if content.startswith(_OLD_EXCEL):
        raise Refused(_("This is a file of an old Excel: save it as .xlsx or as CSV, and bring it again."))
    rows = _xlsx_rows(content) if content.startswith(_ZIP) else _csv_rows(_decoded(content))
    return list(_limited(rows))


def _limited(rows: Iterator[Sequence[str]]) -> Iterator[CellRow]:
    for number, cells in enumerate(rows, 1):
        if number > MOST_ROWS:
            raise Refused(_("The table has more than %(most)d rows: that is no list of players.") % {"most": MOST_ROWS})
        stripped = [cell.strip() for cell in cells[:MOST_COLUMNS]]
        while stripped and not stripped[-1]:
            stripped.pop()
        if stripped:
            yield CellRow(number, stripped)


def _decoded(content: bytes) -> str:
    """UTF-8 or UTF-16 by their marks, else UTF-8, else as old spreadsheets write."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _text(content, "utf-16")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    try:
        return content.decode("cp1252")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _text(content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        raise Refused(_("The file cannot be read as text: save it as CSV in UTF-8, and bring it again.")) from None


def _csv_rows(text: str) -> Iterator[list[str]]:
    first, _newline, rest = text.partition("\n")
    if first.strip().casefold().startswith("sep=") and len(first.strip()) == 5:
        separator, text = first.strip()[4], rest
    else:
        separator = _separator(text)
    try:
        yield from csv.reader(StringIO(text, newline=""), delimiter=separator)
    except csv.Error as error:
        raise Refused(_("The table cannot be read as CSV: %(why)s.") % {"why": error}) from None


def _separator(text: str) -> str:
    """The sign that parts most of the first lines into the same number of cells; a comma when none does."""
    lines = [line for line in text.splitlines()[:_LOOKED_AT] if line.strip()]

    def weight(sign: str) -> tuple[int, int]:
        widths = Counter(len(row) for row in csv.reader(lines, delimiter=sign))
        width, times = widths.most_common(1)[0]
        return (times, width) if width > 1 else (0, 0)

    try:
        return max(reversed(_SEPARATORS), key=weight) if lines else ","
    except csv.Error:
        return ","


def _xlsx_rows(content: bytes) -> Iterator[list[str]]:
    try:
        _demand_harmless(content)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # extensions that openpyxl leaves out hold no cells
            book = load_workbook(BytesIO(content), read_only=True, data_only=True, keep_links=False)
            sheet = book.worksheets[0]
            sheet.reset_dimensions()  # what a file says of its own size need not be true
            for values in sheet.iter_rows(max_row=MOST_ROWS + 1, max_col=MOST_COLUMNS, values_only=True):
                yield [_as_text(value) for value in values]
            book.close()
    except Refused:
        raise
    except _BAD_XLSX:
        raise Refused(
            _("The file cannot be read as a spreadsheet: save it there as .xlsx or as CSV, and bring it again.")
        ) from None


def _demand_harmless(content: bytes) -> None:
    """Refuse what is small only as long as it is packed, and XML that declares things of its own."""
    with zipfile.ZipFile(BytesIO(content)) as packed:
        parts = packed.infolist()
        if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > LARGEST_UNPACKED:
            raise Refused(_("The file is too large when it is unpacked: that is no list of players."))
        for part in parts:
            if part.filename.endswith((".xml", ".rels")):
                text = packed.read(part)
                if b"<!DOCTYPE" in text or b"<!ENTITY" in text or text.startswith((b"\xff\xfe", b"\xfe\xff")):
                    raise Refused(_("The file holds what no spreadsheet writes; save the table as CSV, and bring it."))


def _as_text(value: object) -> str:
    """What the cell shows: whole numbers without a point, dates as days."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == datetime.min.time() else value.isoformat(" ")
    return value.isoformat() if isinstance(value, date) else str(value)
