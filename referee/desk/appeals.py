"""The pages of appeals, and of turns that are judged again once they are on the board."""

from __future__ import annotations

import json
from collections.abc import Sequence

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from referee.desk.access import Desk, at_desk
from referee.desk.again import game_named, turn_named
from referee.rulings_text import ruling_words
from referee.security.rights import JUDGES
from tournaments.enums import Role
from tournaments.errors import Refused
from tournaments.models import Game, Room, Turn, TurnClock
from tournaments.position import edition_of, profile_of
from tournaments.selectors.appeals import OpenAppeal, answered_appeals, number_open, open_appeals
from tournaments.selectors.groups import groups_of
from tournaments.selectors.reopened import reopened, reopened_turns
from tournaments.selectors.warned import warnings_given

MOST_ANSWERED = 30


@require_GET
@at_desk
def appeals(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The appeals that wait, and a form for those on paper. A typist sees the form alone."""
    try:
        game = game_named(desk, request.GET.get("game", ""))
    except Refused as refused:
        messages.error(request, refused.sentence)
        return redirect("desk:appeals", desk.code)
    whose = None if desk.room.is_drawing else desk.room
    judges = desk.role in JUDGES
    context = {
        "event": desk.event,
        "game": game,
        "games": _games(desk) if judges else [],
        "page": "appeals",
        "judges": judges,
        "nameless": desk.event.anonymous_judging,
        "appeals": [_shown(one, game) for one in open_appeals(game, whose)] if judges else [],
        "answered": answered_appeals(game, whose)[:MOST_ANSWERED] if judges else [],
        "is_drawing": desk.room.is_drawing,
        "may_set": desk.role is Role.DIRECTOR and game == desk.game,
        "turn": _last_shown(game, desk.room),
    }
    template = "desk/_appeals.html" if getattr(request, "htmx", False) else "desk/appeals.html"
    return render(request, template, context)


@require_GET
@at_desk
def appeals_open(request: HttpRequest, desk: Desk) -> HttpResponse:
    """How many wait, in all games, for the link to the page."""
    waiting = sum(number_open(desk.event, desk.room).values())
    return render(request, "desk/_appeals_open.html", {"open_appeals": waiting})


@require_GET
@at_desk
def again(request: HttpRequest, desk: Desk) -> HttpResponse:
    """A turn that is on the board, to be judged again; without one named, the turns there are."""
    try:
        game = game_named(desk, request.GET.get("game", ""))
        turn = turn_named(desk, request.GET) if request.GET.get("turn") else None
    except Refused as refused:
        messages.error(request, refused.sentence)
        return redirect("desk:again", desk.code)
    shown = TurnClock.objects.filter(room=desk.room, shown_at__isnull=False).values("turn")
    turns = Turn.objects.filter(game=game, pk__in=shown).order_by("number")
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
        "done": [(line, ruling_words(line)) for line in reopened_turns(game)] if desk.room.is_drawing else [],
    }
    if turn is not None:
        everywhere = None if desk.room.is_drawing else desk.room
        warned = warnings_given(turn, everywhere)
        context |= {
            "groups": groups_of(turn, warned, everywhere),
            "warned": warned,
            "board_json": _board(turn.board, game),
        }
    return render(request, "desk/again.html", context)


@require_GET
@at_desk
def differences(request: HttpRequest, desk: Desk, pk: int) -> HttpResponse:
    """What a turn that was judged again changed, by the number of the entry in the ledger."""
    try:
        game = game_named(desk, request.GET.get("game", ""))
    except Refused:
        raise Http404 from None
    found = reopened(game, pk) if desk.room.is_drawing else None
    if found is None:
        raise Http404
    context = {"event": desk.event, "game": game, "page": "again", "found": found}
    return render(request, "desk/differences.html", context | {"what": ruling_words(found.ruling)})


def _shown(one: OpenAppeal, game: Game) -> tuple[OpenAppeal, str]:
    """An appeal, and what the board of its turn is drawn from."""
    return one, _board(one.board, game)


def _board(rows: Sequence[str], game: Game) -> str:
    edition, notation = edition_of(game), profile_of(game).notation
    values = {face: edition.values[letter] for letter, face in enumerate(edition.letters)}
    return json.dumps({"board": list(rows), "fresh": [], "values": values, "notation": notation.value})


def _games(desk: Desk) -> list[tuple[int, int]]:
    """(number, how many appeals wait) of every game, where there are several."""
    waiting = number_open(desk.event, desk.room)
    numbers = list(desk.event.games.order_by("number").values_list("number", flat=True))
    return [(number, waiting.get(number, 0)) for number in numbers] if len(numbers) > 1 else []


def _last_shown(game: Game, room: Room) -> int:
    shown = TurnClock.objects.filter(turn__game=game, room=room, shown_at__isnull=False)
    return shown.order_by("-turn__number").values_list("turn__number", flat=True).first() or 0
