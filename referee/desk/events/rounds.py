"""The rounds of an event: played, in play and planned; and the setup of the next game."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from engine.bounded_input import parse_whole_number
from engine.rules.profile import Profile
from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.desk.events.game_form import NextGameForm, PlannedGameForm
from referee.desk.events.planned_rules import PlannedRules
from referee.results.files import FILES
from referee.security.permissions import STAFF
from tournaments.enums import GameState
from tournaments.errors import Refused
from tournaments.events.queries.rounds import RoundLine, numbers_to_plan, round_lines
from tournaments.events.services.round_setup import EMPTY_SETUP, RoundSetup, rules_as_planned, setup_of_next_game
from tournaments.events.services.rule_changes import may_change_rules
from tournaments.play.position import profile_of

RULES = "rules"


@desk_page("rounds", get=STAFF, spoiler=False)
def rounds(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show every round with its state, and the standings after it."""
    lines = round_lines(desk.event)
    rules_number = parse_whole_number(request.GET.get(RULES, "")) or 0
    is_over = desk.game.state == GameState.FINISHED
    rules, plan = profile_of(desk.game), setup_of_next_game(desk.event, desk.game.number + 1)
    context = {
        "event": desk.event,
        "game": desk.game,
        "lines": [(line, _planned_form(desk, line.number) if line.is_planned else None) for line in lines],
        "rules_of_round": rules_number,
        "rules_form": _rules_form(desk, rules_number) if any(_is_ahead(line, rules_number) for line in lines) else None,
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
    return PlannedGameForm(rules=_planned_rules(desk, plan), plan=plan, auto_id=f"id_{number}_%s")


def _planned_rules(desk: Desk, plan: RoundSetup) -> Profile:
    """Return the rules that a plan brings; those of the present game if they are not installed any more."""
    try:
        return rules_as_planned(desk.game, plan).rules
    except Refused:
        return profile_of(desk.game)


def _rules_form(desk: Desk, number: int) -> PlannedRules | None:
    """Return the form for the single rules of a planned round; None if its rules are not installed any more."""
    try:
        return PlannedRules(desk.game, setup_of_next_game(desk.event, number))
    except Refused:
        return None


def _is_ahead(line: RoundLine, number: int) -> bool:
    return line.is_planned and line.number == number
