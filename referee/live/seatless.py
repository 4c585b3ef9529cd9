"""Refusal of requests from phones without a signed seat, before Django spends time on a page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http.cookie import parse_cookie
from django.utils import translation
from django.utils.translation import gettext as _

from referee.live import messages
from referee.live.language import language_of
from referee.security.origin import Application, Receive, Send
from referee.security.seats import read_seat

FOR_SEATS = frozenset({"/play/state.json", "/play/slip", "/play/appeals.json", "/play/appeal"})


class SeatedOnly:
    """ASGI middleware: requests to the addresses `FOR_SEATS` without a seat signed by this server get 401.

    The seat itself is looked up behind it.
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> Any:
        """Answer the request, or pass it on."""
        if scope["path"] not in FOR_SEATS:
            return await self.application(scope, receive, send)
        cookies = parse_cookie(_header(scope["headers"], b"cookie"))
        if read_seat(cookies) is not None:
            return await self.application(scope, receive, send)
        with translation.override(language_of(cookies, _header(scope["headers"], b"accept-language"))):
            text = no_seat()
        headers = [
            (b"content-type", b"application/json"),
            (b"cache-control", b"no-store"),
            (b"x-content-type-options", b"nosniff"),
        ]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        return await send({"type": "http.response.body", "body": text.encode()})


def no_seat() -> str:
    """The refusal of a phone that has no seat, in the active language."""
    return messages.refused(None, "no_seat", _("This phone has no place in the game; join again with the code."))


def _header(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> str:
    return next((value.decode("latin-1") for key, value in headers if key == name), "")
