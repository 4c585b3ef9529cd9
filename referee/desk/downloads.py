"""The archive and the spreadsheet, for the judge to take away."""

from __future__ import annotations

import json

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from referee.desk.access import Desk, at_desk
from referee.desk.standings import chosen_view
from referee.results_table import as_csv, results_table
from tournaments.selectors.archive import export_game


@require_GET
@at_desk
def archive(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The game as its archive (docs/formats.md), for `verify` and for other programs."""
    text = json.dumps(export_game(desk.game, desk.room), ensure_ascii=False, indent=1)
    name = f"{desk.event.code}-{desk.game.number}.json"
    return HttpResponse(
        text,
        content_type="application/json; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@require_GET
@at_desk
def standings(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The standings that the address asks for, for a spreadsheet."""
    view = chosen_view(request, desk)
    name = f"{desk.event.code}-{view.choice.text.replace('.', '-')}.csv"
    return HttpResponse(
        as_csv(results_table(view)).encode("utf-8-sig"),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
