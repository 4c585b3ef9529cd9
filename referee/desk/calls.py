"""The caller's page: what he reads aloud, in large type, and the texts of the voice that can do it for him."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Sum
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import override
from django.views.decorators.http import require_GET

from referee.calling import MoveCall, RackCall, move_call, rack_call
from referee.desk.access import Desk, at_desk
from referee.desk.console import clock, headline
from referee.spoken import spoken, voice_texts
from tournaments.now import utc_now
from tournaments.position import edition_of, profile_of
from tournaments.selectors.hall import HallView, hall_view
from tournaments.selectors.phases import Phase, shown_in, turn_in

_WITH_MOVE = frozenset({Phase.DRAWN, Phase.PLACED, Phase.FINISHED})
_WITH_RACK = frozenset({Phase.DRAWN, Phase.RUNNING, Phase.PAUSED, Phase.CLOSED})


@require_GET
@at_desk
def calls(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The page, or the part of it that changes."""
    context = _context(desk, utc_now())
    return render(request, "desk/_calls.html" if getattr(request, "htmx", False) else "desk/calls.html", context)


@require_GET
@at_desk
def spoken_calls(request: HttpRequest, desk: Desk) -> HttpResponse:
    """What the voice of the desk says now: nothing that the hall does not know."""
    return JsonResponse(spoken(desk.event, desk.game, hall_view(desk.game, desk.room, utc_now())))


def _context(desk: Desk, now: datetime) -> dict[str, object]:
    hall = hall_view(desk.game, desk.room, now)
    with override(desk.event.language):
        move, rack = _move(desk, hall), _rack(desk, hall)
    return {
        "event": desk.event,
        "hall": hall,
        "headline": headline(hall),
        "clock": clock(hall, now),
        "move": move,
        "rack": rack,
        "voice": voice_texts(desk.event.language),
        "page": "calls",
    }


def _rack(desk: Desk, hall: HallView) -> RackCall | None:
    """The rack that is to be called, or was: at a judge's desk it is there as soon as it is drawn."""
    turn = turn_in(desk.game, desk.room) if hall.phase in _WITH_RACK else None
    if turn is None:
        return None
    return rack_call(edition_of(desk.game), turn.number, turn.rack, hall.clock_s)


def _move(desk: Desk, hall: HallView) -> MoveCall | None:
    """The move that was placed last, until the next turn begins, with the total of all so far."""
    last = hall.last
    if last is None or hall.phase not in _WITH_MOVE:
        return None
    total = shown_in(desk.game, desk.room).aggregate(sum=Sum("master_score"))["sum"] or 0
    edition, notation = edition_of(desk.game), profile_of(desk.game).notation
    return move_call(edition, notation, last.turn, last.word, last.ref, last.score, total)
