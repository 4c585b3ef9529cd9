"""The standings at the judge's desk: of the event or a game, of everybody, by groups or by teams."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from referee.desk.access import Desk, at_desk
from referee.desk.rooms import may_see
from referee.results_table import names_of_groupings, results_table
from tournaments.alphabet import alphabetic
from tournaments.models import Event
from tournaments.selectors.event_results import EVERYBODY, Choice, EventView, event_view, read_choice
from tournaments.selectors.events import rooms_of


@dataclass(frozen=True, slots=True)
class Tab:
    """One of the standings that can be looked at."""

    title: str
    choice: str
    on: bool


@require_GET
@at_desk
def standings(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The standings after the last turn that was placed; `of` says which (selectors.event_results.Choice)."""
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
    return render(request, "desk/standings.html", context)


def chosen_view(request: HttpRequest, desk: Desk) -> EventView:
    """What the address asks for: without a word the whole event, or its only game, at the desk of a room that follows
    those of the room; 404 for what there is not, or what this room may not see."""
    text = request.GET.get("of", "")
    game, here = None if desk.game.number > 1 else desk.game.number, None if desk.room.is_drawing else desk.room.number
    choice = read_choice(text) if text else Choice(game, room=here)
    view = event_view(desk.event, choice) if choice and may_see(desk, choice) else None
    if view is None:
        raise Http404
    return view


def _scopes(view: EventView) -> list[Tab]:
    """The whole event and its games, where there are several."""
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
    """All rooms together, and those that this desk may look at, where there are several."""
    if not desk.has_rooms:
        return []
    seen = [room for room in rooms_of(desk.event) if desk.room.is_drawing or room == desk.room]
    titles = {None: _("All rooms")} | {room.number: room.name for room in seen}
    return [
        Tab(title, replace(view.choice, room=number).text, number == view.choice.room)
        for number, title in titles.items()
    ]


def _groupings(view: EventView) -> list[Tab]:
    """Everybody, and each grouping of which the players have something."""
    names = names_of_groupings()
    return [
        Tab(names[by], replace(view.choice, by=by).text, by == view.choice.by) for by in (EVERYBODY, *view.groupings)
    ]


def _handicap(event: Event) -> dict[str, object]:
    """The form for the handicap: every series that a player has, or that was given one."""
    given = event.handicap.get("series", {})
    known = event.players.exclude(series="").order_by().values_list("series", flat=True).distinct()
    series = [(name, given.get(name, "")) for name in sorted({*known, *given}, key=alphabetic)]
    return {"unit": event.handicap.get("unit", "points"), "series": series}
