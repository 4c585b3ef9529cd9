"""Import of players from a CSV or XLSX file: first a preview with every fault by its cell, then the import.

Nothing is stored in between: the preview holds the players as lines of CSV, which the import reads and checks again.
"""

from __future__ import annotations

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.results.standings_table import csv_text
from referee.security.permissions import STAFF
from tournaments.errors import Refused
from tournaments.now import utc_now
from tournaments.players.cell_tables import LARGEST_FILE
from tournaments.players.roster_table import PlayerSheet, read_player_sheet
from tournaments.players.roster_text import COLUMNS
from tournaments.players.services import players

MOST_SHOWN_ROWS = 50


@desk_page("player-file", get=STAFF, post=STAFF, spoiler=False)
def player_file(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the form and the preview of a file; a posted `taken` holds the lines of a confirmed preview."""
    if request.method != "POST":
        return _page(request, desk, None)
    try:
        if "taken" in request.POST:
            return _add_players(request, desk, request.POST["taken"])
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


def _add_players(request: HttpRequest, desk: Desk, lines: str) -> HttpResponse:
    """Add the previewed players, unless the roster has changed in between."""
    sheet = read_player_sheet(lines.encode(), desk.event)
    if sheet.errors:
        return _page(request, desk, sheet)
    added = players.add_players(
        event=desk.event, players=sheet.new_players, now=utc_now(), by=desk.user, room=desk.room
    )
    sentence = ngettext("%(n)d player added.", "%(n)d players added.", len(added))
    messages.success(request, sentence % {"n": len(added)})
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
        ][:MOST_SHOWN_ROWS],
        "found": len(sheet.players) if sheet else 0,
        "more": max(0, len(sheet.players) - MOST_SHOWN_ROWS) if sheet else 0,
        "taken": _lines(sheet) if sheet and not sheet.errors else "",
        "page": "players",
    }
    status = 422 if sheet is not None and (sheet.errors or not sheet.players) else 200
    return render(request, "desk/players/roster_file.html", context, status=status)


def _lines(sheet: PlayerSheet) -> str:
    """Return the players as lines of CSV that are read back unchanged."""
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
