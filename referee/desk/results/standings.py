"""Standings at the desk: of the event or a game, of all players, by group or by team."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page

from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.desk.events.rooms import may_see
from referee.desk.results.game_choice import GAME, Tab
from referee.results.standings_table import names_of_groupings, results_table
from referee.security.permissions import STAFF
from tournaments.events.queries.events import rooms_of
from tournaments.models import Event
from tournaments.play.queries.phases import game_to_show
from tournaments.players.name_order import alphabetic_key
from tournaments.results.queries.event_results import (
    EVERYBODY,
    WHOLE_EVENT,
    EventView,
    StandingsChoice,
    event_view,
    read_choice,
)

ALL_ROOMS = "all"


@desk_page("standings", get=STAFF, spoiler=False)
@gzip_page
def standings(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the standings after the last placed turn; `chosen_view` names the parameters that select them."""
    view = chosen_view(request, desk)
    context = {
        "event": desk.event,
        "game": desk.game,
        "table": results_table(view),
        "choice": view.choice.text,
        "query": link_to(view.choice, desk),
        "chosen": str(view.choice.game or WHOLE_EVENT),
        "scopes": _scopes(view, desk),
        "rooms": _rooms(view, desk),
        "groupings": _groupings(view, desk),
        "handicap": _handicap(desk.event),
        "page": "standings",
    }
    return render(request, "desk/results/standings.html", context)


def chosen_view(request: HttpRequest, desk: Desk) -> EventView:
    """Return the standings that the address names by `game` (or `to2`: after two games), `by` and `room` (or `all`).

    By default they are those of the event once its second game has a turn, and of the room if it follows. 404 for
    standings that do not exist or that this room may not see.
    """
    fields, own_room = request.GET, ALL_ROOMS if desk.room.is_drawing else str(desk.room.number)
    scope, by = fields.get(GAME) or _default_scope(desk), fields.get("by") or EVERYBODY
    room = fields.get("room") or own_room
    text = ".".join([scope, by] if room == ALL_ROOMS else [scope, by, room])
    choice = read_choice(fields.get("of") or text)  # `of` is the text of the choice, in addresses of earlier versions
    view = event_view(desk.event, choice) if choice and may_see(desk, choice) else None
    if view is None:
        raise Http404
    return view


def link_to(choice: StandingsChoice, desk: Desk) -> str:
    """Return the query of the address of these standings."""
    fields = {GAME: choice.text.partition(".")[0], "by": choice.by}
    return "?" + urlencode(fields | ({"room": choice.room or ALL_ROOMS} if desk.has_rooms else {}))


def _default_scope(desk: Desk) -> str:
    number = game_to_show(desk.event, desk.room).number
    return WHOLE_EVENT if number > 1 else str(number)


def _scopes(view: EventView, desk: Desk) -> list[Tab]:
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
    return [
        Tab(title, link_to(each, desk), each == chosen)
        for each, title in ((whole, _("Whole event")), *of_games, *until)
    ]


def _rooms(view: EventView, desk: Desk) -> list[Tab]:
    """Return all rooms together, and those that this desk may show; empty for a single room."""
    if not desk.has_rooms:
        return []
    visible = [room for room in rooms_of(desk.event) if desk.room.is_drawing or room == desk.room]
    titles = {None: _("All rooms")} | {room.number: room.name for room in visible}
    return [
        Tab(title, link_to(replace(view.choice, room=number), desk), number == view.choice.room)
        for number, title in titles.items()
    ]


def _groupings(view: EventView, desk: Desk) -> list[Tab]:
    """Return all players, and each grouping that some players have a value for."""
    names = names_of_groupings()
    return [
        Tab(names[by], link_to(replace(view.choice, by=by), desk), by == view.choice.by)
        for by in (EVERYBODY, *view.groupings)
    ]


def _handicap(event: Event) -> dict[str, object]:
    """Return the form of the handicap: every series that a player has, or that has a handicap."""
    handicaps = event.handicap.get("series", {})
    names = event.players.exclude(series="").order_by().values_list("series", flat=True).distinct()
    series = [(name, handicaps.get(name, "")) for name in sorted({*names, *handicaps}, key=alphabetic_key)]
    return {"unit": event.handicap.get("unit", "points"), "series": series}
