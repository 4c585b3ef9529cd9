"""Result files of an event: CSV, XLSX, JSON, a page for the club's site, and the list for SIGLES."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from io import BytesIO

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter

from referee.results.page import build_page
from referee.results.standings_table import csv_text, title_of
from referee.results.tables import ResultSheet, Value, game_sheet, overall_sheet
from referee.results.transliteration import write_in
from tournaments.formula_guard import escape_formula
from tournaments.results.queries.event_export import EventExport, as_json

EMPTY_TABLE = "--table vide--"
_NOT_IN_TITLES = re.compile(r"[\[\]:*?/\\]")
_LONGEST_TITLE, _WIDEST = 31, 40
_HEAD_FONT = Font(bold=True, color="FFFFFF")
_HEAD_FILL = PatternFill("solid", fgColor="0B6E4F")
_HEAD_ALIGNMENT = Alignment(vertical="center", wrap_text=True)


@dataclass(frozen=True, slots=True)
class ResultFile:
    """File type: label, suffix, media type and writer."""

    title: str | Promise
    suffix: str
    media: str
    write: Callable[[EventExport], bytes]


def csv_file(export: EventExport) -> bytes:
    """Return the standings over all games with all details of the players.

    The file can be imported as a list of players.
    """
    sheet = overall_sheet(export)
    return csv_text([sheet.headings, *sheet.rows]).encode("utf-8-sig")


def xlsx_file(export: EventExport) -> bytes:
    """Return the standings as a workbook with typed numbers, and a sheet for each game with the points of each turn."""
    sheets = (overall_sheet(export), *(game_sheet(results) for results in export.games))
    return write_workbook(title_of(export.view), sheets)


def write_workbook(title: str, sheets: Iterable[ResultSheet]) -> bytes:
    """Return these sheets as an XLSX file, numbers as numbers, with the title as the printed header of the first."""
    book = Workbook(write_only=True)
    titles: set[str] = set()
    for sheet in sheets:
        _write_sheet(book, sheet, titles)
    book.properties.title = title
    book.worksheets[0].oddHeader.center.text = _header_text(book.properties.title)
    written = BytesIO()
    book.save(written)
    return written.getvalue()


def json_file(export: EventExport) -> bytes:
    """Return everything in the format of docs/formats.md."""
    return json.dumps(as_json(export), ensure_ascii=False, indent=1).encode()


def sigles_file(export: EventExport) -> bytes:
    """Return the list that the program Eliot hands to SIGLES.

    It has a line `"table","name","score"` in Latin-1 for every table up to the last one. A table without a player, or
    with a disqualified one, has the score -1 and a name that SIGLES recognises. SIGLES rates players, so scores are
    without handicap.
    """
    ranked = (row for row in export.plain.rows if row.line.rank is not None)
    totals = {row.line.table: (escape_formula(_latin(row.player.name)), row.line.total) for row in ranked}
    lines = []
    for table in range(1, max(totals, default=0) + 1):
        name, total = totals.get(table, (EMPTY_TABLE, -1))
        lines.append(f'"{table}","{name}","{total}"\n')
    return "".join(lines).encode("latin-1")


FILES: Mapping[str, ResultFile] = {
    "csv": ResultFile(gettext_lazy("CSV"), "csv", "text/csv; charset=utf-8", csv_file),
    "xlsx": ResultFile(
        gettext_lazy("Spreadsheet (XLSX)"),
        "xlsx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        xlsx_file,
    ),
    "json": ResultFile(gettext_lazy("Data (JSON)"), "json", "application/json; charset=utf-8", json_file),
    "html": ResultFile(gettext_lazy("Page for the club’s site"), "html", "text/html; charset=utf-8", build_page),
    "sigles": ResultFile(gettext_lazy("List for SIGLES"), "csv", "text/csv; charset=iso-8859-1", sigles_file),
}
"""Every kind of file by the name that addresses and the command line have for it, for good."""


def file_name(export: EventExport, kind: str) -> str:
    """Return the name of a file: code of the event, number of the game if it is of one game, file type."""
    game = export.view.choice.game
    part = f"-{game}" if game is not None else ""
    middle = "-sigles" if kind == "sigles" else "-results"
    return f"{export.event.code}{part}{middle}.{FILES[kind].suffix}"


def _write_sheet(book: Workbook, sheet: ResultSheet, titles: set[str]) -> None:
    written = book.create_sheet(_title(sheet.name, titles))
    written.freeze_panes = "D2"
    for at, width in enumerate(_widths(sheet)):
        written.column_dimensions[get_column_letter(at + 1)].width = width
    head = []
    for heading in sheet.headings:
        cell = _text_cell(written, heading)
        cell.font, cell.fill, cell.alignment = _HEAD_FONT, _HEAD_FILL, _HEAD_ALIGNMENT
        head.append(cell)
    written.append(head)
    for row in sheet.rows:
        written.append([_cell(written, value) for value in row])


def _header_text(text: str) -> str:
    """Return a text for the printed header of a sheet, where an ampersand begins a code."""
    return text.replace("&", "&&")


def _cell(sheet: object, value: Value) -> object:
    """Write a number as a number and a text as a text."""
    if isinstance(value, Decimal):
        cell = WriteOnlyCell(sheet, float(value))
        cell.number_format = "0." + "0" * -int(value.as_tuple().exponent)
        return cell
    return _text_cell(sheet, value) if isinstance(value, str) else value


def _text_cell(sheet: object, text: str) -> WriteOnlyCell:
    """Write a cell that stays text in a spreadsheet and in the files saved from it."""
    cell = WriteOnlyCell(sheet, escape_formula(text))
    cell.data_type = "s"
    return cell


def _widths(sheet: ResultSheet) -> Sequence[int]:
    columns = zip(*([sheet.headings, *sheet.rows[:500]]), strict=True)
    return [min(_WIDEST, 3 + max(len(str(value)) for value in column if value is not None)) for column in columns]


def _title(name: str, taken: set[str]) -> str:
    """Return a valid and unused sheet name: short and without forbidden characters."""
    bare = _NOT_IN_TITLES.sub(" ", name).strip("' ")[:_LONGEST_TITLE] or "1"
    title, number = bare, 1
    while title.casefold() in taken:
        number += 1
        title = f"{bare[: _LONGEST_TITLE - 4]} {number}"
    taken.add(title.casefold())
    return title


def _latin(name: str) -> str:
    """Return a name in Latin-1 that can stand in quotes."""
    return write_in(name, "latin-1").replace('"', "'")
