"""The page of the rooms of an event, and checks of the standings that a room may see."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.security.permissions import STAFF
from tournaments.errors import Refused
from tournaments.events.queries.events import desk_address, wall_token_of
from tournaments.events.queries.rooms import RoomLine, room_lines
from tournaments.now import utc_now
from tournaments.play.queries.phases import Phase
from tournaments.results.queries.event_results import StandingsChoice, read_choice


@desk_page("rooms", get=STAFF, spoiler=False)
def rooms(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show every room with its turn and phase; the page refreshes itself."""
    names = _names_of_phases()
    lines = [_row(desk, line, names) for line in room_lines(desk.game, utc_now())]
    context = {"event": desk.event, "lines": lines, "page": "rooms"}
    return render(
        request, "desk/events/_rooms.html" if getattr(request, "htmx", False) else "desk/events/rooms.html", context
    )


def may_see(desk: Desk, choice: StandingsChoice) -> bool:
    """Return True if the desk may show standings of this scope.

    The standings of all rooms contain only turns that all rooms have finished. Those of another room may be ahead of
    this one, but never of the drawing room.
    """
    return choice.room in (None, desk.room.number) or desk.room.is_drawing


def require_visible(desk: Desk, choice: str) -> None:
    """Refuse to print standings that the desk may not show."""
    chosen = read_choice(choice)
    if chosen is not None and not may_see(desk, chosen):
        raise Refused(_("These standings are shown at the desk of their room."))


def _row(desk: Desk, line: RoomLine, names: dict[Phase, str]) -> dict[str, object]:
    room = line.room
    room.event = desk.event
    minutes, seconds = divmod(room.offset_s or 0, 60)
    return {
        "line": line,
        "room": room,
        "number": room.number,
        "phase": names[line.phase],
        "desk": desk_address(desk.event, room),
        "wall": wall_token_of(room),
        "minutes": minutes,
        "seconds": seconds,
        "by_itself": room.offset_s is not None,
    }


def _names_of_phases() -> dict[Phase, str]:
    return {
        Phase.LOBBY: _("not started"),
        Phase.DRAWN: _("rack drawn"),
        Phase.RUNNING: _("clock running"),
        Phase.PAUSED: _("paused"),
        Phase.CLOSED: _("being judged"),
        Phase.PLACED: _("move shown"),
        Phase.FINISHED: _("over"),
    }
