"""ASGI application: Django's pages, WebSockets, and start and end of the live server."""

from __future__ import annotations

import os
import threading
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "referee.settings")

from django import setup
from django.conf import settings

setup(set_prefix=False)

from referee.server.start_checks import has_services, require_start  # noqa: E402 - Django has to be set up first

if has_services():  # a process that uvicorn started; `serve` has made the checks before
    require_start(serves_pages=True)  # before the imports that follow, which take longer than the checks

from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.urls import path, re_path  # noqa: E402

from referee.live.monitoring import probe_pages  # noqa: E402
from referee.live.monitoring.request_measurement import IdentifiedRequests  # noqa: E402
from referee.live.rooms.live_server import get_live_server  # noqa: E402
from referee.live.sockets.consumers import DeskConsumer, PhoneConsumer, WallConsumer  # noqa: E402
from referee.live.sockets.unseated_requests import SeatRequired  # noqa: E402
from referee.security.origin import OwnOriginOnly, Receive, Send  # noqa: E402
from referee.security.rate_limit import HANDSHAKES, REQUESTS, RateLimited  # noqa: E402
from referee.server.garbage_collection import tune_garbage_collection  # noqa: E402
from referee.server.page_threads import build_application  # noqa: E402
from referee.server.services import warn_without_worker  # noqa: E402

_pages = build_application(lambda: get_live_server().storage_monitor.current_outage is not None)


async def http(scope: Any, receive: Receive, send: Send) -> None:
    """Answer a page, or a page for monitoring."""
    if scope["path"] in probe_pages.PAGES:
        await probe_pages.answer_probe(scope, receive, send)
    else:
        await _pages(scope, receive, send)


async def lifespan(scope: Any, receive: Receive, send: Send) -> None:
    """Start the live server with the process; store queued slips before it ends."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            await get_live_server().live()
            tune_garbage_collection()
            if not settings.EMBEDDED:
                threading.Thread(target=warn_without_worker, daemon=True).start()
            await send({"type": "lifespan.startup.complete"})
        else:
            await get_live_server().close()
            await send({"type": "lifespan.shutdown.complete"})
            return


async def reject(scope: Any, receive: Receive, send: Send) -> None:
    """Refuse a WebSocket at an unknown address."""
    await receive()
    await send({"type": "websocket.close", "code": 4404})


_sockets = URLRouter(
    [
        path("ws/phone/", PhoneConsumer.as_asgi()),
        path("ws/desk/<str:code>/", AuthMiddlewareStack(DeskConsumer.as_asgi())),
        path("ws/wall/<str:token>/", WallConsumer.as_asgi()),
        re_path("", reject),  # type: ignore[arg-type]  # Channels routes to ASGI applications
    ]
)
application = ProtocolTypeRouter(
    {
        "http": RateLimited(IdentifiedRequests(SeatRequired(http)), REQUESTS),
        "websocket": RateLimited(IdentifiedRequests(OwnOriginOnly(_sockets)), HANDSHAKES),
        "lifespan": lifespan,
    }
)
