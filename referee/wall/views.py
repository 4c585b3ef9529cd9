"""The wall of a room: one page by a token of its own, in the language of the event, without any right of a judge."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from django.views.i18n import JavaScriptCatalog

from referee.joining import join_card
from referee.security import gate
from referee.spoken import spoken, voice_texts
from tournaments.models import Room
from tournaments.now import utc_now
from tournaments.selectors.events import current_game, room_by_wall_token, rooms_of
from tournaments.selectors.hall import hall_view

_catalogue = gzip_page(JavaScriptCatalog.as_view(packages=["referee"]))


@require_safe
def show(request: HttpRequest, token: str) -> HttpResponse:
    """The page; what it shows comes over the socket."""
    room = room_of(request, token)
    event, alone = room.event, len(rooms_of(room.event)) == 1
    context = {
        "event": event,
        "room": None if alone else room,
        "token": token,
        "socket": f"/ws/wall/{token}/",
        "with_charts": request.GET.get("charts") == "1",
        **join_card(request, event, None if alone else room),
    }
    with translation.override(event.language):
        response = render(request, "wall/show.html", context | {"voice": voice_texts(event.language)})
        response["Content-Language"] = translation.get_language() or event.language
    response["Cache-Control"] = "private, no-cache"
    return response


@require_safe
def texts(request: HttpRequest, token: str) -> HttpResponseBase:
    """The texts of the scripts in the language of the event: the projector's browser may speak another one."""
    with translation.override(room_of(request, token).event.language):
        response = _catalogue(request)
        response["Content-Language"] = translation.get_language() or ""
    return response


@require_safe
def calls(request: HttpRequest, token: str) -> HttpResponse:
    """What the voice of the wall says now."""
    room = room_of(request, token)
    game = current_game(room.event)
    answer = JsonResponse(spoken(room.event, game, hall_view(game, room, utc_now())))
    answer["Cache-Control"] = "no-store"
    return answer


def room_of(request: HttpRequest, token: str) -> Room:
    """The room whose wall has this token; 404 for one that nobody hung up."""
    room = room_by_wall_token(token)
    if room is None:
        gate.failed_request(request)
        raise Http404(_("There is no wall at this address: open it anew from the judge's desk."))
    return room
