"""Pages for monitoring, answered without Django's middleware: `/livez`, `/readyz` and `/metrics`."""

from __future__ import annotations

import hmac
import json
from collections.abc import Awaitable, Callable
from typing import Any

from django.conf import settings

from referee.live.monitoring.readiness import OK, check_readiness
from referee.live.rooms.live_server import get_live_server
from referee.security.origin import Receive, Send
from referee.server.restart import is_restarting

TEXT, JSON = b"text/plain; charset=utf-8", b"application/json"
Answer = tuple[int, bytes, bytes]
"""Status, content type and body."""


async def _livez(scope: Any) -> Answer:
    """Answer that the process and its event loop run; 503 while it restarts with a restored backup."""
    return 503 if is_restarting() else 200, TEXT, b"Multiplo\n"


async def _readyz(scope: Any) -> Answer:
    """Answer 200 if this process can serve now, else 503; the checks that failed are named."""
    checks = await check_readiness(get_live_server())
    faults = [f"{name} ({result})" for name, result in checks.items() if result != OK]
    text = f"Not ready: {', '.join(faults)}." if faults else "Ready."
    body = json.dumps({"ready": not faults, "text": text, "checks": checks})
    return 503 if faults else 200, JSON, body.encode() + b"\n"


async def _metrics(scope: Any) -> Answer:
    """Answer the metrics to a request with the token; without one there is no such page."""
    given = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
    if not settings.METRICS_TOKEN or not hmac.compare_digest(given, f"Bearer {settings.METRICS_TOKEN}".encode()):
        return 404, TEXT, b"There is nothing at this address.\n"
    from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4  # installed with the extra `federation` only

    from referee.live.monitoring.metrics import write_metrics

    return 200, CONTENT_TYPE_PLAIN_0_0_4.encode(), await write_metrics(get_live_server())


PAGES: dict[str, Callable[[Any], Awaitable[Answer]]] = {
    "/livez": _livez,
    "/healthz": _livez,
    "/readyz": _readyz,
    "/metrics": _metrics,
}


async def answer_probe(scope: Any, receive: Receive, send: Send) -> None:
    """Answer a request to one of `PAGES`."""
    status, content_type, body = await PAGES[scope["path"]](scope)
    headers = [
        (b"content-type", content_type),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
