"""The rooms of an event: where each of them is, and how it follows; what the desk of a room may look at."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from referee.desk.access import Desk, at_desk
from tournaments.errors import Refused
from tournaments.now import utc_now
from tournaments.selectors.event_results import Choice, read_choice
from tournaments.selectors.events import desk_of, wall_token_of
from tournaments.selectors.phases import Phase
from tournaments.selectors.rooms import RoomLine, room_lines


@require_GET
@at_desk
def rooms(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Every room with its turn and its phase; brought up to date by itself."""
    names = _names_of_phases()
    lines = [_row(desk, line, names) for line in room_lines(desk.game, utc_now())]
    context = {"event": desk.event, "lines": lines, "page": "rooms"}
    return render(request, "desk/_rooms.html" if getattr(request, "htmx", False) else "desk/rooms.html", context)


def may_see(desk: Desk, choice: Choice) -> bool:
    """Whether these standings may be looked at here: those of all rooms hold only what all have finished; those of
    another room may be ahead of this one, but never of the drawing room."""
    return choice.room in (None, desk.room.number) or desk.room.is_drawing


def demand_visible(desk: Desk, choice: str) -> None:
    """The same for standings that are to be printed."""
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
        "desk": desk_of(desk.event, room),
        "wall": wall_token_of(room),
        "minutes": minutes,
        "seconds": seconds,
        "by_itself": room.offset_s is not None,
    }


def _names_of_phases() -> dict[Phase, str]:
    return {
        Phase.LOBBY: _("not begun"),
        Phase.DRAWN: _("rack drawn"),
        Phase.RUNNING: _("clock running"),
        Phase.PAUSED: _("paused"),
        Phase.CLOSED: _("being judged"),
        Phase.PLACED: _("move shown"),
        Phase.FINISHED: _("over"),
    }
