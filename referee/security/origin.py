"""A page of another site may not speak for a player or a judge: the Origin of a socket or a POST must be our own.

Stricter than Channels' validator, which ignores the port: on a laptop other programs serve pages too.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port, validate_host

_DEFAULT_PORTS = {"http": 80, "https": 443}
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
Application = Callable[[Any, Receive, Send], Awaitable[Any]]


def is_own_origin(origin: str | None, host: str | None) -> bool:
    """Whether a browser's Origin names this very server (scheme://host:port), or one that the settings trust."""
    if not origin or not host:
        return False
    if origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    if not validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS):
        return False
    place = _place(origin)
    return place is not None and place == _place(f"{'https' if settings.HTTPS else 'http'}://{host}")


def is_own_request(request: HttpRequest) -> bool:
    """The same for a request."""
    return is_own_origin(request.headers.get("Origin"), request.headers.get("Host"))


def _place(url: str) -> tuple[str, str, int] | None:
    try:
        parts = urlsplit(url)
        if parts.scheme not in _DEFAULT_PORTS:
            return None
        port = _DEFAULT_PORTS[parts.scheme] if parts.port is None else parts.port
    except ValueError:
        return None
    return None if parts.hostname is None else (parts.scheme, parts.hostname, port)


class OwnOriginOnly:
    """ASGI middleware for sockets: refuses the handshake of foreign pages, and of programs that name no origin."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> Any:
        """Pass an own page's socket on; answer any other with 403."""
        headers = dict(scope["headers"])
        origin, host = (headers.get(name, b"").decode("latin-1") for name in (b"origin", b"host"))
        if is_own_origin(origin, host):
            return await self.application(scope, receive, send)
        await receive()
        return await send({"type": "websocket.close", "code": 4403})
