"""How players find the hall: the address, its QR code, the short code."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from tournaments.models import Event, Room


def join_card(request: HttpRequest, event: Event, room: Room | None = None) -> dict[str, object]:
    """`join_url`, `join_host` and `join_qr` (inline SVG) for the templates; with `room` the way into this room."""
    base = base_of(request)
    url = base + reverse("phone:join_event", args=[event.code])
    if room is not None:
        url += f"?room={room.number}"
    return {"join_url": url, "join_host": base.partition("://")[2], "join_qr": qr_svg(url)}


def base_of(request: HttpRequest) -> str:
    """How others reach this server, without a slash at the end: the judge's own browser may say localhost; phones need
    the address that `serve` found."""
    return settings.PUBLIC_URL or request.build_absolute_uri("/").rstrip("/")


def qr_svg(text: str) -> SafeString:
    """A QR code as inline SVG without any style of its own."""
    import segno

    picture = segno.make(text, error="q").svg_inline(scale=4, border=2, dark="#000", light="#fff", omitsize=True)
    return mark_safe(picture)  # noqa: S308  made by segno from an address, nobody's text goes into the markup
