"""A player's own game on his phone, turn by turn and beside the top: a light page without scripts."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from referee.charts.way import way_chart
from referee.joining import base_of
from referee.phone.views import seated, without_seat
from referee.public.addresses import public_address_of
from tournaments.models import Entry
from tournaments.selectors.own_sheet import own_sheet


@gzip_page
@require_safe
def my_sheet(request: HttpRequest) -> HttpResponse:
    """The game that the address names, else the last one that the player plays; of turns that his room was shown."""
    player = seated(request)
    if player is None:
        return without_seat(request)
    entries = list(Entry.objects.filter(player=player).select_related("game__event", "room").order_by("game__number"))
    wanted = request.GET.get("game", "")
    entry = next((each for each in reversed(entries) if wanted in ("", str(each.game.number))), None)
    sheet = None if entry is None else own_sheet(entry.game, player, entry.room)
    if sheet is None and wanted:
        raise Http404
    context = {
        "player": player,
        "event": player.event,
        "sheet": sheet,
        "way": None if sheet is None else way_chart(sheet.line, sheet.name),
        "games": [each.game.number for each in entries] if len(entries) > 1 else [],
        "link": public_address_of(player, base_of(request)),
    }
    response = render(request, "phone/my_sheet.html", context)
    response["Cache-Control"] = "private, no-store"
    return response
