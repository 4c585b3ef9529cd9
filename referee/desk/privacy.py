"""What the desk does for privacy: until when names are kept, forgetting them, and a person's own data."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from referee.desk.access import Desk, at_desk
from referee.desk.posted import number
from tournaments.errors import AlreadyDone, Refused
from tournaments.now import utc_now
from tournaments.selectors.keeping import keeping_of, person_data
from tournaments.selectors.players import player_at
from tournaments.services import forgetting


@require_http_methods(["GET", "POST"])
@at_desk
def privacy(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Until when names are kept; a POST sets that, or forgets them once the code of the event was typed."""
    if request.method == "POST":
        try:
            messages.success(request, _keep(request, desk) if "days" in request.POST else _forget(request, desk))
        except AlreadyDone:
            pass
        except Refused as refused:
            messages.error(request, refused.sentence)
        return redirect("desk:privacy", desk.code)
    event = desk.event
    context = {
        "event": event,
        "page": "privacy",
        "keeping": keeping_of(event, timezone.localdate()),
        "kept": forgetting.what_is_kept(event) if "forget" in request.GET and not event.forgotten_at else None,
        "days": "" if event.keep_days is None else event.keep_days,
    }
    return render(request, "desk/privacy.html", context)


@require_GET
@at_desk
def person(request: HttpRequest, desk: Desk, table: int) -> HttpResponse:
    """Everything that is stored about the player of a table, as a file for him."""
    player = player_at(desk.event, table)
    if player is None or not (desk.room.is_drawing or player.room_id == desk.room.pk):
        raise Http404
    response = JsonResponse(person_data(player), json_dumps_params={"ensure_ascii": False, "indent": 1})
    response["Content-Disposition"] = f'attachment; filename="{desk.event.code}-{table}.json"'
    return response


def _keep(request: HttpRequest, desk: Desk) -> str:
    days = number(request.POST, "days") if request.POST["days"].strip() else None
    forgetting.keep_names(event=desk.event, days=days, by=desk.user, now=utc_now())
    return _("Names are kept so long from now on.")


def _forget(request: HttpRequest, desk: Desk) -> str:
    if request.POST.get("code", "").strip().upper() != desk.event.code:
        raise Refused(_("Type the code of the event, %(code)s, to forget its names.") % {"code": desk.event.code})
    forgetting.forget(event=desk.event, by=desk.user, now=utc_now())
    return _("The names of this event are forgotten; the results stay under pseudonyms.")
