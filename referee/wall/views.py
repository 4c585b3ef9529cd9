"""The wall of a room: a page in the language of the event, opened by a token and without any rights of a judge."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from django.views.i18n import JavaScriptCatalog

from referee.calls.speech import get_current_calls, voice_texts
from referee.phone.join_address import join_card
from referee.security import failure_throttle
from referee.views.hall import get_public_view
from tournaments.events.queries.events import current_game, desk_address, room_by_wall_token, rooms_of
from tournaments.models import Room
from tournaments.now import utc_now

_catalogue = gzip_page(JavaScriptCatalog.as_view(packages=["referee"]))


@require_safe
def wall_page(request: HttpRequest, token: str) -> HttpResponse:
    """Render the page; its content comes over the socket. With `?overlay` it is a layer over the video of a stream."""
    room = find_room(request, token)
    event, alone = room.event, len(rooms_of(room.event)) == 1
    context = {
        "event": event,
        "room": None if alone else room,
        "token": token,
        "socket": f"/ws/wall/{token}/?room={desk_address(event, room)}",
        "with_charts": request.GET.get("charts") == "1",
        "overlay": "overlay" in request.GET,
        **join_card(request, event, None if alone else room),
    }
    with translation.override(event.language):
        response = render(request, "wall/wall.html", context | {"voice": voice_texts(event.language)})
        response["Content-Language"] = translation.get_language() or event.language
    response["Cache-Control"] = "private, no-cache"
    return response


@require_safe
def script_texts(request: HttpRequest, token: str) -> HttpResponseBase:
    """Answer with the texts of the scripts in the language of the event, not in that of the projector's browser."""
    with translation.override(find_room(request, token).event.language):
        response = _catalogue(request)
        response["Content-Language"] = translation.get_language() or ""
    return response


@require_safe
def calls(request: HttpRequest, token: str) -> HttpResponse:
    """Answer with the texts that the voice of the wall speaks now."""
    room = find_room(request, token)
    game = current_game(room.event)
    answer = JsonResponse(get_current_calls(room.event, game, get_public_view(game, room, utc_now())))
    answer["Cache-Control"] = "no-store"
    return answer


def find_room(request: HttpRequest, token: str) -> Room:
    """Return the room whose wall has this token; 404 if there is none."""
    room = room_by_wall_token(token)
    if room is None:
        failure_throttle.count_failed_request(request)
        raise Http404(_("There is no wall at this address: open it again from the judge's desk."))
    return room
