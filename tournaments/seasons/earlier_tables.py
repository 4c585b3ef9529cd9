"""Read evenings from the sheets of a spreadsheet; every fault names its cell.

A sheet is one evening, with a row for each player and a column of points; or many, with a column for each evening.
Columns are recognised by their headings or assigned by the user, evenings by the dates in headings, in the lines above
them, in the titles of sheets and in the names of files. Nothing is stored here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, floor

from django.utils.translation import gettext as _

from tournaments import validators
from tournaments.errors import Refused
from tournaments.formula_guard import unescape_formula
from tournaments.players.cell_tables import CellRow, CellSheet, cell_name
from tournaments.players.column_headings import NAME_FIELDS, PLAYER_HEADINGS, Headings, field_titles
from tournaments.players.table_columns import MOST_ERRORS, CellError
from tournaments.seasons.dates_in_text import find_date
from tournaments.seasons.earlier_evenings import EarlierEvening, EarlierResult, rank_by_points

MOST_LINES_ABOVE = 10
MOST_POINTS = 99_999
EVENING = "evening"
_PERSON = ("name", "surname", "first_name", "licence", "club")
_HEADINGS = {
    "points": """
        points, point, pts, pts., total, score, punti, punteggio, totale, tot, tot., puntos, puntuación, punts,
        puntuació, punkte, gesamt, summe, puncte, puncte totale, punctaj, total points, total puntos
        """,
    "rank": """
        rank, place, pos, pos., position, posizione, posto, class, class., classifica, rang, place, clt, clt.,
        classement, puesto, posición, lloc, posició, platz, rang, loc, locul, #
        """,
    "percent": """
        percent, %, % of top, percentage, percentuale, % top, % del top, pourcentage, % du top, porcentaje, percentatge,
        prozent, procent, procentaj
        """,
    "tops": """
        tops, top, sum of tops, somma dei top, somme des tops, suma de tops, total tops, toppunkte, suma topurilor
        """,
}
_KNOWN = Headings({name: PLAYER_HEADINGS[name] for name in _PERSON} | _HEADINGS)
FIELDS = (*_PERSON, *_HEADINGS, EVENING)
_THOUSANDS = re.compile(r"-?\d{1,3}(?:[.,\s’'\u00a0\u202f]\d{3})+")
_WHOLE = re.compile(r"(-?\d+)(?:[.,]0+)?")
_PERCENT = re.compile(r"(\d{1,3})(?:[.,](\d{1,6}))?\s*%?")
_ABSENT = frozenset({"", "-", "–", "—", "/", "x", "ass", "ass.", "abs", "abs."})
_OUT = re.compile(r"d\.?s?\.?q\.?|dis.*|squal.*|desc.*", re.IGNORECASE)


def earlier_field_titles() -> dict[str, str]:
    """Return the title of each field of a column."""
    titles = {name: field_titles()[name] for name in _PERSON}
    return titles | {
        "points": _("Points"),
        "rank": _("Rank"),
        "percent": _("Percent of the top"),
        "tops": _("Sum of tops"),
        EVENING: _("Points of an evening"),
    }


@dataclass(frozen=True, slots=True)
class NamedSheet:
    """A sheet of a file, with the name of the file."""

    source: str
    sheet: CellSheet

    @property
    def name(self) -> str:
        """The names of file and sheet."""
        return f"{self.source} · {self.sheet.title}" if self.sheet.title else self.source


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading that occurs in the sheets, its first cell below, and the field that it holds, empty for none."""

    text: str
    sample: str
    field: str


@dataclass(frozen=True, slots=True)
class EarlierTables:
    """The headings of all sheets, their evenings, and every fault, with the name of the sheet before its cell."""

    headings: Sequence[Heading]
    evenings: Sequence[EarlierEvening]
    errors: Sequence[CellError]


def parse_earlier_sheets(
    sheets: Sequence[NamedSheet], assigned: Mapping[str, str] | None = None, first_year: int | None = None
) -> EarlierTables:
    """Read all sheets. `assigned` are the fields by heading; None recognises them. A date without a year is one of the
    season that begins in July of `first_year`."""
    errors: list[CellError] = []
    headings: dict[str, Heading] = {}
    evenings: list[EarlierEvening] = []
    for named in sheets:
        reader = _SheetReader(named, first_year, several=len(sheets) > 1)
        fields = reader.read_header(assigned)
        for text, sample, name in fields:
            headings.setdefault(text, Heading(text, sample, name))
        evenings += reader.read_evenings([name for _text, _sample, name in fields])
        errors += reader.errors
    return EarlierTables(list(headings.values()), evenings, errors[:MOST_ERRORS])


@dataclass(frozen=True, slots=True)
class _Row:
    """A player's row: the person, and the text and the cell of every other field, by field or number of the column."""

    person: EarlierResult
    texts: Mapping[str | int, tuple[str, str]]


