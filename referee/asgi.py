"""The program as an ASGI server sees it: pages by Django, sockets by the live hall, start and end of the process."""

from __future__ import annotations

import gc
import os
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "referee.settings")

from referee.pages import pages

_pages = pages(lambda: house().outage.standing is not None)

from channels.auth import AuthMiddlewareStack  # noqa: E402 - Django has to be set up first
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.urls import path, re_path  # noqa: E402

from referee.live.consumers import DeskSocket, PhoneSocket, WallSocket  # noqa: E402
from referee.live.house import house  # noqa: E402
from referee.live.seatless import SeatedOnly  # noqa: E402
from referee.security.origin import OwnOriginOnly, Receive, Send  # noqa: E402
from referee.security.pace import HANDSHAKES, REQUESTS, Paced  # noqa: E402


async def http(scope: Any, receive: Receive, send: Send) -> None:
    """A page; `/healthz` is answered without one, for whoever watches over the process."""
    if scope["path"] != "/healthz":
        await _pages(scope, receive, send)
        return
    headers = [(b"content-type", b"text/plain"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"Multiplo\n"})


async def lifespan(scope: Any, receive: Receive, send: Send) -> None:
    """Open the hall when the process starts; store what was handed in before it ends."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            await house().live()
            _calm_garbage_collection()
            await send({"type": "lifespan.startup.complete"})
        else:
            await house().close()
            await send({"type": "lifespan.shutdown.complete"})
            return


async def nowhere(scope: Any, receive: Receive, send: Send) -> None:
    """A socket at an address that does not exist."""
    await receive()
    await send({"type": "websocket.close", "code": 4404})


def _calm_garbage_collection() -> None:
    """With thousands of sockets a full collection halts everything for half a second: keep it for real garbage.

    The middle one is small: after twenty young ones it halted a hall for a fifth of a second.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 5, 400)


_sockets = URLRouter(
    [
        path("ws/phone/", PhoneSocket.as_asgi()),
        path("ws/desk/<str:code>/", AuthMiddlewareStack(DeskSocket.as_asgi())),
        path("ws/wall/<str:token>/", WallSocket.as_asgi()),
        re_path("", nowhere),  # type: ignore[arg-type]  # Channels routes to ASGI applications
    ]
)
application = ProtocolTypeRouter(
    {
        "http": Paced(SeatedOnly(http), REQUESTS),
        "websocket": Paced(OwnOriginOnly(_sockets), HANDSHAKES),
        "lifespan": lifespan,
    }
)
