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
from typing import IO

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import ParseError, iterparse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from openpyxl import load_workbook
from openpyxl.utils import get_column_letter

from tournaments.errors import Refused

LARGEST_FILE = 5_000_000
LARGEST_UNPACKED = 60_000_000
MOST_PARTS = 300
MOST_ROWS = 20_000
MOST_COLUMNS = 60
MOST_SHEETS = 60
_ZIP = b"PK\x03\x04"
_CONTENT_TYPES = "[Content_Types].xml"
_ENCRYPTED = 0x1
_SEPARATORS = ("\t", ";", ",")
_LOOKED_AT = 25
_OTHER_FILES = {
    b"\xd0\xcf\x11\xe0": gettext_lazy(
        "This is an old Excel file, or it needs a password: save it as .xlsx or as CSV without a password, and "
        "import it again."
    ),
    b"%PDF": gettext_lazy("This is a PDF, not a table: save the list as .xlsx or as CSV, and import that file."),
    b"\xff\xd8\xff": gettext_lazy(
        "This is a picture, not a table: save the list as .xlsx or as CSV, and import that file."
    ),
    b"\x89PNG": gettext_lazy("This is a picture, not a table: save the list as .xlsx or as CSV, and import that file."),
}
"""Files of other kinds by their first bytes, each with the sentence that refuses it."""


@dataclass(frozen=True, slots=True)
class CellRow:
    """A row with content: its number as a spreadsheet shows it, and its cells from column A on."""

    number: int
    cells: Sequence[str]


@dataclass(frozen=True, slots=True)
class CellSheet:
    """A sheet with content: its title, empty for CSV, and its rows."""

    title: str
    rows: Sequence[CellRow]


def cell_name(column: int, row: int) -> str:
    """Name a cell as spreadsheets do: column 0 of row 7 is "A7"."""
    return f"{get_column_letter(column + 1)}{row}"


def read_cells(content: bytes) -> list[CellRow]:
    """The rows of the first sheet of a CSV or XLSX file that are not empty; `Refused` with the remedy for anything
    else."""
    _require_table(content)
    rows = _xlsx_rows(content) if content.startswith(_ZIP) else _csv_rows(_decoded(content))
    return list(_limited(rows))


def read_sheets(content: bytes) -> list[CellSheet]:
    """All sheets with content of a CSV or XLSX file; `Refused` with the remedy for anything else."""
    _require_table(content)
    if not content.startswith(_ZIP):
        sheets = [CellSheet("", list(_limited(_csv_rows(_decoded(content)))))]
    else:
        sheets = [CellSheet(title, list(_limited(iter(rows)))) for title, rows in _xlsx_sheets(content, MOST_SHEETS)]
    return [sheet for sheet in sheets if sheet.rows]


def _require_table(content: bytes) -> None:
    if len(content) > LARGEST_FILE:
        raise Refused(_("The file is larger than 5 MB: that is no list of players."))
    for first, sentence in _OTHER_FILES.items():
        if content.startswith(first):
            raise Refused(str(sentence))


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
    if b"\0" in content:
        raise Refused(_("This is not a table: save the list as .xlsx or as CSV in UTF-8, and import that file."))
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
        raise Refused(_("The file cannot be read as text: save it as CSV in UTF-8, and import it again.")) from None


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
    """The separator that splits most of the first lines into the same number of cells; a comma when none does."""
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
    for _title, rows in _xlsx_sheets(content, 1):
        yield from rows


def _xlsx_sheets(content: bytes, most: int) -> Iterator[tuple[str, list[list[str]]]]:
    """Title and rows of the first `most` sheets."""
    try:
        _require_harmless(content)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # extensions that openpyxl leaves out hold no cells
            book = load_workbook(BytesIO(content), read_only=True, data_only=True, keep_links=False)
            for sheet in book.worksheets[:most]:
                sheet.reset_dimensions()  # what a file says of its own size need not be true
                rows = sheet.iter_rows(max_row=MOST_ROWS + 1, max_col=MOST_COLUMNS, values_only=True)
                yield sheet.title, [[_as_text(value) for value in values] for values in rows]
            book.close()
    except Refused:
        raise
    except Exception:  # zipfile, zlib, expat and openpyxl raise some twenty kinds for files with wrong bytes
        raise Refused(
            _("The file cannot be read as a spreadsheet: save it as .xlsx or as CSV, and import it again.")
        ) from None


def _require_harmless(content: bytes) -> None:
    """Refuse what needs a password, is small only as long as it is packed, or declares things of its own in XML."""
    with zipfile.ZipFile(BytesIO(content)) as packed:
        parts = packed.infolist()
        if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > LARGEST_UNPACKED:
            raise Refused(_("The file is too large when it is unpacked: that is no list of players."))
        if any(part.flag_bits & _ENCRYPTED for part in parts):
            raise Refused(_("The file needs a password: save it without one, and import it again."))
        if all(part.filename != _CONTENT_TYPES for part in parts):
            raise Refused(
                _("This is a file of another program: save the table as .xlsx or as CSV, and import it again.")
            )
        for part in parts:
            with packed.open(part) as opened:
                _require_no_declarations(opened)


def _require_no_declarations(part: IO[bytes]) -> None:
    """Refuse declarations, with the same parser that reads the part later, whatever its name and encoding; they can
    only stand before the root element."""
    try:
        next(iter(iterparse(part, events=("start",), forbid_dtd=True)), None)
    except DefusedXmlException:
        raise Refused(
            _("The file has contents that no spreadsheet writes: save the table as CSV, and import it.")
        ) from None
    except (ParseError, ValueError, LookupError):
        return  # a picture or another part that is no XML; what openpyxl reads of it is refused there


def _as_text(value: object) -> str:
    """The text of a cell: whole numbers without a decimal point, dates as days."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == datetime.min.time() else value.isoformat(" ")
    return value.isoformat() if isinstance(value, date) else str(value)
