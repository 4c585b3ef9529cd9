"""Results of an event as a file, for other programs and the club's site."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse

from engine.bounded_input import parse_whole_number
from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.results.files import FILES, file_name
from referee.security.permissions import JUDGES
from tournaments.results.queries.event_export import event_export


@desk_page("results", get=JUDGES, spoiler=True)
def results(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Send the file of the type `as`, of the event or of one `game`; at the desk of a following room, of that room."""
    kind, game = request.GET.get("as", ""), request.GET.get("game", "")
    number = parse_whole_number(game, digits=4)
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
