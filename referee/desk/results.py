"""The results of an event as a file, for other programs and for the club's site."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from engine.bounded_input import whole_number
from referee.desk.access import Desk, at_desk
from referee.results.files import FILES, file_name
from tournaments.selectors.event_export import event_export


@require_GET
@at_desk
def results(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The file that `as` names, of the event or of one `game`; at the desk of a room that follows that room's."""
    kind, game = request.GET.get("as", ""), request.GET.get("game", "")
    number = whole_number(game, digits=4)
    if kind not in FILES or (game and number is None):
        raise Http404
    export = event_export(desk.event, game=number, room=None if desk.room.is_drawing else desk.room)
    if export is None:
        raise Http404
    return HttpResponse(
        FILES[kind].write(export),
        content_type=FILES[kind].media,
        headers={"Content-Disposition": f'attachment; filename="{file_name(export, kind)}"'},
    )
