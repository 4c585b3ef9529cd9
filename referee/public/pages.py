"""Rendering of the public pages. All data comes from `tournaments.results.queries`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from urllib.parse import urlencode

from django.template.loader import render_to_string
from django.urls import reverse

from engine.board.coordinates import Notation
from engine.standings.statistics import TurnStatistics
from referee.charts.game import charts_of_game, charts_of_turn
from referee.charts.progress import progress_chart
from referee.practice.squares import lines_of, rack_of
from tournaments.models import Game, PublicPage
from tournaments.now import utc_now
from tournaments.play.position import profile_of
from tournaments.results.queries.event_results import WHOLE_EVENT, EventPlace, event_places
from tournaments.results.queries.player_sheet import get_player_sheet
from tournaments.results.queries.public_game import (
    FIRST_ROWS,
    PublicGame,
    PublicPosition,
    PublicTurn,
    public_analysis,
    public_game,
    public_position,
    public_standings,
)
from tournaments.results.queries.public_page import (
    count_known_turns,
    get_shown_room,
    player_by_key,
    state_of_event,
    state_of_game,
)

ROWS_A_PAGE = 200


def event_text(page: PublicPage) -> str | None:
    """Render the current or last game, with the standings over all games if there are several."""
    games = _games(page)
    return _game_text(page, games, games[-1])


def game_text(page: PublicPage, number: int) -> str | None:
    """Render a game; None if it does not exist."""
    games = _games(page)
    game = next((each for each in games if each.number == number), None)
    return None if game is None else _game_text(page, games, game)


def turn_text(page: PublicPage, number: int, turn: int) -> str | None:
    """Render a turn, first the rack, then the best move; None if it is not public."""
    game = next((each for each in _games(page) if each.number == number), None)
    position = None if game is None else public_position(page, game, turn)
    if game is None or position is None:
        return None
    figures = public_analysis(game, position.last).turns[turn - 1]
    return _render("public/turn.html", page, _turn_context(page, game, position, figures))


def standings_text(page: PublicPage, number: int | None, part: int) -> str | None:
    """Render one page of the full standings of a game, or of the event for None."""
    games, now, start = _games(page), utc_now(), (part - 1) * ROWS_A_PAGE
    rows: Sequence[object]
    if part < 1 or number not in (None, *(each.number for each in games)):
        return None
    if number is None:
        places, state = _places(page, games), state_of_event(games, now)
        rows, ranked = places[start : start + ROWS_A_PAGE], len(places)
    else:
        game = next(each for each in games if each.number == number)
        (rows, ranked), state = public_standings(page, game, start, ROWS_A_PAGE), state_of_game(page, game, now)
    parts = max(1, -(-ranked // ROWS_A_PAGE))
    if part > parts:
        return None
    address = reverse("public:standings", args=[page.token])
    chosen = {"game": number or WHOLE_EVENT}
    links = [(each, f"{address}?{urlencode(chosen | {'part': each})}") for each in range(1, parts + 1)]
    context = {"game": number, "rows": rows, "state": state, "part": part, "parts": links if parts > 1 else []}
    return _render("public/standings.html", page, context)


def player_text(page: PublicPage, table: int, key: str) -> str | None:
    """Render a player's page; None for a wrong key or if there are no such pages."""
    player = player_by_key(page, table, key)
    if player is None:
        return None
    sheets = [
        get_player_sheet(game, player, get_shown_room(game), last=count_known_turns(game, page.delay))
        for game in _games(page)
    ]
    own = [(sheet, progress_chart(sheet.line, sheet.name)) for sheet in sheets if sheet is not None]
    return _render(
        "public/player.html",
        page,
        {
            "player": player,
            "sheets": own,
        },
    )


def _game_text(page: PublicPage, games: list[Game], game: Game) -> str:
    now = utc_now()
    view = public_game(page, game, now)
    columns, lines = lines_of(view.board, Notation(view.notation), view.new)
    context = {
        "games": games if len(games) > 1 else [],
        "game": view,
        "columns": columns,
        "lines": lines,
        "rack": rack_of(view.rack, view.board) if view.rack else [],
        "last": view.turns[-1] if view.turns else None,
        "turns": _turns(view),
        "state": state_of_game(page, game, now),
        **_event_standings(page, games, now),
        "live": not view.is_over,
        "charts": charts_of_game(view.analysis),
    }
    return _render("public/game.html", page, context)


def _turns(view: PublicGame) -> list[tuple[PublicTurn, TurnStatistics]]:
    """Return the turns with their statistics, the newest first."""
    return list(zip(view.turns, view.analysis.turns, strict=True))[::-1]


def _event_standings(page: PublicPage, games: list[Game], now: datetime) -> Mapping[str, object]:
    """Return the standings over all games as far as the page may know them; nothing before a turn of a second game."""
    places = _places(page, games)
    return {"places": places[:FIRST_ROWS], "placed": len(places), "event_state": state_of_event(games, now)}


def _places(page: PublicPage, games: list[Game]) -> list[EventPlace]:
    return event_places(page.event, {game.number: count_known_turns(game, page.delay) for game in games})


def _turn_context(
    page: PublicPage, game: Game, position: PublicPosition, figures: TurnStatistics
) -> Mapping[str, object]:
    notation = profile_of(game).notation
    columns, before = lines_of(position.before, notation, ())
    _same, after = lines_of(position.after, notation, position.new)
    number = position.turn.number
    return {
        "game": game.number,
        "turn": position.turn,
        "figures": figures,
        "columns": columns,
        "lines_before": before,
        "lines_after": after,
        "rack": rack_of(position.turn.rack, position.before),
        "earlier": number - 1,
        "later": number + 1 if number < position.last else 0,
        "charts": charts_of_turn(figures),
    }


def _games(page: PublicPage) -> list[Game]:
    return list(Game.objects.filter(event=page.event_id).select_related("event").order_by("number"))


def _render(template: str, page: PublicPage, context: Mapping[str, object]) -> str:
    return render_to_string(template, {"event": page.event, "page": page, **context})
