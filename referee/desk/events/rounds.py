"""The rounds of an event: played, in play and planned; and the setup of the next game."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.desk.events.game_form import NextGameForm, PlannedGameForm
from referee.results.files import FILES
from referee.security.permissions import STAFF
from tournaments.enums import GameState
from tournaments.events.queries.rounds import numbers_to_plan, round_lines
from tournaments.events.services.round_setup import EMPTY_SETUP, setup_of_next_game
from tournaments.events.services.rule_changes import may_change_rules
from tournaments.play.position import profile_of


@desk_page("rounds", get=STAFF, spoiler=False)
def rounds(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show every round with its state, and the standings after it."""
    lines = round_lines(desk.event)
    is_over = desk.game.state == GameState.FINISHED
    rules, plan = profile_of(desk.game), setup_of_next_game(desk.event, desk.game.number + 1)
    context = {
        "event": desk.event,
        "game": desk.game,
        "lines": [(line, _planned_form(desk, line.number) if line.is_planned else None) for line in lines],
        "new_round_form": _planned_form(desk, numbers_to_plan(lines)),
        "next_number": numbers_to_plan(lines),
        "game_form": NextGameForm(rules=rules, is_there=not is_over, plan=plan if is_over else EMPTY_SETUP),
        "may_add": is_over and desk.room.is_drawing,
        "may_set_up": not is_over and desk.room.is_drawing and may_change_rules(desk.game),
        "files": [(name, each.title) for name, each in FILES.items()],
        "page": "rounds",
    }
    return render(request, "desk/events/rounds.html", context)


def _planned_form(desk: Desk, number: int) -> PlannedGameForm:
    """Return the form for how the game of a planned round is played; each form of the page has ids of its own."""
    plan = setup_of_next_game(desk.event, number)
    return PlannedGameForm(rules=profile_of(desk.game), plan=plan, auto_id=f"id_{number}_%s")
