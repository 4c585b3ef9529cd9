"""Import of players from a CSV or XLSX file: first a preview with every fault and every difference, then the import."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext

from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.desk.players.roster_preview import RosterPreview, preview_context, read_preview
from referee.security.permissions import STAFF
from tournaments.errors import Refused
from tournaments.members.services.event_players import link_listed_players
from tournaments.now import utc_now
from tournaments.players.services.roster_import import import_roster


@desk_page("player-file", get=STAFF, post=STAFF, spoiler=False)
def player_file(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the form and the preview of a file; a posted `shown` is the digest of a confirmed preview."""
    if request.method != "POST":
        return _page(request, desk, None)
    preview = None
    try:
        preview = read_preview(request, desk.event)
        if "shown" in request.POST:
            return _import(request, desk, preview)
    except Refused as refused:
        messages.error(request, refused.sentence)
    return _page(request, desk, preview)


def _import(request: HttpRequest, desk: Desk, preview: RosterPreview) -> HttpResponse:
    """Import the previewed players, unless the roster has changed in between."""
    done = import_roster(
        event=desk.event,
        sheet=preview.sheet,
        answers=preview.answers,
        shown=request.POST["shown"],
        room=desk.room,
        by=desk.user,
        now=utc_now(),
    )
    link_listed_players(event=desk.event, by=desk.user, now=utc_now())
    sentences = [
        ngettext("%(n)d player added.", "%(n)d players added.", done.added) % {"n": done.added} if done.added else "",
        ngettext("%(n)d player updated.", "%(n)d players updated.", done.changed) % {"n": done.changed}
        if done.changed
        else "",
    ]
    messages.success(request, " ".join(filter(None, sentences)))
    return redirect("desk:players", desk.code)


def _page(request: HttpRequest, desk: Desk, preview: RosterPreview | None) -> HttpResponse:
    context = {"event": desk.event, "page": "players", **preview_context(preview)}
    failed = preview is not None and (preview.errors or not preview.sheet.players)
    return render(request, "desk/players/roster_file.html", context, status=422 if failed else 200)
