"""The cards with the codes of the tables, to print and cut."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.views.decorators.http import require_GET

from engine.bounded_input import whole_number
from referee.desk.access import Desk, at_desk
from referee.joining import base_of, join_card, qr_svg
from tournaments.models import Player
from tournaments.seat_codes import in_groups, seat_code

MOST_WITH_PICTURE = 200  # a QR code takes milliseconds; a card without one has the same signs to type


@dataclass(frozen=True, slots=True)
class Card:
    """What lies on a table: who sits there, the code, the same as a picture."""

    player: Player
    code: str
    picture: SafeString | None


@require_GET
@at_desk
def seat_codes(request: HttpRequest, desk: Desk) -> HttpResponse:
    """A card for every table, or for the one that the address names (`?table=17`)."""
    players = Player.objects.filter(event=desk.event).order_by("table")
    table = whole_number(request.GET.get("table", ""))
    if table is not None:
        players = players.filter(table=table)
    listed = list(players)
    base = base_of(request)
    door = base + reverse("phone:join_event", args=[desk.event.code])
    cards = [_card(player, door, pictured=len(listed) <= MOST_WITH_PICTURE) for player in listed]
    context = {"event": desk.event, "cards": cards, "page": "players"} | join_card(request, desk.event)
    return render(request, "desk/seat_codes.html", context)


def _card(player: Player, door: str, *, pictured: bool) -> Card:
    code = seat_code(player)
    address = f"{door}?{urlencode({'table': str(player.table), 'seat_code': code})}"
    return Card(player, in_groups(code), qr_svg(address) if pictured else None)
