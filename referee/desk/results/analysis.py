"""Charts of a game: of the whole game, of one turn, or of a player against the top; only turns shown in the room."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page

from engine.bounded_input import parse_whole_number
from engine.standings.statistics import TurnStatistics
from referee.charts.game import charts_of_game, charts_of_turn
from referee.charts.progress import progress_chart
from referee.charts.shapes import Drawing
from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.desk.results.game_choice import GAME, GameChoice, Tab, read_games
from referee.desk.results.standings import ALL_ROOMS
from referee.security.permissions import STAFF
from tournaments.models import Entry, Game, Room
from tournaments.results.queries.analysis import GameAnalysis, analysis_of, player_line


@dataclass(frozen=True, slots=True)
class Selection:
    """The subject of the charts: a game in a room (None: all rooms), and a turn or a table in it, 0 for none."""

    game: Game
    room: Room | None
    turn: int
    table: int

    def link(self, *, game: str = "", rooms: str = "", turn: int = 0, table: int = 0) -> str:
        """Return the address of another subject in the same game and rooms, or in those that are named."""
        query = {GAME: game or self.game.number, "rooms": rooms or ("" if self.room else ALL_ROOMS)}
        query |= {"turn": turn, "table": table}
        return "?" + urlencode({name: value for name, value in query.items() if value})


@desk_page("analysis", get=STAFF, spoiler=True)
@gzip_page
def analysis(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the charts that the address names."""
    choice = read_games(desk, request.GET)
    if choice.only is None:
        return _show_event(request, desk, choice)
    selection = _read_selection(request, desk, choice)
    game_analysis = analysis_of(selection.game, selection.room)
    figures = _figures(game_analysis, selection.turn)
    context = {
        "event": desk.event,
        "page": "analysis",
        "title": _title(selection, figures),
        "games": choice.tabs(with_event=True, link=lambda text: selection.link(game=text)),
        "rooms": _rooms(desk, selection),
        "turns": [(turn.number, selection.link(turn=turn.number)) for turn in game_analysis.turns],
        "turn": selection.turn,
        "earlier": selection.link(turn=selection.turn - 1) if selection.turn > 1 else "",
        "later": selection.link(turn=selection.turn + 1) if selection.turn < len(game_analysis.turns) else "",
        "figures": figures,
        "whole": selection.link(),
        "charts": _charts(selection, game_analysis, figures),
        "players": _players(selection) if game_analysis.turns else [],
        "looked": selection,
    }
    return render(request, "desk/results/analysis.html", context)


def _show_event(request: HttpRequest, desk: Desk, choice: GameChoice) -> HttpResponse:
    """Show the charts of every game of the event."""
    everywhere = desk.has_rooms and request.GET.get("rooms") == ALL_ROOMS
    selection = Selection(choice.game, None if everywhere else desk.room, 0, 0)
    analyses = [(game, analysis_of(game, selection.room)) for game in choice.games]
    context = {
        "event": desk.event,
        "page": "analysis",
        "title": _("Analysis of the event"),
        "games": choice.tabs(with_event=True, link=lambda text: selection.link(game=text)),
        "rooms": _rooms(desk, selection, choice.text),
        "parts": [(game.number, charts_of_game(seen)) for game, seen in analyses if seen.turns],
        "looked": selection,
    }
    return render(request, "desk/results/analysis.html", context)


def _read_selection(request: HttpRequest, desk: Desk, choice: GameChoice) -> Selection:
    """Read the address; 404 if a turn or table is not a number."""
    turn, table = (parse_whole_number(request.GET.get(name, "") or "0") for name in ("turn", "table"))
    if turn is None or table is None:
        raise Http404
    everywhere = desk.has_rooms and request.GET.get("rooms") == ALL_ROOMS
    return Selection(choice.game, None if everywhere else desk.room, turn, table)


def _figures(game_analysis: GameAnalysis, turn: int) -> TurnStatistics | None:
    """Return the statistics of the turn; 404 if the room has not been shown it."""
    if not turn:
        return None
    figures = next((each for each in game_analysis.turns if each.number == turn), None)
    if figures is None:
        raise Http404
    return figures


def _title(selection: Selection, figures: TurnStatistics | None) -> str:
    if figures is None:
        return _("Analysis of game %(number)d") % {"number": selection.game.number}
    return _("Analysis of turn %(turn)d") % {"turn": figures.number}


def _charts(selection: Selection, game_analysis: GameAnalysis, figures: TurnStatistics | None) -> list[Drawing]:
    if figures is not None:
        return charts_of_turn(figures)
    return [_player_progress(selection)] if selection.table else charts_of_game(game_analysis)


def _player_progress(selection: Selection) -> Drawing:
    """Return the progress of a player; 404 for a table that does not play here."""
    entries = Entry.objects.filter(game=selection.game, player__table=selection.table).select_related("player")
    entry = (entries if selection.room is None else entries.filter(room=selection.room)).first()
    if entry is None:
        raise Http404
    return progress_chart(player_line(selection.game, selection.table, selection.room), entry.player.name)


def _players(selection: Selection) -> list[tuple[int, str]]:
    """Return (table, name) of the players who have a line."""
    entries = Entry.objects.filter(game=selection.game)
    in_room = entries if selection.room is None else entries.filter(room=selection.room)
    return list(in_room.order_by("player__table").values_list("player__table", "player__name"))


def _rooms(desk: Desk, selection: Selection, game: str = "") -> list[Tab]:
    """Return this room, and all rooms together; empty for an event with one room."""
    if not desk.has_rooms:
        return []
    whole_game = Selection(selection.game, desk.room, 0, 0)
    return [
        Tab(_("All rooms"), whole_game.link(game=game, rooms=ALL_ROOMS), selection.room is None),
        Tab(desk.room.name, whole_game.link(game=game), selection.room is not None),
    ]
