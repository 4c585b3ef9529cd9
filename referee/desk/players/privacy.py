"""Privacy at the desk: the retention period of names, anonymisation, and a person's stored data."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.desk.form_values import read_number
from referee.security.permissions import DIRECTOR, JUDGES
from tournaments.errors import AlreadyDone, Refused
from tournaments.now import utc_now
from tournaments.players.queries.players import player_at
from tournaments.players.queries.retention import get_retention_period, person_data
from tournaments.players.services import anonymise


@desk_page("privacy", get=DIRECTOR, post=DIRECTOR, spoiler=False)
def privacy(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the retention period; a POST sets it, or anonymises the names once the code of the event is typed."""
    if request.method == "POST":
        try:
            messages.success(
                request, _set_retention(request, desk) if "days" in request.POST else _anonymise_players(request, desk)
            )
        except AlreadyDone:
            pass
        except Refused as refused:
            messages.error(request, refused.sentence)
        return redirect("desk:privacy", desk.code)
    event = desk.event
    context = {
        "event": event,
        "page": "privacy",
        "keeping": get_retention_period(event, timezone.localdate()),
        "kept": anonymise.preview_anonymisation(event) if "forget" in request.GET and not event.forgotten_at else None,
        "days": "" if event.keep_days is None else event.keep_days,
    }
    return render(request, "desk/players/privacy.html", context)


@desk_page("person", get=JUDGES, spoiler=True)
def player_data_file(request: HttpRequest, desk: Desk, table: int) -> HttpResponse:
    """Send everything stored about the player at a table, as a file."""
    player = player_at(desk.event, table)
    if player is None or not (desk.room.is_drawing or player.room_id == desk.room.pk):
        raise Http404
    response = JsonResponse(person_data(player), json_dumps_params={"ensure_ascii": False, "indent": 1})
    response["Content-Disposition"] = f'attachment; filename="{desk.event.code}-{table}.json"'
    return response


def _set_retention(request: HttpRequest, desk: Desk) -> str:
    days = read_number(request.POST, "days") if request.POST["days"].strip() else None
    anonymise.set_retention_days(event=desk.event, days=days, by=desk.user, now=utc_now())
    return _("The time for which names are kept is changed.")


def _anonymise_players(request: HttpRequest, desk: Desk) -> str:
    if request.POST.get("code", "").strip().upper() != desk.event.code:
        raise Refused(_("Type the code of the event, %(code)s, to forget its names.") % {"code": desk.event.code})
    anonymise.anonymise_event(event=desk.event, by=desk.user, now=utc_now())
    return _("The names of this event are forgotten; the results stay under pseudonyms.")
