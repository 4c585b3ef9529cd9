"""The caller's page with the texts to read aloud in large type, and the texts of the voice that can speak them."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Sum
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import override

from referee.calls.caller_text import MoveCall, RackCall, build_move_call, build_rack_call
from referee.calls.speech import get_current_calls, voice_texts
from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.desk.play.console import clock_values, headline
from referee.security.permissions import JUDGES, STAFF
from referee.views.hall import PublicView, get_public_view
from tournaments.now import utc_now
from tournaments.play.position import edition_of, profile_of
from tournaments.play.queries.phases import Phase, get_room_turn, list_shown_turns

_PHASES_WITH_MOVE = frozenset({Phase.DRAWN, Phase.PLACED, Phase.FINISHED})
_PHASES_WITH_RACK = frozenset({Phase.DRAWN, Phase.RUNNING, Phase.PAUSED, Phase.CLOSED})


@desk_page("calls", get=JUDGES, spoiler=True)
def calls(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the page, or the part of it that changes."""
    context = _context(desk, utc_now())
    return render(
        request, "desk/play/_calls.html" if getattr(request, "htmx", False) else "desk/play/calls.html", context
    )


@desk_page("spoken", get=STAFF, spoiler=False)
def spoken_calls(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Answer with the texts that the voice of the desk speaks now, which are public."""
    return JsonResponse(get_current_calls(desk.event, desk.game, get_public_view(desk.game, desk.room, utc_now())))


def _context(desk: Desk, now: datetime) -> dict[str, object]:
    public_view = get_public_view(desk.game, desk.room, now)
    with override(desk.event.language):
        move, rack = _move(desk, public_view), _rack(desk, public_view)
    return {
        "event": desk.event,
        "hall": public_view,
        "headline": headline(public_view),
        "clock": clock_values(public_view, now),
        "move": move,
        "rack": rack,
        "voice": voice_texts(desk.event.language),
        "page": "calls",
    }


def _rack(desk: Desk, public_view: PublicView) -> RackCall | None:
    """Return the rack to be called; a judge's desk has it as soon as it is drawn."""
    turn = get_room_turn(desk.game, desk.room) if public_view.phase in _PHASES_WITH_RACK else None
    if turn is None:
        return None
    return build_rack_call(edition_of(desk.game), turn.number, turn.rack, public_view.clock_s)


def _move(desk: Desk, public_view: PublicView) -> MoveCall | None:
    """Return the last placed move with the total so far, until the next turn begins."""
    last = public_view.last
    if last is None or public_view.phase not in _PHASES_WITH_MOVE:
        return None
    total = list_shown_turns(desk.game, desk.room).aggregate(sum=Sum("master_score"))["sum"] or 0
    edition, notation = edition_of(desk.game), profile_of(desk.game).notation
    return build_move_call(edition, notation, last.turn, last.word, last.ref, last.score, total)
