"""The rounds of an event: what was played, what is played now, what is planned; and how the game to come is played."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from referee.desk.access import Desk, at_desk
from referee.desk.game_form import NextGameForm
from referee.results.files import FILES
from tournaments.enums import GameState
from tournaments.position import profile_of
from tournaments.selectors.rounds import numbers_to_plan, round_lines
from tournaments.services.rules import may_change_rules


@require_GET
@at_desk
def rounds(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Every round with its state, and the standings after it."""
    lines = round_lines(desk.event)
    is_over = desk.game.state == GameState.FINISHED
    context = {
        "event": desk.event,
        "game": desk.game,
        "lines": lines,
        "next_number": numbers_to_plan(lines),
        "game_form": NextGameForm(rules=profile_of(desk.game), is_there=not is_over),
        "may_add": is_over and desk.room.is_drawing,
        "may_set_up": not is_over and desk.room.is_drawing and may_change_rules(desk.game),
        "files": [(name, each.title) for name, each in FILES.items()],
        "page": "rounds",
    }
    return render(request, "desk/rounds.html", context)
