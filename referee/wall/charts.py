"""Charts of the last turn, which the wall shows between the move and the next rack if its address asks for them."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.http import require_safe

from referee.charts.words import words_chart
from referee.wall.views import find_room
from tournaments.events.queries.events import current_game
from tournaments.results.queries.analysis import analysis_of

MOST_WORDS = 5


@require_safe
def charts(request: HttpRequest, token: str) -> HttpResponse:
    """Render the charts of the last turn that the room has been shown; empty before the first."""
    room = find_room(request, token)
    with translation.override(room.event.language):
        turns = analysis_of(current_game(room.event), room).turns
        last = replace(turns[-1], words=turns[-1].words[:MOST_WORDS]) if turns else None
        context = {"turn": last, "chart": words_chart(last) if last is not None and last.words else None}
        response = render(request, "wall/_charts.html", context)
    response["Cache-Control"] = "private, no-store"
    return response
