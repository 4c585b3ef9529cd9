"""Import of members from a CSV or XLSX file: first a preview with every fault and every difference, then the import."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from referee.desk.access import general_page, user_of
from referee.desk.members.field_texts import format_value
from referee.desk.registry import Access
from referee.desk.uploaded_table import MOST_SHOWN_ROWS, UploadedTable, read_uploaded_table
from tournaments.errors import Refused
from tournaments.members.member_changes import LEAVE_OUT, SOMEBODY_ELSE, MemberChange, MemberChanges, compare_members
from tournaments.members.member_fields import MEMBER_FIELDS, member_field_titles
from tournaments.members.member_table import MemberSheet, SheetMember, parse_member_rows
from tournaments.members.queries.column_choices import get_column_choices
from tournaments.members.services.member_import import import_members
from tournaments.now import utc_now
from tournaments.players.table_columns import CellError


@dataclass(frozen=True, slots=True)
class MemberPreview:
    """A file as the page shows it: its cells, what they were read as, and the differences from the members."""

    table: UploadedTable
    sheet: MemberSheet
    changes: MemberChanges

    @property
    def cells(self) -> str:
        """The cells of the file, as the page holds them."""
        return self.table.cells

    @property
    def errors(self) -> list[CellError]:
        """Every fault of the file."""
        return [*self.sheet.errors, *self.changes.errors]

    @property
    def is_ready(self) -> bool:
        """Return True when the rows without a fault can be imported."""
        return self.changes.is_ready and self.changes.does_something


@require_http_methods(["GET", "HEAD", "POST"])
@general_page("member-file", access=Access.ORGANISER)
def member_file(request: HttpRequest) -> HttpResponse:
    """Show the form and the preview of a file; a posted `shown` is the digest of a confirmed preview."""
    if request.method != "POST":
        return _page(request, None)
    preview = None
    try:
        preview = _read_preview(request)
        if "shown" in request.POST:
            return _import(request, preview)
    except Refused as refused:
        messages.error(request, refused.sentence)
    return _page(request, preview)


def _read_preview(request: HttpRequest) -> MemberPreview:
    table, today = read_uploaded_table(request), timezone.localdate()
    sheet = parse_member_rows(table.rows, today, get_column_choices(), table.assigned, has_header=table.has_header)
    if len(table.rows) <= sheet.has_header:
        raise Refused(_("The file has no members: write a row for each below the headings, and import it again."))
    return MemberPreview(table, sheet, compare_members(sheet, table.answers, today))


def _import(request: HttpRequest, preview: MemberPreview) -> HttpResponse:
    """Import the previewed members, unless a member has changed in between."""
    done = import_members(
        sheet=preview.sheet,
        answers=preview.table.answers,
        shown=request.POST["shown"],
        by=user_of(request),
        now=utc_now(),
    )
    sentences = [
        ngettext("%(n)d member added.", "%(n)d members added.", done.added) % {"n": done.added} if done.added else "",
        ngettext("%(n)d member updated.", "%(n)d members updated.", done.changed) % {"n": done.changed}
        if done.changed
        else "",
    ]
    messages.success(request, " ".join(filter(None, sentences)))
    return redirect("desk:members")


def _page(request: HttpRequest, preview: MemberPreview | None) -> HttpResponse:
    context: dict[str, object] = {
        "page": "members",
        "preview": preview,
        "fields": [("name", _("Name")), *member_field_titles().items()],
        "most": MOST_SHOWN_ROWS,
        "somebody_else": SOMEBODY_ELSE,
        "leave_out": LEAVE_OUT,
    }
    if preview is not None:
        context |= {
            "errors": preview.errors,
            "added": _added(preview.changes.added),
            "changed": [_changed(change) for change in preview.changes.changed[:MOST_SHOWN_ROWS]],
            "unknown": [column for column in preview.sheet.headings if column.is_unknown and column.heading],
        }
    failed = preview is not None and not preview.is_ready
    return render(request, "desk/members/member_file.html", context, status=422 if failed else 200)


def _added(rows: list[SheetMember]) -> dict[str, object]:
    """The new members as a table of the columns that are filled."""
    titles = member_field_titles()
    used = [name for name in MEMBER_FIELDS if any(name in each.values for each in rows)]
    lines = [(each.row, [format_value(each.values.get(name)) for name in used]) for each in rows[:MOST_SHOWN_ROWS]]
    return {"titles": [titles[name] for name in used], "rows": lines}


def _changed(change: MemberChange) -> tuple[str, list[tuple[str, str, str]]]:
    titles = member_field_titles()
    return change.member.name, [
        (titles[each.field], format_value(each.old), format_value(each.new)) for each in change.fields
    ]
