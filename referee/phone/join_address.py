"""Address for joining an event, and its QR code."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from tournaments.models import Event, Room


def join_card(request: HttpRequest, event: Event, room: Room | None = None) -> dict[str, object]:
    """Return `join_url`, `join_host`, `join_name` (may be empty) and `join_qr` (inline SVG) for templates.

    With `room`, they are for this room.
    """
    base = base_of(request)
    url = base + reverse("phone:join_event", args=[event.code])
    if room is not None:
        url += f"?room={room.number}"
    return {"join_url": url, "join_host": base.partition("://")[2], "join_qr": qr_svg(url), "join_name": local_name()}


def local_name() -> str:
    """Return name and port under which most devices of the local network find this computer; empty without one."""
    return str(settings.LOCAL_NAME_URL).partition("://")[2]


def base_of(request: HttpRequest) -> str:
    """Return the server's address for other devices, without a final slash.

    The judge's browser may use localhost, so PUBLIC_URL comes first.
    """
    return settings.PUBLIC_URL or request.build_absolute_uri("/").rstrip("/")


def qr_svg(text: str) -> SafeString:
    """Return a QR code as inline SVG without styles."""
    import segno

    svg = segno.make(text, error="q").svg_inline(scale=4, border=2, dark="#000", light="#fff", omitsize=True)
    return mark_safe(svg)  # noqa: S308  made by segno; contains no user text
