"""Where the public pages are, for sheets and phones: whole addresses, as they stand in a QR code."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse

from tournaments.models import Event, Game, Player, PublicPage
from tournaments.selectors.public_page import has_own_sheets, sheet_key


def public_address_of(player: Player, base: str) -> str:
    """The player's own page on the server that is reached so; "" while the event has no such pages."""
    page = _page(player.event)
    return "" if page is None or not has_own_sheets(page) else base + sheet_path(page, player)


def public_addresses_of(event: Event) -> dict[int, str]:
    """The same of all players, by table; empty while there are none."""
    page = _page(event)
    if page is None or not has_own_sheets(page) or not settings.PUBLIC_URL:
        return {}
    return {player.table: _absolute(sheet_path(page, player)) for player in Player.objects.filter(event=event)}


def replay_address_of(game: Game) -> str:
    """Where a game can be gone through turn by turn, and played once it is over; "" while there is no such page."""
    page = _page(game.event)
    return "" if page is None else _absolute(reverse("public:game", args=[page.token, game.number]))


def page_address_of(event: Event) -> str:
    """The page of an event; "" while it is off."""
    page = _page(event)
    return "" if page is None else _absolute(reverse("public:event", args=[page.token]))


def sheet_path(page: PublicPage, player: Player) -> str:
    """The path of a player's own page."""
    return reverse("public:player", args=[page.token, player.table, sheet_key(page, player)])


def _page(event: Event) -> PublicPage | None:
    return PublicPage.objects.select_related("event").filter(event=event, is_on=True).first()


def _absolute(path: str) -> str:
    return f"{settings.PUBLIC_URL}{path}" if settings.PUBLIC_URL else ""
