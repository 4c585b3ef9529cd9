"""Player's own pages without scripts: the game turn by turn, compared with the top, and the card at its end."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from referee.charts.progress import progress_chart
from referee.phone.join_address import base_of
from referee.phone.views import get_seated_player, redirect_to_join
from referee.practice.squares import word_of
from referee.public.addresses import public_address_of
from referee.views.player import get_personal_view
from tournaments.models import Entry, Player
from tournaments.play.position import edition_of
from tournaments.play.queries.phases import is_over_in
from tournaments.results.queries.player_sheet import get_player_sheet
from tournaments.results.queries.results import standings_of


@gzip_page
@require_safe
def my_sheet(request: HttpRequest) -> HttpResponse:
    """Show the game in the address, else the player's last one; only turns already shown in the player's room."""
    player = get_seated_player(request)
    if player is None:
        return redirect_to_join(request)
    entries = _entries(player)
    wanted = request.GET.get("game", "")
    entry = _find_entry(entries, wanted)
    sheet = None if entry is None else get_player_sheet(entry.game, player, entry.room)
    if sheet is None and wanted:
        raise Http404
    context: dict[str, object] = {
        "player": player,
        "event": player.event,
        "sheet": sheet,
        "way": None if sheet is None else progress_chart(sheet.line, sheet.name),
        "has_card": sheet is not None and entry is not None and _has_card(entry, sheet.rank),
        "games": [each.game.number for each in entries] if len(entries) > 1 else [],
        "link": public_address_of(player, base_of(request)),
    }
    return _render_private(request, "phone/player_sheet.html", context)


@gzip_page
@require_safe
def card(request: HttpRequest) -> HttpResponse:
    """Show the card of a game that is over, to be saved, printed or shared; before its end the sheet instead."""
    player = get_seated_player(request)
    if player is None:
        return redirect_to_join(request)
    entry = _find_entry(_entries(player), request.GET.get("game", ""))
    if entry is None:
        raise Http404
    view = get_personal_view(entry.game, player.pk)
    if view is None or not _has_card(entry, view.rank):
        return redirect(f"{reverse('phone:my_sheet')}?game={entry.game.number}")
    context = {
        "event": player.event,
        "number": entry.game.number,
        "view": view,
        "players": sum(line.rank is not None for line in standings_of(entry.game, entry.room)),
        "word": word_of(view.best.word, edition_of(entry.game)) if view.best is not None else [],
    }
    return _render_private(request, "phone/card.html", context)


def _entries(player: Player) -> list[Entry]:
    return list(Entry.objects.filter(player=player).select_related("game__event", "room").order_by("game__number"))


def _find_entry(entries: Sequence[Entry], wanted: str) -> Entry | None:
    """Return the entry in the game with this number; the last one without a number."""
    return next((each for each in reversed(entries) if wanted in ("", str(each.game.number))), None)


def _has_card(entry: Entry, rank: int | None) -> bool:
    return rank is not None and is_over_in(entry.game, entry.room)


def _render_private(request: HttpRequest, template: str, context: dict[str, object]) -> HttpResponse:
    response = render(request, template, context)
    response["Cache-Control"] = "private, no-store"
    return response
