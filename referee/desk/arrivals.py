"""The entry desk: who has come. A page to look players up by a few letters, made for the keyboard."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from referee.desk.access import Desk, at_desk
from tournaments.selectors.arrivals import State, arrivals

LONGEST_SEARCH = 100
STATES: tuple[State, ...] = ("expected", "here", "absent", "left")


@require_GET
@at_desk
def entry_desk(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The page, or the list alone when a part is asked for: `q` is what is looked for, `only` a state."""
    wanted = request.GET.get("q", "")[:LONGEST_SEARCH]
    only = request.GET.get("only", "")
    only = only if only in STATES else ""
    found = arrivals(desk.event, desk.game, None if desk.room.is_drawing else desk.room, wanted, only)
    context = {
        "event": desk.event,
        "arrivals": found,
        "wanted": wanted,
        "only": only,
        "tabs": _tabs(found.counts, found.everybody),
        "with_rooms": desk.has_rooms and desk.room.is_drawing,
        "page": "arrivals",
    }
    template = "desk/_arrivals.html" if getattr(request, "htmx", False) else "desk/arrivals.html"
    return render(request, template, context)


def _tabs(counts: Mapping[State, int], everybody: int) -> list[tuple[str, str, int]]:
    """(state, title, how many); of players who left only where there are some."""
    titles: dict[State, str] = {"expected": _("Expected"), "here": _("Here"), "absent": _("Absent"), "left": _("Left")}
    shown = [(state, titles[state], counts[state]) for state in STATES if counts[state] or state != "left"]
    return [("", _("All"), everybody), *shown]