@dataclass(slots=True)
class _SheetReader:
    """A sheet, and the faults found so far."""

    named: NamedSheet
    first_year: int | None
    several: bool
    errors: list[CellError] = field(default_factory=list)
    header: int = 0

    @property
    def rows(self) -> Sequence[CellRow]:
        return self.named.sheet.rows

    def read_header(self, assigned: Mapping[str, str] | None) -> list[tuple[str, str, str]]:
        """Return heading, first cell below, and field of each column; none if there is no row of headings."""
        found = next((at for at, row in enumerate(self.rows[:MOST_LINES_ABOVE]) if _is_header(row.cells)), None)
        if found is None:
            self.wrong(self.rows[0].number, 0, _("Headings are missing: write name and points above their columns."))
            return []
        self.header = found
        titles = [" ".join(cell.split()) for cell in self.rows[found].cells]
        below = self.rows[found + 1].cells if len(self.rows) > found + 1 else ()
        fields = _recognise(titles) if assigned is None else [assigned.get(title, "") for title in titles]
        known = [name if name in FIELDS else "" for name in fields]
        return [(title, " ".join(below[at : at + 1]), known[at]) for at, title in enumerate(titles)]

    def read_evenings(self, fields: Sequence[str]) -> list[EarlierEvening]:
        """Return the evenings of the sheet; none if a cell cannot be used."""
        header = self.rows[self.header]
        twice = next((at for at, name in enumerate(fields) if name and name != EVENING and name in fields[:at]), None)
        if twice is not None:
            self.wrong(header.number, twice, _("Two columns are assigned to the same field: ignore one of them."))
        elif fields and NAME_FIELDS.isdisjoint(fields):
            self.wrong(header.number, 0, _("No column holds the names: assign one."))
        elif fields and not {"points", EVENING}.intersection(fields):
            self.wrong(header.number, 0, _("No column holds points: assign one."))
        if self.errors or not fields:
            return []
        rows = [read for row in self.rows[self.header + 1 :] if (read := self._read_row(row, fields)) is not None]
        columns = [at for at, name in enumerate(fields) if name == EVENING]
        evenings = [self._column_evening(rows, at) for at in columns] if columns else [self._sheet_evening(rows)]
        return [] if self.errors else [evening for evening in evenings if evening.results]

    def wrong(self, row: int, column: int, sentence: str) -> None:
        self._wrong_cell(cell_name(column, row), sentence)

    def _wrong_cell(self, cell: str, sentence: str) -> None:
        self.errors.append(CellError(f"{self.named.name}, {cell}" if self.several else cell, sentence))

    def _read_row(self, row: CellRow, fields: Sequence[str]) -> _Row | None:
        """Return the player of a row; None for a row without a name, such as a sum."""
        texts: dict[str | int, tuple[str, str]] = {}
        for at, name in enumerate(fields):
            text = validators.one_line(unescape_formula(row.cells[at])) if at < len(row.cells) else ""
            texts[at if name == EVENING else name] = text, cell_name(at, row.number)
        name, surname = _name_of({key: text for key, (text, _cell) in texts.items()})
        if not name:
            return None
        cell = texts.get("name", texts.get("surname", ("", cell_name(0, row.number))))[1]
        person = EarlierResult(
            name=self._checked(cell, validators.player_name, name),
            surname=surname,
            licence=self._checked(
                texts.get("licence", ("", cell))[1], validators.licence, texts.get("licence", ("",))[0]
            ),
            club=self._checked(texts.get("club", ("", cell))[1], validators.club, texts.get("club", ("",))[0]),
            points=0,
            rank=None,
        )
        return _Row(person, texts)

    def _checked(self, cell: str, check: Callable[[str], str], text: str) -> str:
        try:
            return check(text) if text else ""
        except Refused as refused:
            self._wrong_cell(cell, refused.sentence)
            return ""

    def _column_evening(self, rows: Sequence[_Row], column: int) -> EarlierEvening:
        """Return the evening of a column; ranks follow from the points."""
        heading = " ".join(self.rows[self.header].cells[column].split())
        played = [(row.person, points) for row in rows if (points := self._points(row, column)) is not None]
        ranks = rank_by_points(points for _person, points in played)
        results = [
            replace(person, points=points, rank=rank) for (person, points), rank in zip(played, ranks, strict=True)
        ]
        return self._evening(results, [heading])

    def _sheet_evening(self, rows: Sequence[_Row]) -> EarlierEvening:
        """Return the evening of a sheet with a column of points."""
        played = [(row, points) for row in rows if (points := self._points(row, "points")) is not None]
        ranks = self._ranks(played)
        results = [
            replace(row.person, points=points, rank=rank) for (row, points), rank in zip(played, ranks, strict=True)
        ]
        above = [cell for row in self.rows[: self.header] for cell in row.cells if cell]
        evening = self._evening(results, [*above, self.named.sheet.title, self.named.source.rpartition(".")[0]])
        return replace(evening, tops=self._tops(played))

    def _evening(self, results: Sequence[EarlierResult], texts: Sequence[str]) -> EarlierEvening:
        """Return the evening with the date that is found first in these texts."""
        dates = [found for text in texts if (found := find_date(text, self.first_year)) is not None]
        name = next((found.rest for found in dates if found.rest), "") or _("Evening")
        day = next((found.day for found in dates if found.day is not None), None)
        return EarlierEvening(name=name, date=day, source=self.named.source, results=results)

    def _points(self, row: _Row, key: str | int) -> int | None:
        """Return the points of a cell; None if the player was absent."""
        text, cell = row.texts[key]
        if text.casefold() in _ABSENT:
            return None
        points = _whole_number(text)
        if points is None or abs(points) > MOST_POINTS:
            self._wrong_cell(cell, _("Points are a whole number; leave the cell empty for somebody who was absent."))
            return None
        return points

    def _ranks(self, played: Sequence[tuple[_Row, int]]) -> list[int | None]:
        """Return the ranks of the column; those by points if there is none or a cell of it is empty."""
        texts = [row.texts.get("rank", ("", "")) for row, _points in played]
        if any(not text for text, _cell in texts):
            return [*rank_by_points(points for _row, points in played)]
        return [self._rank(text, cell) for text, cell in texts]

    def _rank(self, text: str, cell: str) -> int | None:
        rank = _whole_number(text.rstrip(".°ºªe"))
        if rank is not None and rank > 0:
            return rank
        if text not in _ABSENT and not _OUT.fullmatch(text):
            self._wrong_cell(cell, _("A rank is a whole number; a dash stands for a disqualified player."))
        return None

    def _tops(self, played: Sequence[tuple[_Row, int]]) -> int:
        """Return the sum of tops: of its column, else as it follows from points and percents; 0 if unknown."""
        given = [(_whole_number(row.texts["tops"][0]), row.texts["tops"]) for row, _ in played if "tops" in row.texts]
        for tops, (text, cell) in given:
            if text and (tops is None or tops < 0):
                self._wrong_cell(cell, _("The sum of tops is a whole number."))
        if known := {tops for tops, _text in given if tops}:
            if len(known) > 1:
                self._wrong_cell(given[0][1][1], _("The sum of tops is the same for all players of an evening."))
            return max(known)
        return self._tops_by_percent(played)

    def _tops_by_percent(self, played: Sequence[tuple[_Row, int]]) -> int:
        texts = [(points, *row.texts["percent"]) for row, points in played if "percent" in row.texts]
        read = [(points, _percent(text), cell) for points, text, cell in texts if text not in _ABSENT and points > 0]
        for _points, percent, cell in read:
            if percent is None:
                self._wrong_cell(cell, _("A percent is a number such as 73.5."))
        usable = [(points, percent) for points, percent, _cell in read if percent is not None and percent[0] > 0]
        if not usable:
            return 0
        scale = 100 if max(value for _points, (value, _unit) in usable) <= 1 else 1  # 0.735 stands for 73.5 %
        least = max(Fraction(100 * points) / (scale * (value + unit)) for points, (value, unit) in usable)
        most = min(Fraction(100 * points) / (scale * max(value - unit, unit / 2)) for points, (value, unit) in usable)
        if ceil(least) > floor(most):
            self._wrong_cell(read[0][2], _("These percents belong to no common sum of tops: ignore the column."))
            return 0
        return round((least + most) / 2)


