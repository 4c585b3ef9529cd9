"""The game as charts: the whole of it, one turn, or a player's way beside the top; of turns that the room was shown."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from engine.analysis import TurnFigures
from engine.bounded_input import whole_number
from referee.charts.game import charts_of_game, charts_of_turn
from referee.charts.shapes import Drawing
from referee.charts.way import way_chart
from referee.desk.access import Desk, at_desk
from referee.desk.standings import Tab
from tournaments.models import Entry, Game, Room
from tournaments.selectors.analysis import GameAnalysis, analysis_of, player_line

ALL_ROOMS = "all"


@dataclass(frozen=True, slots=True)
class Looked:
    """What is looked at: a game in a room (None: in all), and in it a turn or a table, 0 for none."""

    game: Game
    room: Room | None
    turn: int
    table: int

    def link(self, *, game: int = 0, rooms: str = "", turn: int = 0, table: int = 0) -> str:
        """The address of something else in the same game and rooms, or in those that are named."""
        asked = {"game": game or self.game.number, "rooms": rooms or ("" if self.room else ALL_ROOMS)}
        asked |= {"turn": turn, "table": table}
        return "?" + urlencode({name: value for name, value in asked.items() if value})


@require_GET
@at_desk
def analysis(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The charts of what the address asks for."""
    looked = _looked(request, desk)
    seen = analysis_of(looked.game, looked.room)
    figures = _figures(seen, looked.turn)
    context = {
        "event": desk.event,
        "page": "analysis",
        "title": _title(looked, figures),
        "games": _games(desk, looked),
        "rooms": _rooms(desk, looked),
        "turns": [(turn.number, looked.link(turn=turn.number)) for turn in seen.turns],
        "turn": looked.turn,
        "earlier": looked.link(turn=looked.turn - 1) if looked.turn > 1 else "",
        "later": looked.link(turn=looked.turn + 1) if looked.turn < len(seen.turns) else "",
        "figures": figures,
        "whole": looked.link(),
        "charts": _charts(looked, seen, figures),
        "players": _players(looked) if seen.turns else [],
        "looked": looked,
    }
    return render(request, "desk/analysis.html", context)


def _looked(request: HttpRequest, desk: Desk) -> Looked:
    """404 for a game, turn or table that is no number."""
    number, turn, table = (whole_number(request.GET.get(name, "") or "0") for name in ("game", "turn", "table"))
    if number is None or turn is None or table is None:
        raise Http404
    game = desk.game if not number else Game.objects.filter(event=desk.event, number=number).first()
    if game is None:
        raise Http404
    everywhere = desk.has_rooms and request.GET.get("rooms") == ALL_ROOMS
    return Looked(game, None if everywhere else desk.room, turn, table)


def _figures(seen: GameAnalysis, turn: int) -> TurnFigures | None:
    """The turn that is looked at; 404 for one that the room was not shown."""
    if not turn:
        return None
    found = next((each for each in seen.turns if each.number == turn), None)
    if found is None:
        raise Http404
    return found


def _title(looked: Looked, figures: TurnFigures | None) -> str:
    if figures is None:
        return _("Analysis of game %(number)d") % {"number": looked.game.number}
    return _("Analysis of turn %(turn)d") % {"turn": figures.number}


def _charts(looked: Looked, seen: GameAnalysis, figures: TurnFigures | None) -> list[Drawing]:
    if figures is not None:
        return charts_of_turn(figures)
    return [_way(looked)] if looked.table else charts_of_game(seen)


def _way(looked: Looked) -> Drawing:
    """A player's way; 404 for a table that does not play here."""
    entries = Entry.objects.filter(game=looked.game, player__table=looked.table).select_related("player")
    entry = (entries if looked.room is None else entries.filter(room=looked.room)).first()
    if entry is None:
        raise Http404
    return way_chart(player_line(looked.game, looked.table, looked.room), entry.player.name)


def _players(looked: Looked) -> list[tuple[int, str]]:
    """(table, name) of those of whom there is a line."""
    entries = Entry.objects.filter(game=looked.game)
    here = entries if looked.room is None else entries.filter(room=looked.room)
    return list(here.order_by("player__table").values_list("player__table", "player__name"))


def _games(desk: Desk, looked: Looked) -> list[Tab]:
    """The games of the event, where there are several."""
    numbers = list(Game.objects.filter(event=desk.event).order_by("number").values_list("number", flat=True))
    if len(numbers) < 2:
        return []
    title = _("Game %(number)s")
    return [Tab(title % {"number": it}, looked.link(game=it), it == looked.game.number) for it in numbers]


def _rooms(desk: Desk, looked: Looked) -> list[Tab]:
    """This room, and all of them together, where there are several."""
    if not desk.has_rooms:
        return []
    here = Looked(looked.game, desk.room, 0, 0)
    return [
        Tab(_("All rooms"), here.link(rooms=ALL_ROOMS), looked.room is None),
        Tab(desk.room.name, here.link(), looked.room is not None),
    ]
