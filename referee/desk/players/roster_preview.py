"""A file of players as a page shows it before anything is stored: its columns, the questions and the differences.

The page holds the digest of the differences that it shows. Each request reads and compares all of them again.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest

from referee.desk.uploaded_table import MOST_SHOWN_ROWS, read_uploaded_table
from tournaments.models import Event
from tournaments.players.column_headings import FIELDS, field_titles
from tournaments.players.roster_changes import SOMEBODY_ELSE, Answers, RosterChanges, compare_roster
from tournaments.players.roster_table import PlayerSheet, parse_player_rows
from tournaments.players.table_columns import CellError


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


def read_preview(request: HttpRequest, event: Event | None) -> RosterPreview:
    """Read an uploaded file, or the cells of the page with the fields of the columns. Without `event` the players are
    those of a new one."""
    table = read_uploaded_table(request)
    sheet = parse_player_rows(table.rows, table.assigned, has_header=table.has_header, namesakes=True)
    return RosterPreview(table.cells, sheet, table.answers, compare_roster(event, sheet, table.answers))


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
