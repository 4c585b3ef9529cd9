"""The turns of a game or of the whole event, with the check of the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.gzip import gzip_page

from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.desk.results.game_choice import read_games
from referee.desk.results.ledger import ledger_context
from referee.security.permissions import JUDGES
from referee.views.desk import LogLine, list_log_lines
from tournaments.models import Game
from tournaments.now import utc_now


@dataclass(frozen=True, slots=True)
class TurnsOfGame:
    """The turns of a game; `ledger` is empty unless it was asked for."""

    game: Game
    lines: list[LogLine]
    ledger: Mapping[str, object]


@desk_page("log", get=JUDGES, spoiler=False)
@gzip_page
def turn_log(request: HttpRequest, desk: Desk) -> HttpResponse:
    """List the turns: racks, rejected racks, tops, master moves; with `ledger=1` also the check of the ledger."""
    choice, now = read_games(desk, request.GET), utc_now()
    parts = [
        TurnsOfGame(
            game,
            list_log_lines(game, desk.room, now, turn_hidden=desk.is_turn_hidden),
            ledger_context(game) if "ledger" in request.GET else {},
        )
        for game in choice.games
    ]
    context = {
        "event": desk.event,
        "page": "log",
        "parts": parts,
        "choice": choice,
        "games": choice.tabs(with_event=True),
        "may_verify": not desk.is_turn_hidden and choice.only is not None,
    }
    return render(request, "desk/results/turns.html", context)
