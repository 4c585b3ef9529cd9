"""A file of players as a page shows it before anything is stored: its columns, the questions and the differences.

Nothing is stored in between: the page holds the cells of the file as CSV, the field of each column, the answers about
namesakes, and the digest of the differences that it shows. Each request reads and compares all of them again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from engine.bounded_input import parse_whole_number
from referee.results.standings_table import csv_text
from tournaments.errors import Refused
from tournaments.formula_guard import unescape_formula
from tournaments.models import Event
from tournaments.players.cell_tables import LARGEST_FILE, CellRow, read_cells
from tournaments.players.column_headings import FIELDS, field_titles
from tournaments.players.roster_changes import SOMEBODY_ELSE, Answers, RosterChanges, compare_roster
from tournaments.players.roster_table import PlayerSheet, parse_player_rows
from tournaments.players.table_columns import CellError

MOST_SHOWN_ROWS = 50
_ANSWER, _COLUMN = "namesake-", "column-"


@dataclass(frozen=True, slots=True)
class RosterPreview:
    """A file as the page shows it: its cells, what they were read as, and the differences from the event."""

    cells: str
    sheet: PlayerSheet
    answers: Answers
    changes: RosterChanges

    @property
    def errors(self) -> list[CellError]:
        """Every fault of the file."""
        return [*self.sheet.errors, *self.changes.errors]

    @property
    def is_ready(self) -> bool:
        """Return True when the file can be imported as it is."""
        return not self.sheet.errors and self.changes.is_ready and self.changes.does_something


def has_file(request: HttpRequest) -> bool:
    """Return True when a request brings a file of players, or the cells of one that was read before."""
    return "file" in request.FILES or "cells" in request.POST


def read_preview(request: HttpRequest, event: Event | None) -> RosterPreview:
    """Read an uploaded file, or the cells of the page with the fields of the columns. Without `event` the players are
    those of a new one."""
    post = request.POST
    answers: Answers = {}
    if "file" in request.FILES or "cells" not in post:
        rows = read_cells(_content(request))
        sheet = parse_player_rows(rows, namesakes=True)
    else:
        rows = [
            CellRow(row.number, [unescape_formula(cell) for cell in row.cells])
            for row in read_cells(post["cells"].encode())
        ]
        assigned = [post[f"{_COLUMN}{at}"] for at in range(len(post)) if f"{_COLUMN}{at}" in post]
        sheet = parse_player_rows(rows, assigned or None, has_header="has_header" in post, namesakes=True)
        answers = _answers(post)
    return RosterPreview(_lines(rows), sheet, answers, compare_roster(event, sheet, answers))


def preview_context(preview: RosterPreview | None) -> dict[str, object]:
    """Return the variables of the template `desk/players/_roster_preview.html`."""
    context: dict[str, object] = {
        "preview": preview,
        "errors": preview.errors if preview else [],
        "fields": field_titles().items(),
        "most": MOST_SHOWN_ROWS,
        "somebody_else": SOMEBODY_ELSE,
    }
    return context | (_added(preview.changes) | _changed(preview.changes) if preview else {})


def _answers(post: QueryDict) -> Answers:
    rows = {parse_whole_number(name.removeprefix(_ANSWER)): name for name in post if name.startswith(_ANSWER)}
    return {row: post.get(name, "") for row, name in rows.items() if row is not None}


def _content(request: HttpRequest) -> bytes:
    upload: UploadedFile[bytes] | None = request.FILES.get("file")
    if upload is None:
        raise Refused(_("Choose a file first."))
    if (upload.size or 0) > LARGEST_FILE:
        raise Refused(_("The file is larger than 5 MB: that is no list of players."))
    content: bytes = upload.read()
    return content


def _added(changes: RosterChanges) -> dict[str, object]:
    """The new players as a table of the columns that are filled."""
    fields = [name for name in FIELDS if name != "first_name"]
    used = [name for name in fields if any(getattr(each.player, name) for each in changes.added)]
    rows = [(each.row, [getattr(each.player, name) for name in used]) for each in changes.added[:MOST_SHOWN_ROWS]]
    return {"added_titles": [field_titles()[name] for name in used], "added_rows": rows}


def _changed(changes: RosterChanges) -> dict[str, object]:
    """The changed players, each field with its title, and the players whose table or room in the file is not taken."""
    titles = field_titles()
    lines = [
        (change, [(titles[each.field], each.old, each.new) for each in change.fields])
        for change in changes.changed[:MOST_SHOWN_ROWS]
    ]
    kept = [change for change in changes.unchanged if change.elsewhere]
    return {"changed_lines": lines, "kept_elsewhere": kept[:MOST_SHOWN_ROWS]}


def _lines(rows: Sequence[CellRow]) -> str:
    """Return the cells as lines of CSV that are read back unchanged, each at its row."""
    lines: list[Sequence[str]] = []
    for row in rows:
        lines += [()] * (row.number - len(lines) - 1)
        lines.append(row.cells)
    return "sep=,\n" + csv_text(lines, ",", "\n")
