"""The table plan: assign all tables, or swap two."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from engine.play.seating import ORDERS
from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.security.permissions import STAFF
from tournaments.now import utc_now
from tournaments.players.queries.reversible_acts import list_undo_offers
from tournaments.players.queries.table_plan import may_assign, table_plan

WIDTHS = (4, 6, 8, 10, 12, 16, 20)
DEFAULT_WIDTH = 8


@desk_page("table-plan", get=STAFF, spoiler=False)
def table_plan_page(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the plan in rows of `width` tables."""
    chosen = request.GET.get("width", "")
    width = int(chosen) if chosen in map(str, WIDTHS) else DEFAULT_WIDTH
    rooms = table_plan(desk.event, width, None if desk.room.is_drawing else desk.room)
    context = {
        "event": desk.event,
        "rooms": rooms,
        "neighbours": sum(room.neighbours for room in rooms),
        "width": width,
        "widths": WIDTHS,
        "orders": [(order, names_of_orders()[order]) for order in ORDERS],
        "may_assign": may_assign(desk.event) and desk.room.is_drawing,
        "prints": [("name", _("Print by name"), "p"), ("table", _("Print by table"), "q")],
        "undo_offers": list_undo_offers(desk.event, utc_now()),
        "page": "table-plan",
    }
    return render(request, "desk/players/table_plan.html", context)


def names_of_orders() -> dict[str, str]:
    """Return the label of each order of assigning tables."""
    return {
        "spread": _("at random, no two of a club side by side"),
        "series": _("by series"),
        "list": _("in the order of the list"),
    }
