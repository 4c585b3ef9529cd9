"""Results of an event as a file, for other programs and the club's site."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse

from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.desk.results.game_choice import GAME, read_games
from referee.results.files import FILES, file_name
from referee.security.permissions import JUDGES
from tournaments.results.queries.event_export import event_export


@desk_page("results", get=JUDGES, spoiler=True)
def results(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Send the file of the type `as`, of one `game` or by default of the event; in a following room, of that room."""
    kind = request.GET.get("as", "")
    if kind not in FILES:
        raise Http404
    game = read_games(desk, request.GET).only if GAME in request.GET else None
    room = None if desk.room.is_drawing else desk.room
    export = event_export(desk.event, game=game.number if game else None, room=room)
    if export is None:
        raise Http404
    return HttpResponse(
        FILES[kind].write(export),
        content_type=FILES[kind].media,
        headers={"Content-Disposition": f'attachment; filename="{file_name(export, kind)}"'},
    )
