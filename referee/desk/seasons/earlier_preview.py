"""Files with earlier evenings as a page shows them before anything is stored.

Nothing is stored in between: the page holds the sheets and the evenings of the archives, signed and compressed, the
field of each column, and what the user typed about each evening. Each request reads and compares all of them again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any

from django.core import signing
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from engine.bounded_input import parse_whole_number
from tournaments.errors import Refused
from tournaments.players.cell_tables import CellRow, CellSheet, read_sheets
from tournaments.players.table_columns import CellError
from tournaments.seasons.earlier_archives import is_archive_file, read_archive_evenings
from tournaments.seasons.earlier_evenings import EarlierEvening, EarlierGame, EarlierResult
from tournaments.seasons.earlier_tables import EarlierTables, NamedSheet, parse_earlier_sheets
from tournaments.seasons.queries.earlier_evenings import ComparedEvening, EveningState, compare_evenings

MOST_FILES = 100
LARGEST_FILE = 60_000_000
_SALT = "earlier evenings"


@dataclass(frozen=True, slots=True)
class EveningRow:
    """An evening of the page: compared with the stored ones, and whether it is to be imported."""

    number: int
    compared: ComparedEvening
    is_chosen: bool

    @property
    def is_importable(self) -> bool:
        """Return True for an evening that an import would store."""
        return self.compared.state in (EveningState.NEW, EveningState.CHANGED, EveningState.UNDATED)


@dataclass(frozen=True, slots=True)
class EarlierPreview:
    """Files as the page shows them. `files` is what the page holds of them; `columns` names the fields of all columns,
    by which a request knows whether the page showed the evenings of these columns."""

    files: str
    tables: EarlierTables
    rows: Sequence[EveningRow]
    first_year: str
    columns: str

    @property
    def errors(self) -> Sequence[CellError]:
        """Every fault of a cell."""
        return self.tables.errors

    @property
    def chosen(self) -> list[EarlierEvening]:
        """The evenings to import."""
        return [row.compared.evening for row in self.rows if row.is_chosen and row.is_importable]

    @property
    def has_changed(self) -> bool:
        """Return True if an import would replace a stored evening."""
        return any(row.compared.state is EveningState.CHANGED for row in self.rows)

    @property
    def is_ready(self) -> bool:
        """Return True if there is something to import."""
        return not self.errors and bool(self.chosen)


def read_earlier_preview(request: HttpRequest) -> EarlierPreview:
    """Read uploaded files, or those that the page holds with what the user assigned and typed."""
    post = request.POST
    if "held" in post and not request.FILES.getlist("files"):
        sheets, evenings = _load(post["held"])
    else:
        sheets, evenings = _read_files(request.FILES.getlist("files"))
    first_year = post.get("first_year", "").strip()
    headings = list(dict.fromkeys(heading.text for heading in parse_earlier_sheets(sheets).headings))
    posted = {text: post.get(f"column-{at}", "") for at, text in enumerate(headings)}
    assigned = posted if "column-0" in post else None
    tables = parse_earlier_sheets(sheets, assigned, _read_year(first_year))
    columns = "|".join(heading.field for heading in tables.headings)
    found = [*evenings, *tables.evenings]
    is_shown = post.get("shown_columns") == columns and post.get("shown_year", "") == first_year
    typed = [_with_typed(evening, post, number) for number, evening in enumerate(found)] if is_shown else found
    rows = [
        EveningRow(number, compared, not is_shown or f"import-{number}" in post)
        for number, compared in enumerate(compare_evenings(typed))
    ]
    return EarlierPreview(_dump(sheets, evenings), tables, rows, first_year, columns)


def is_confirmed(request: HttpRequest, preview: EarlierPreview) -> bool:
    """Return True if the user asked for the import, and the page showed the evenings of these columns."""
    post = request.POST
    return "import" in post and post.get("shown_columns") == preview.columns


def _read_files(uploads: Sequence[UploadedFile[bytes]]) -> tuple[list[NamedSheet], list[EarlierEvening]]:
    """Return the sheets of spreadsheets and the evenings of archives."""
    if not uploads:
        raise Refused(_("Choose a file first."))
    if len(uploads) > MOST_FILES:
        raise Refused(_("These are more than %(most)d files: import them in several steps.") % {"most": MOST_FILES})
    sheets: list[NamedSheet] = []
    archives: list[tuple[str, bytes]] = []
    for upload in uploads:
        name = upload.name or ""
        if (upload.size or 0) > LARGEST_FILE:
            raise Refused(_("%(name)s is larger than 60 MB: import its evenings in several steps.") % {"name": name})
        content: bytes = upload.read()
        if is_archive_file(name, content):
            archives.append((name, content))
        else:
            sheets += _read_sheets(name, content)
    return sheets, read_archive_evenings(archives)


def _read_sheets(name: str, content: bytes) -> list[NamedSheet]:
    try:
        found = read_sheets(content)
    except Refused as refused:
        raise Refused(f"{name}: {refused.sentence}") from None
    if not found:
        raise Refused(_("%(name)s is empty: choose a file with the results of evenings.") % {"name": name})
    return [NamedSheet(name, sheet) for sheet in found]


def _read_year(text: str) -> int | None:
    year = parse_whole_number(text, 4)
    if text and (year is None or not date.min.year < year < date.max.year):
        raise Refused(_("The year of the season is a number such as 2024."))
    return year


def _with_typed(evening: EarlierEvening, post: QueryDict, number: int) -> EarlierEvening:
    """Return the evening with the name, date and sum of tops that the user typed."""
    day, tops = post.get(f"date-{number}", "").strip(), post.get(f"tops-{number}", "").strip()
    known = parse_whole_number(tops or "0")
    if known is None:
        raise Refused(_("The sum of tops is a whole number; leave it empty if it is not known."))
    try:
        typed = date.fromisoformat(day) if day else None
    except ValueError:
        raise Refused(_("%(date)s is no date: write it like 2024-10-03.") % {"date": day}) from None
    name = post.get(f"name-{number}", "").strip() or evening.name
    return replace(evening, name=name, date=typed, tops=known)


def _dump(sheets: Sequence[NamedSheet], evenings: Sequence[EarlierEvening]) -> str:
    """Return what the page holds of the files."""
    held = {
        "sheets": [
            [named.source, named.sheet.title, [[row.number, list(row.cells)] for row in named.sheet.rows]]
            for named in sheets
        ],
        "evenings": [
            asdict(evening) | {"date": evening.date.isoformat() if evening.date else None} for evening in evenings
        ],
    }
    return signing.dumps(held, salt=_SALT, compress=True)


def _load(text: str) -> tuple[list[NamedSheet], list[EarlierEvening]]:
    """Read what a page held of its files; Refused if it was changed."""
    try:
        held = signing.loads(text, salt=_SALT)
    except signing.BadSignature:
        raise Refused(_("The page does not hold the files any more: choose them again.")) from None
    sheets = [
        NamedSheet(source, CellSheet(title, [CellRow(number, cells) for number, cells in rows]))
        for source, title, rows in held["sheets"]
    ]
    return sheets, [_load_evening(each) for each in held["evenings"]]


def _load_evening(held: Mapping[str, Any]) -> EarlierEvening:
    results = [
        EarlierResult(**(result | {"games": [EarlierGame(**game) for game in result["games"]]}))
        for result in held["results"]
    ]
    day = date.fromisoformat(held["date"]) if held["date"] else None
    return EarlierEvening(**(dict(held) | {"date": day, "results": results}))
