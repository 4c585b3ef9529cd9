"""Cards with the seat codes of the tables, to print and cut."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.safestring import SafeString

from engine.bounded_input import parse_whole_number
from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.phone.join_address import base_of, join_card, qr_svg
from referee.security.permissions import STAFF
from tournaments.models import Player
from tournaments.players.seat_codes import format_seat_code, seat_code

MOST_WITH_PICTURE = 200  # Drawing a QR code takes milliseconds; a card without one shows the same code as text.


@dataclass(frozen=True, slots=True)
class Card:
    """The card of a table: its player, the seat code, the code as a picture."""

    player: Player
    code: str
    picture: SafeString | None


@desk_page("seat-codes", get=STAFF, spoiler=False)
def seat_codes(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show a card for every table, or for one table (`?table=17`)."""
    players = Player.objects.filter(event=desk.event).order_by("table")
    table = parse_whole_number(request.GET.get("table", ""))
    if table is not None:
        players = players.filter(table=table)
    listed = list(players)
    base = base_of(request)
    door = base + reverse("phone:join_event", args=[desk.event.code])
    cards = [_card(player, door, pictured=len(listed) <= MOST_WITH_PICTURE) for player in listed]
    context = {"event": desk.event, "cards": cards, "page": "players"} | join_card(request, desk.event)
    return render(request, "desk/players/seat_codes.html", context)


def _card(player: Player, door: str, *, pictured: bool) -> Card:
    code = seat_code(player)
    address = f"{door}?{urlencode({'table': str(player.table), 'seat_code': code})}"
    return Card(player, format_seat_code(code), qr_svg(address) if pictured else None)
