"""Check of the Origin header: no page of another site may act for a player or a judge.

Stricter than Channels' validator, which ignores the port: other programs on the same laptop serve pages too.
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
    """Return True if an Origin names this server (scheme://host:port), or one that the settings trust."""
    if not origin or not host:
        return False
    if origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    if not validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS):
        return False
    parsed = _parse_origin(origin)
    return parsed is not None and parsed == _parse_origin(f"{'https' if settings.HTTPS else 'http'}://{host}")


def is_own_request(request: HttpRequest) -> bool:
    """Return True if the Origin of a request is this server."""
    return is_own_origin(request.headers.get("Origin"), request.headers.get("Host"))


def _parse_origin(url: str) -> tuple[str, str, int] | None:
    try:
        parts = urlsplit(url)
        if parts.scheme not in _DEFAULT_PORTS:
            return None
        port = _DEFAULT_PORTS[parts.scheme] if parts.port is None else parts.port
    except ValueError:
        return None
    return None if parts.hostname is None else (parts.scheme, parts.hostname, port)


class OwnOriginOnly:
    """ASGI middleware for sockets: refuses handshakes from foreign pages, and from programs that send no Origin."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> Any:
        """Pass on a socket with the server's own Origin; answer any other with 403."""
        headers = dict(scope["headers"])
        origin, host = (headers.get(name, b"").decode("latin-1") for name in (b"origin", b"host"))
        if is_own_origin(origin, host):
            return await self.application(scope, receive, send)
        await receive()
        return await send({"type": "websocket.close", "code": 4403})
