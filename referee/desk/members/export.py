"""The list of members as a file."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from referee.desk.access import general_page
from referee.desk.members.members import find_members, read_filter
from referee.desk.registry import Access
from referee.results.files import FILES, write_workbook
from referee.results.members import members_sheet
from referee.results.standings_table import csv_text
from tournaments.members.queries.member_list import get_members


@require_GET
@general_page("members-export", access=Access.ORGANISER)
def export_members(request: HttpRequest, kind: str) -> HttpResponse:
    """Send the members that the list shows, on all its pages, as CSV or XLSX. Nobody who was anonymised is in it."""
    if kind not in ("csv", "xlsx"):
        raise Http404
    found = get_members(find_members(read_filter(request.GET)).found)
    sheet = members_sheet([member for member in found if member.anonymised_at is None])
    content = (
        write_workbook(_("Members"), [sheet])
        if kind == "xlsx"
        else csv_text([sheet.headings, *sheet.rows]).encode("utf-8-sig")
    )
    headers = {"Content-Disposition": f'attachment; filename="members.{kind}"', "Cache-Control": "no-store"}
    return HttpResponse(content, content_type=FILES[kind].media, headers=headers)
