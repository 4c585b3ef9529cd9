"""Absolute addresses of the public pages, for sheets, phones and QR codes."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse

from tournaments.models import Event, Game, Player, PublicPage
from tournaments.results.queries.public_page import has_own_sheets, sheet_key


def public_address_of(player: Player, base: str) -> str:
    """Return the address of a player's page on the server `base`; "" if the event has no such pages."""
    page = _page(player.event)
    return "" if page is None or not has_own_sheets(page) else base + sheet_path(page, player)


def public_addresses_of(event: Event) -> dict[int, str]:
    """Return the addresses of all players' pages by table; empty if there are none."""
    page = _page(event)
    if page is None or not has_own_sheets(page) or not settings.PUBLIC_URL:
        return {}
    return {player.table: _absolute(sheet_path(page, player)) for player in Player.objects.filter(event=event)}


def replay_address_of(game: Game) -> str:
    """Return the address of a game's page; "" if there is none."""
    page = _page(game.event)
    return "" if page is None else _absolute(reverse("public:game", args=[page.token, game.number]))


def event_paths() -> dict[int, str]:
    """Return the path of the public page of each event that has one."""
    pages = PublicPage.objects.filter(is_on=True).values_list("event", "token")
    return {event: reverse("public:event", args=[token]) for event, token in pages}


def sheet_path(page: PublicPage, player: Player) -> str:
    """Return the path of a player's page."""
    return reverse("public:player", args=[page.token, player.table, sheet_key(page, player)])


def _page(event: Event) -> PublicPage | None:
    return PublicPage.objects.select_related("event").filter(event=event, is_on=True).first()


def _absolute(path: str) -> str:
    return f"{settings.PUBLIC_URL}{path}" if settings.PUBLIC_URL else ""
