"""Refusal of requests from phones without a signed seat, before Django spends time on a page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http.cookie import parse_cookie
from django.utils import translation
from django.utils.translation import gettext as _

from referee.live.sockets import messages
from referee.live.sockets.language import language_of
from referee.security.origin import Application, Receive, Send
from referee.security.player_tokens import read_seat

SEATED_PATHS = frozenset({"/play/state.json", "/play/slip", "/play/appeals.json", "/play/appeal"})


class SeatRequired:
    """ASGI middleware: requests to the addresses `SEATED_PATHS` without a seat signed by this server get 401.

    The application looks up the seat itself.
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> Any:
        """Refuse the request or pass it to the application."""
        if scope["path"] not in SEATED_PATHS:
            return await self.application(scope, receive, send)
        cookies = parse_cookie(_header(scope["headers"], b"cookie"))
        if read_seat(cookies) is not None:
            return await self.application(scope, receive, send)
        with translation.override(language_of(cookies, _header(scope["headers"], b"accept-language"))):
            text = no_seat_message()
        headers = [
            (b"content-type", b"application/json"),
            (b"cache-control", b"no-store"),
            (b"x-content-type-options", b"nosniff"),
        ]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        return await send({"type": "http.response.body", "body": text.encode()})


def no_seat_message() -> str:
    """Return the refusal of a phone without a seat, in the active language."""
    return messages.refused_message(None, "no_seat", _("This phone is not in the game; join again with the code."))


def _header(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> str:
    return next((value.decode("latin-1") for key, value in headers if key == name), "")
