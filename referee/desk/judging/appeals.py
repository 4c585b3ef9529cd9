"""Pages of appeals, and of judging a placed turn again."""

from __future__ import annotations

import json
from collections.abc import Sequence

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.desk.judging.rejudging_actions import find_turn
from referee.desk.results.game_choice import GAME, GameChoice, Tab, find_game, find_games, read_game
from referee.results.ruling_text import ruling_words
from referee.security.permissions import JUDGES, STAFF
from tournaments.enums import Role
from tournaments.errors import Refused
from tournaments.judging.queries.appeals import (
    AnsweredAppeal,
    OpenAppeal,
    answered_appeals,
    count_open_appeals,
    open_appeals,
)
from tournaments.judging.queries.rejudged_turns import get_rejudged_turn, list_rejudged_turns
from tournaments.judging.queries.slip_groups import groups_of
from tournaments.judging.queries.warnings import warnings_given
from tournaments.models import Game, Room, Turn, TurnClock
from tournaments.play.position import edition_of, profile_of
from tournaments.results.queries.event_results import WHOLE_EVENT

MOST_ANSWERED = 30


@desk_page("appeals", get=STAFF, spoiler=True)
def appeals(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the open appeals, and a form for appeals on paper. A typist sees only the form."""
    try:
        chosen = find_games(desk, request.GET.get(GAME, ""))
    except Refused as refused:
        messages.error(request, refused.sentence)
        return redirect("desk:appeals", desk.code)
    whose = None if desk.room.is_drawing else desk.room
    judges = desk.role in JUDGES
    context = {
        "event": desk.event,
        "chosen": chosen,
        "game": chosen.game,
        "games": _tabs(chosen) if judges else [],
        "page": "appeals",
        "judges": judges,
        "nameless": desk.event.anonymous_judging,
        "appeals": [each for game in chosen.games for each in _list_appeals(game, whose)] if judges else [],
        "answered": _list_answered(chosen.games, whose) if judges else [],
        "is_drawing": desk.room.is_drawing,
        "may_set": desk.role is Role.DIRECTOR and chosen.only == desk.game,
        "turn": _last_shown_turn(chosen.game, desk.room),
    }
    template = "desk/judging/_appeals.html" if getattr(request, "htmx", False) else "desk/judging/appeals.html"
    return render(request, template, context)


@desk_page("appeals-open", get=JUDGES, spoiler=False)
def open_appeals_count(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Render the number of open appeals in all games, for the link to the page."""
    waiting = sum(count_open_appeals(desk.event, desk.room).values())
    return render(request, "desk/judging/_open_appeals.html", {"open_appeals": waiting})


@desk_page("again", get=JUDGES, spoiler=True)
def rejudging_page(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show a placed turn with the forms to judge it again; without a turn in the address, list the placed turns."""
    try:
        game = find_game(desk, request.GET.get(GAME, ""))
        turn = find_turn(desk, request.GET) if request.GET.get("turn") else None
    except Refused as refused:
        messages.error(request, refused.sentence)
        return redirect("desk:again", desk.code)
    shown_clocks = TurnClock.objects.filter(room=desk.room, shown_at__isnull=False).values("turn")
    turns = Turn.objects.filter(game=game, pk__in=shown_clocks).order_by("number")
    if turn is not None and not turns.filter(pk=turn.pk).exists():
        raise Http404
    context = {
        "event": desk.event,
        "game": game,
        "games": _games(desk),
        "page": "again",
        "turns": turns,
        "turn": turn,
        "is_drawing": desk.room.is_drawing,
        "nameless": desk.event.anonymous_judging,
        "done": [(line, ruling_words(line)) for line in list_rejudged_turns(game)] if desk.room.is_drawing else [],
    }
    if turn is not None:
        everywhere = None if desk.room.is_drawing else desk.room
        warned = warnings_given(turn, everywhere)
        context |= {
            "groups": groups_of(turn, warned, everywhere),
            "warned": warned,
            "board_json": _board(turn.board, game),
        }
    return render(request, "desk/judging/rejudge.html", context)


@desk_page("differences", get=JUDGES, spoiler=True)
def differences(request: HttpRequest, desk: Desk, pk: int) -> HttpResponse:
    """Show the changes by judging a turn again; `pk` is the number of the ledger entry."""
    game = read_game(desk, request.GET).game
    rejudged = get_rejudged_turn(game, pk) if desk.room.is_drawing else None
    if rejudged is None:
        raise Http404
    context = {"event": desk.event, "game": game, "page": "again", "found": rejudged}
    return render(request, "desk/results/differences.html", context | {"what": ruling_words(rejudged.ruling)})


def _list_appeals(game: Game, room: Room | None) -> list[tuple[int, OpenAppeal, str]]:
    """Return the number of the game, each open appeal, and the data to draw the board of its turn."""
    return [(game.number, each, _board(each.board, game)) for each in open_appeals(game, room)]


def _list_answered(games: Sequence[Game], room: Room | None) -> list[tuple[int, AnsweredAppeal]]:
    """Return the latest answered appeals, each with the number of its game."""
    found = [(game.number, each) for game in reversed(games) for each in answered_appeals(game, room)]
    return found[:MOST_ANSWERED]


def _board(rows: Sequence[str], game: Game) -> str:
    edition, notation = edition_of(game), profile_of(game).notation
    values = {face: edition.values[letter] for letter, face in enumerate(edition.letters)}
    return json.dumps({"board": list(rows), "fresh": [], "values": values, "notation": notation.value})


def _tabs(chosen: GameChoice) -> list[tuple[Tab, int]]:
    """Return a tab for the whole event and for each game, with the number of open appeals there."""
    waiting = {str(number): n for number, n in count_open_appeals(chosen.desk.event, chosen.desk.room).items()}
    waiting[WHOLE_EVENT] = sum(waiting.values())
    return [(tab, waiting.get(tab.choice, 0)) for tab in chosen.tabs(with_event=True, link=str)]


def _games(desk: Desk) -> list[tuple[int, int]]:
    """Return (number, number of open appeals) of every game; empty for a single game."""
    waiting = count_open_appeals(desk.event, desk.room)
    numbers = list(desk.event.games.order_by("number").values_list("number", flat=True))
    return [(number, waiting.get(number, 0)) for number in numbers] if len(numbers) > 1 else []


def _last_shown_turn(game: Game, room: Room) -> int:
    shown_clocks = TurnClock.objects.filter(turn__game=game, room=room, shown_at__isnull=False)
    return shown_clocks.order_by("-turn__number").values_list("turn__number", flat=True).first() or 0
