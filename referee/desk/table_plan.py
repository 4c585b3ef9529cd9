"""The plan of the tables: how everybody sits, given anew or changed by hand."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from engine.seating import ORDERS
from referee.desk.access import Desk, at_desk
from tournaments.selectors.table_plan import may_assign, table_plan

WIDTHS = (4, 6, 8, 10, 12, 16, 20)
DEFAULT_WIDTH = 8


@require_GET
@at_desk
def plan(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The plan in rows of `width` tables, as they stand in the hall."""
    wanted = request.GET.get("width", "")
    width = int(wanted) if wanted in map(str, WIDTHS) else DEFAULT_WIDTH
    rooms = table_plan(desk.event, width, None if desk.room.is_drawing else desk.room)
    context = {
        "event": desk.event,
        "rooms": rooms,
        "neighbours": sum(room.neighbours for room in rooms),
        "width": width,
        "widths": WIDTHS,
        "orders": [(order, names_of_orders()[order]) for order in ORDERS],
        "may_assign": may_assign(desk.event) and desk.room.is_drawing,
        "prints": [("name", _("Print it by name"), "p"), ("table", _("Print it by table"), "q")],
        "page": "table-plan",
    }
    return render(request, "desk/table_plan.html", context)


def names_of_orders() -> dict[str, str]:
    """How each way to give tables is called."""
    return {
        "spread": _("by chance, no club side by side"),
        "series": _("by series"),
        "list": _("as they are listed now"),
    }
