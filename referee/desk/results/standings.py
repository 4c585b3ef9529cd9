"""Standings at the desk: of the event or a game, of all players, by group or by team."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.desk.events.rooms import may_see
from referee.results.standings_table import names_of_groupings, results_table
from referee.security.permissions import STAFF
from tournaments.events.queries.events import rooms_of
from tournaments.models import Event
from tournaments.players.name_order import alphabetic_key
from tournaments.results.queries.event_results import EVERYBODY, EventView, StandingsChoice, event_view, read_choice


@dataclass(frozen=True, slots=True)
class Tab:
    """One of the standings that can be selected."""

    title: str
    choice: str
    on: bool


@desk_page("standings", get=STAFF, spoiler=False)
def standings(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the standings after the last placed turn; `of` selects them (tournaments.results.queries.event_results)."""
    view = chosen_view(request, desk)
    context = {
        "event": desk.event,
        "game": desk.game,
        "table": results_table(view),
        "choice": view.choice.text,
        "scopes": _scopes(view),
        "rooms": _rooms(view, desk),
        "groupings": _groupings(view),
        "handicap": _handicap(desk.event),
        "page": "standings",
    }
    return render(request, "desk/results/standings.html", context)


def chosen_view(request: HttpRequest, desk: Desk) -> EventView:
    """Return the standings that the address names; by default those of the event, or of the room if it follows.

    404 for standings that do not exist or that this room may not see.
    """
    text = request.GET.get("of", "")
    game, room = None if desk.game.number > 1 else desk.game.number, None if desk.room.is_drawing else desk.room.number
    choice = read_choice(text) if text else StandingsChoice(game, room=room)
    view = event_view(desk.event, choice) if choice and may_see(desk, choice) else None
    if view is None:
        raise Http404
    return view


def _scopes(view: EventView) -> list[Tab]:
    """Return the whole event and its games; empty for a single game."""
    if len(view.all_games) < 2:
        return []
    chosen = view.choice
    whole = replace(chosen, game=None, after=None)
    of_games = [(replace(whole, game=number), _("Game %(number)s") % {"number": number}) for number in view.all_games]
    until = [
        (replace(whole, after=number), _("After game %(number)s") % {"number": number})
        for number in view.all_games[1:-1]
    ]
    return [Tab(title, each.text, each == chosen) for each, title in ((whole, _("Whole event")), *of_games, *until)]


def _rooms(view: EventView, desk: Desk) -> list[Tab]:
    """Return all rooms together, and those that this desk may show; empty for a single room."""
    if not desk.has_rooms:
        return []
    visible = [room for room in rooms_of(desk.event) if desk.room.is_drawing or room == desk.room]
    titles = {None: _("All rooms")} | {room.number: room.name for room in visible}
    return [
        Tab(title, replace(view.choice, room=number).text, number == view.choice.room)
        for number, title in titles.items()
    ]


def _groupings(view: EventView) -> list[Tab]:
    """Return all players, and each grouping that some players have a value for."""
    names = names_of_groupings()
    return [
        Tab(names[by], replace(view.choice, by=by).text, by == view.choice.by) for by in (EVERYBODY, *view.groupings)
    ]


def _handicap(event: Event) -> dict[str, object]:
    """Return the form of the handicap: every series that a player has, or that has a handicap."""
    handicaps = event.handicap.get("series", {})
    names = event.players.exclude(series="").order_by().values_list("series", flat=True).distinct()
    series = [(name, handicaps.get(name, "")) for name in sorted({*names, *handicaps}, key=alphabetic_key)]
    return {"unit": event.handicap.get("unit", "points"), "series": series}
