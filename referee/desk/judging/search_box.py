"""The judge's search box: validity of a word, its placements and scores, its players; the words of a rack."""

from __future__ import annotations

import json

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.security.permissions import JUDGES
from tournaments.models import Turn
from tournaments.now import utc_now
from tournaments.play.position import edition_of, profile_of
from tournaments.search_box.search_box import answer_line


@desk_page("words", get=JUDGES, spoiler=True)
def search_words(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Answer the query `q`: as a part for the box on the console, else as a page."""
    question = request.GET.get("q", "").strip()
    answer = answer_line(desk.game, desk.room, desk.user, question, utc_now()) if question else None
    template = "desk/search_box/_answer.html" if getattr(request, "htmx", False) else "desk/search_box/search_box.html"
    context = {
        "event": desk.event,
        "question": question,
        "answer": answer.words if answer else None,
        "found": answer,
        "board_json": _board_json(answer.turn) if answer and answer.turn else "",
        "page": "words",
    }
    return render(request, template, context)


def _board_json(turn: Turn) -> str:
    """Return the board of the turn for static/common/board.js."""
    edition = edition_of(turn.game)
    values = {face: edition.values[letter] for letter, face in enumerate(edition.letters)}
    return json.dumps({"board": turn.board, "values": values, "notation": profile_of(turn.game).notation})
