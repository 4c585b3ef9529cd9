"""The check-in page: search players by a few letters, and mark them present; usable by keyboard alone."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.security.permissions import STAFF
from tournaments.players.queries.check_in import STATES, State, get_check_in_list

LONGEST_SEARCH = 100


@desk_page("arrivals", get=STAFF, spoiler=False)
def check_in_page(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the page, or only the list if a part is requested: `q` is the search text, `only` a state."""
    query = request.GET.get("q", "")[:LONGEST_SEARCH]
    only = request.GET.get("only", "")
    only = only if only in STATES else ""
    listed = get_check_in_list(desk.event, desk.game, None if desk.room.is_drawing else desk.room, query, only)
    context = {
        "event": desk.event,
        "arrivals": listed,
        "wanted": query,
        "only": only,
        "tabs": _tabs(listed.counts, listed.everybody),
        "with_rooms": desk.has_rooms and desk.room.is_drawing,
        "page": "arrivals",
    }
    template = "desk/players/_check_in.html" if getattr(request, "htmx", False) else "desk/players/check_in.html"
    return render(request, template, context)


def _tabs(counts: Mapping[State, int], everybody: int) -> list[tuple[str, str, int]]:
    """Return (state, title, number); players who left or are disqualified have a tab only if there are any."""
    titles: dict[State, str] = {
        "expected": _("Expected"),
        "here": _("Here"),
        "absent": _("Absent"),
        "left": _("Left"),
        "disqualified": _("Disqualified"),
    }
    rare = ("left", "disqualified")
    tabs = [(state, titles[state], counts[state]) for state in STATES if counts[state] or state not in rare]
    return [("", _("All"), everybody), *tabs]
