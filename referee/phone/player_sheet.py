"""Player's sheet on a phone: own game turn by turn, compared with the top; without scripts."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from referee.charts.progress import progress_chart
from referee.phone.join_address import base_of
from referee.phone.views import get_seated_player, redirect_to_join
from referee.public.addresses import public_address_of
from tournaments.models import Entry
from tournaments.results.queries.player_sheet import get_player_sheet


@gzip_page
@require_safe
def my_sheet(request: HttpRequest) -> HttpResponse:
    """Show the game in the address, else the player's last one; only turns already shown in the player's room."""
    player = get_seated_player(request)
    if player is None:
        return redirect_to_join(request)
    entries = list(Entry.objects.filter(player=player).select_related("game__event", "room").order_by("game__number"))
    wanted = request.GET.get("game", "")
    entry = next((each for each in reversed(entries) if wanted in ("", str(each.game.number))), None)
    sheet = None if entry is None else get_player_sheet(entry.game, player, entry.room)
    if sheet is None and wanted:
        raise Http404
    context = {
        "player": player,
        "event": player.event,
        "sheet": sheet,
        "way": None if sheet is None else progress_chart(sheet.line, sheet.name),
        "games": [each.game.number for each in entries] if len(entries) > 1 else [],
        "link": public_address_of(player, base_of(request)),
    }
    response = render(request, "phone/player_sheet.html", context)
    response["Cache-Control"] = "private, no-store"
    return response
