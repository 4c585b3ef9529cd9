"""Players out of a CSV or XLSX file: first a look at what is in it, with every fault by its cell; then they are taken.

Between the two nothing is stored: the look holds the players as lines of CSV, and taking reads and checks them again.
"""

from __future__ import annotations

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from referee.desk.access import Desk, at_desk
from referee.results_table import csv_text
from tournaments.cell_tables import LARGEST_FILE
from tournaments.errors import Refused
from tournaments.now import utc_now
from tournaments.services import players
from tournaments.services.player_lists import COLUMNS
from tournaments.services.player_sheets import PlayerSheet, read_player_sheet

SHOWN = 50


@require_http_methods(["GET", "POST"])
@at_desk
def player_file(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The form for the file; what is in it; `taken` are the lines of a look that was agreed to."""
    if request.method != "POST":
        return _page(request, desk, None)
    try:
        if "taken" in request.POST:
            return _take(request, desk, request.POST["taken"])
        return _page(request, desk, read_player_sheet(_content(request), desk.event))
    except Refused as refused:
        messages.error(request, refused.sentence)
        return _page(request, desk, None)


def _content(request: HttpRequest) -> bytes:
    upload: UploadedFile[bytes] | None = request.FILES.get("file")
    if upload is None:
        raise Refused(_("Choose a file first."))
    if (upload.size or 0) > LARGEST_FILE:
        raise Refused(_("The file is larger than 5 MB: that is no list of players."))
    content: bytes = upload.read()
    return content


def _take(request: HttpRequest, desk: Desk, lines: str) -> HttpResponse:
    """Add the players that were looked at, unless something has come between."""
    sheet = read_player_sheet(lines.encode(), desk.event)
    if sheet.errors:
        return _page(request, desk, sheet)
    added = players.add_players(
        event=desk.event, players=sheet.new_players, now=utc_now(), by=desk.user, room=desk.room
    )
    told = ngettext("%(n)d player added.", "%(n)d players added.", len(added))
    messages.success(request, told % {"n": len(added)})
    return redirect("desk:players", desk.code)


def _page(request: HttpRequest, desk: Desk, sheet: PlayerSheet | None) -> HttpResponse:
    titles = _titles()
    columns = [name for name in COLUMNS if sheet is not None and any(getattr(p, name) for p in sheet.new_players)]
    context = {
        "event": desk.event,
        "sheet": sheet,
        "titles": [titles[name] for name in columns],
        "rows": [
            (each.row, [getattr(each.player, name) for name in columns]) for each in (sheet.players if sheet else ())
        ][:SHOWN],
        "found": len(sheet.players) if sheet else 0,
        "more": max(0, len(sheet.players) - SHOWN) if sheet else 0,
        "taken": _lines(sheet) if sheet and not sheet.errors else "",
        "page": "players",
    }
    status = 422 if sheet is not None and (sheet.errors or not sheet.players) else 200
    return render(request, "desk/player_file.html", context, status=status)


def _lines(sheet: PlayerSheet) -> str:
    """The players as CSV that is read as it was written."""
    head = [name.replace("_", " ") for name in COLUMNS]
    rows = ([getattr(player, name) for name in COLUMNS] for player in sheet.new_players)
    return csv_text([head, *rows], ",", "\n")


def _titles() -> dict[str, str]:
    return {
        "table": _("Table"),
        "name": _("Name"),
        "club": _("Club"),
        "series": _("Series"),
        "age_class": _("Age class"),
        "country": _("Country"),
        "team": _("Team"),
        "nickname": _("Nickname"),
        "room": _("Room"),
    }
