"""A file with a table of people, as a form brings it: uploaded, or as the cells of the page that shows it.

Nothing is stored between two requests: the page holds the cells of the file as CSV, the field of each column, and the
answers about namesakes by row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from engine.bounded_input import parse_whole_number
from referee.results.standings_table import csv_text
from tournaments.errors import Refused
from tournaments.formula_guard import unescape_formula
from tournaments.players.cell_tables import LARGEST_FILE, CellRow, read_cells

MOST_SHOWN_ROWS = 50
_ANSWER, _COLUMN = "namesake-", "column-"


@dataclass(frozen=True, slots=True)
class UploadedTable:
    """The rows of the file; `assigned` are the fields of its columns and `has_header` the first row's meaning as the
    user said, None for a file that was just uploaded."""

    rows: Sequence[CellRow]
    assigned: Sequence[str] | None
    has_header: bool | None
    answers: Mapping[int, str]

    @property
    def cells(self) -> str:
        """The cells as lines of CSV that are read back unchanged, each at its row."""
        lines: list[Sequence[str]] = []
        for row in self.rows:
            lines += [()] * (row.number - len(lines) - 1)
            lines.append(row.cells)
        return "sep=,\n" + csv_text(lines, ",", "\n")


def has_table(request: HttpRequest) -> bool:
    """Return True when a request brings a file, or the cells of one that was read before."""
    return "file" in request.FILES or "cells" in request.POST


def read_uploaded_table(request: HttpRequest) -> UploadedTable:
    """Read an uploaded file, or the cells of the page with the fields of the columns and the answers."""
    post = request.POST
    if "file" in request.FILES or "cells" not in post:
        return UploadedTable(read_cells(_content(request)), None, None, {})
    rows = [
        CellRow(row.number, [unescape_formula(cell) for cell in row.cells])
        for row in read_cells(post["cells"].encode())
    ]
    assigned = [post[f"{_COLUMN}{at}"] for at in range(len(post)) if f"{_COLUMN}{at}" in post]
    return UploadedTable(rows, assigned or None, "has_header" in post, _answers(post))


def _content(request: HttpRequest) -> bytes:
    upload: UploadedFile[bytes] | None = request.FILES.get("file")
    if upload is None:
        raise Refused(_("Choose a file first."))
    if (upload.size or 0) > LARGEST_FILE:
        raise Refused(_("The file is larger than 5 MB: that is no list of players."))
    content: bytes = upload.read()
    return content


def _answers(post: QueryDict) -> dict[int, str]:
    rows = {parse_whole_number(name.removeprefix(_ANSWER)): name for name in post if name.startswith(_ANSWER)}
    return {row: post.get(name, "") for row, name in rows.items() if row is not None}
