"""Between the move and the next rack: who had the top, and what the room wrote most. Where the wall was opened so."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.http import require_safe

from referee.charts.words import words_chart
from referee.wall.views import room_of
from tournaments.selectors.analysis import analysis_of
from tournaments.selectors.events import current_game

MOST_WORDS = 5


@require_safe
def charts(request: HttpRequest, token: str) -> HttpResponse:
    """The last turn that the room was shown, as a part of the page; empty before the first."""
    room = room_of(request, token)
    with translation.override(room.event.language):
        turns = analysis_of(current_game(room.event), room).turns
        last = replace(turns[-1], words=turns[-1].words[:MOST_WORDS]) if turns else None
        context = {"turn": last, "chart": words_chart(last) if last is not None and last.words else None}
        response = render(request, "wall/_charts.html", context)
    response["Cache-Control"] = "private, no-store"
    return response
