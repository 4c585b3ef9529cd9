"""The rounds of an event: played, in play and planned; and the setup of the next game."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render

from engine.bounded_input import parse_whole_number
from engine.rules.profile import Profile
from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.desk.events.game_form import NextGameForm, PlannedGameForm
from referee.desk.events.planned_rules import PlannedRules
from referee.desk.events.rules_form import PREFIX
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
    return rounds_page(request, desk, None)


def rounds_page(request: HttpRequest, desk: Desk, refused: QueryDict | None) -> HttpResponse:
    """Render the page; `refused` is the form of a planned round that was refused, whose values are shown again."""
    lines = round_lines(desk.event)
    new_number = numbers_to_plan(lines)
    refused_number = parse_whole_number(refused.get("number", "")) or 0 if refused else 0
    has_rules = refused is not None and any(name.startswith(f"{PREFIX}-") for name in refused)
    rules_number = refused_number if has_rules else parse_whole_number(request.GET.get(RULES, "")) or 0

    def posted(number: int) -> QueryDict | None:
        return refused if number == refused_number else None

    is_over = desk.game.state == GameState.FINISHED
    rules, plan = profile_of(desk.game), setup_of_next_game(desk.event, desk.game.number + 1)
    context = {
        "event": desk.event,
        "game": desk.game,
        "lines": [
            (line, _planned_form(desk, line.number, posted(line.number)) if line.is_planned else None) for line in lines
        ],
        "refused": refused,
        "refused_number": refused_number,
        "rules_of_round": rules_number,
        "rules_form": _rules_form(desk, rules_number, posted(rules_number))
        if any(_is_ahead(line, rules_number) for line in lines)
        else None,
        "new_round_form": _planned_form(desk, new_number, posted(new_number)),
        "next_number": new_number,
        "game_form": NextGameForm(rules=rules, is_there=not is_over, plan=plan if is_over else EMPTY_SETUP),
        "may_add": is_over and desk.room.is_drawing,
        "may_set_up": not is_over and desk.room.is_drawing and may_change_rules(desk.game),
        "files": [(name, each.title) for name, each in FILES.items()],
        "page": "rounds",
    }
    return render(request, "desk/events/rounds.html", context, status=422 if refused else 200)


def _planned_form(desk: Desk, number: int, posted: QueryDict | None) -> PlannedGameForm:
    """Return the form for how the game of a planned round is played; each form of the page has ids of its own."""
    plan = setup_of_next_game(desk.event, number)
    return PlannedGameForm(posted, rules=_planned_rules(desk, plan), plan=plan, auto_id=f"id_{number}_%s")


def _planned_rules(desk: Desk, plan: RoundSetup) -> Profile:
    """Return the rules that a plan brings; those of the present game if they are not installed any more."""
    try:
        return rules_as_planned(desk.game, plan).rules
    except Refused:
        return profile_of(desk.game)


def _rules_form(desk: Desk, number: int, posted: QueryDict | None) -> PlannedRules | None:
    """Return the form for the single rules of a planned round; None if its rules are not installed any more."""
    try:
        return PlannedRules(desk.game, setup_of_next_game(desk.event, number), posted)
    except Refused:
        return None


def _is_ahead(line: RoundLine, number: int) -> bool:
    return line.is_planned and line.number == number
