"""The judge's search box: is this a word, where could it go and for how much, who played it; what a rack could do."""

from __future__ import annotations

import json

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from referee.desk.access import Desk, at_desk
from tournaments.models import Turn
from tournaments.now import utc_now
from tournaments.position import edition_of, profile_of
from tournaments.selectors.search_box import answer


@require_GET
@at_desk
def words(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The answer to the question `q`: alone for the box on the console, else as a page of its own."""
    question = request.GET.get("q", "").strip()
    found = answer(desk.game, desk.room, desk.user, question, utc_now()) if question else None
    template = "desk/_words_answer.html" if getattr(request, "htmx", False) else "desk/words.html"
    context = {
        "event": desk.event,
        "question": question,
        "answer": found.words if found else None,
        "found": found,
        "board_json": _board_json(found.turn) if found and found.turn else "",
        "page": "words",
    }
    return render(request, template, context)


def _board_json(turn: Turn) -> str:
    """The board of the turn as static/common/board.js draws it."""
    edition = edition_of(turn.game)
    values = {face: edition.values[letter] for letter, face in enumerate(edition.letters)}
    return json.dumps({"board": turn.board, "values": values, "notation": profile_of(turn.game).notation})