def _is_header(cells: Sequence[str]) -> bool:
    """Return True for a row that names a column of names, and another column."""
    return _KNOWN.header_of(cells) is not None and sum(bool(cell.strip()) for cell in cells) > 1


def _recognise(titles: Sequence[str]) -> list[str]:
    """Return the field of each heading. With columns of evenings, those of sums over all of them are ignored."""
    named = _KNOWN.header_of(titles) or [""] * len(titles)
    named = [
        name or (EVENING if not _KNOWN.column_of(title) and find_date(title) is not None else "")
        for name, title in zip(named, titles, strict=True)
    ]
    return ["" if EVENING in named and name in _HEADINGS else name for name in named]


def _name_of(texts: Mapping[str | int, str]) -> tuple[str, str]:
    """Return the whole name, and the surname if the row has it in a cell of its own."""
    surname, first_name = texts.get("surname", ""), texts.get("first_name", "")
    return texts.get("name") or f"{first_name} {surname}".strip(), surname if first_name else ""


def _whole_number(text: str) -> int | None:
    if _THOUSANDS.fullmatch(text):
        return int(re.sub(r"[^\d-]", "", text))
    match = _WHOLE.fullmatch(text)
    return int(match[1]) if match and len(match[1]) < 12 else None


def _percent(text: str) -> tuple[Fraction, Fraction] | None:
    """Return a percent and one unit of its last decimal, by which it may have been rounded."""
    match = _PERCENT.fullmatch(text)
    if match is None:
        return None
    decimals = match[2] or ""
    unit = Fraction(1, 10 ** len(decimals))
    return Fraction(int(match[1] + decimals)) * unit, unit
