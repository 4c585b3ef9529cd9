"""Downloads of the archive and of the standings as a spreadsheet."""

from __future__ import annotations

import json

from django.http import HttpRequest, HttpResponse

from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.desk.results.standings import chosen_view
from referee.results.standings_table import as_csv, results_table
from referee.security.permissions import JUDGES
from tournaments.results.queries.archive import export_game


@desk_page("archive", get=JUDGES, spoiler=True)
def archive(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Send the archive of the game (docs/formats.md), for `verify` and other programs."""
    text = json.dumps(export_game(desk.game, desk.room), ensure_ascii=False, indent=1)
    name = f"{desk.event.code}-{desk.game.number}.json"
    return HttpResponse(
        text,
        content_type="application/json; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@desk_page("standings-csv", get=JUDGES, spoiler=False)
def standings(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Send the standings that the address names as CSV."""
    view = chosen_view(request, desk)
    name = f"{desk.event.code}-{view.choice.text.replace('.', '-')}.csv"
    return HttpResponse(
        as_csv(results_table(view)).encode("utf-8-sig"),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
