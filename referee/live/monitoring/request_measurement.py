"""Id of each request, for log messages; time and status of its answer, for `/metrics`."""

from __future__ import annotations

import re
from time import monotonic
from typing import Any
from uuid import uuid4

from referee.live.monitoring.measurements import measurements
from referee.security.origin import Application, Receive, Send
from referee.security.request_ids import request_id, room_id

HEADER = b"x-request-id"
_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")


class IdentifiedRequests:
    """ASGI middleware that gives each request an id: the one of the header `X-Request-ID`, or a new one.

    The answer has the same header.
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> Any:
        """Pass the request on, and measure its answer."""
        given = next((value.decode("latin-1") for name, value in scope["headers"] if name == HEADER), "")
        chosen = given if _ID.fullmatch(given) else uuid4().hex
        request_id.set(chosen)
        room_id.set("")
        if scope["type"] != "http":
            return await self.application(scope, receive, send)
        began = monotonic()

        async def send_identified(message: Any) -> None:
            if message["type"] == "http.response.start":
                measurements.statuses[f"{message['status'] // 100}xx"] += 1
                message = {**message, "headers": [*message.get("headers", ()), (HEADER, chosen.encode())]}
            elif not message.get("more_body"):
                measurements.requests.add(monotonic() - began)
            await send(message)

        return await self.application(scope, receive, send_identified)
