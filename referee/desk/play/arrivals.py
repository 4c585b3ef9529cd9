"""The list of players at the desk: whether each has joined, and whether their slip is in, never its content."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.live.rooms.live_server import get_room_health
from referee.security.permissions import STAFF
from tournaments.now import utc_now
from tournaments.play.queries.phases import PHASES_WITH_PUBLIC_RACK, Phase, get_room_turn, phase_of
from tournaments.play.queries.slip_arrivals import list_arrivals

MOST_LISTED = 60
"""Above this number only players without a slip are listed."""


@desk_page("arrivals-of-slips", get=STAFF, spoiler=False)
def slip_arrivals(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the list of players as a part of the console."""
    return render(request, "desk/play/_arrivals.html", arrivals_context(desk, utc_now()))


def arrivals_context(desk: Desk, now: datetime) -> dict[str, object]:
    """Return the players of the room with the state of their slips; `others` counts those that are not listed."""
    phase = phase_of(desk.game, desk.room, now)
    turn = get_room_turn(desk.game, desk.room) if phase in PHASES_WITH_PUBLIC_RACK else None
    arrivals = list_arrivals(desk.game, desk.room, turn, get_room_health((desk.event.pk, desk.room.pk)).connected)
    listed = arrivals
    if len(arrivals) > MOST_LISTED:
        listed = [arrival for arrival in arrivals if arrival.is_waiting][:MOST_LISTED]
    return {
        "arrivals": listed,
        "others": len(arrivals) - len(listed),
        "here": sum(arrival.state not in ("expected", "lost") for arrival in arrivals),
        "missing": [arrival.table for arrival in arrivals if arrival.is_waiting],
        "expected": [arrival.name for arrival in arrivals if arrival.state == "expected"],
        "in_lobby": phase is Phase.LOBBY,
    }
