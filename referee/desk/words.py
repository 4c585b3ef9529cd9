"""The judge's search box: is this a word, and why; hooks, anagrams, words like a pattern."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from referee.desk.access import Desk, at_desk
from tournaments.selectors.words import look_up


@require_GET
@at_desk
def words(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The answer to the question `q`: alone for the box on the console, else as a page of its own."""
    question = request.GET.get("q", "").strip()
    answer = look_up(desk.game, question, desk.room) if question else None
    template = "desk/_words_answer.html" if getattr(request, "htmx", False) else "desk/words.html"
    context = {"event": desk.event, "question": question, "answer": answer, "page": "words"}
    return render(request, template, context)
