"""Rate limit for each address. A whole hall may share one address, so requests are delayed and not locked out."""

from __future__ import annotations

import asyncio
import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any

from referee.security.token_bucket import Rate
from tournaments.now import utc_now

REQUESTS = Rate(per_second=400, burst=4000)
HANDSHAKES = Rate(per_second=300, burst=6000)
LONGEST_WAIT_S = 5.0
MOST_SOCKETS = 6000  # for one address: a whole hall behind one router, and several desks.
_MOST_ADDRESSES = 20_000
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
Application = Callable[[Any, Receive, Send], Awaitable[Any]]


class RequestQueue:
    """Queue that delays senders of too many requests, and refuses those that would wait more than `longest` seconds."""

    def __init__(self, rate: Rate, longest: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._longest, self._clock = rate, longest, clock
        self._full_at: OrderedDict[str, float] = OrderedDict()

    def wait(self, key: str) -> float | None:
        """Return the seconds until the sender's turn, mostly 0.0; None, and nothing is counted, if that is too long."""
        now, step = self._clock(), 1 / self._rate.per_second
        used_up = max(now - self._rate.burst * step, self._full_at.get(key, -math.inf)) + step
        if used_up - now > self._longest:
            return None
        self._full_at[key] = used_up
        self._full_at.move_to_end(key)
        if len(self._full_at) > _MOST_ADDRESSES:
            self._full_at.popitem(last=False)
        return max(0.0, used_up - now)


class RateLimited:
    """ASGI middleware that stamps incoming requests and delays an address with too many.

    The server's own computer is exempt: the judge works there, and so does a proxy that is not trusted with addresses.
    """

    def __init__(self, application: Application, rate: Rate) -> None:
        self.application = application
        self._queue = RequestQueue(rate, LONGEST_WAIT_S)
        self._sockets: dict[str, int] = {}

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> Any:
        """Pass the request on, after a delay if need be; refuse it if its address has too many waiting or open."""
        scope["read_at"] = utc_now()
        address = scope["client"][0] if scope.get("client") else ""
        if is_this_computer(address):
            return await self.application(scope, receive, send)
        wait = self._queue.wait(address)
        if wait is None or self._sockets.get(address, 0) >= MOST_SOCKETS:
            return await _refuse(scope, receive, send)
        if wait:
            await asyncio.sleep(wait)
        if scope["type"] != "websocket":
            return await self.application(scope, receive, send)
        return await self._counted(address, scope, receive, send)

    async def _counted(self, address: str, scope: Any, receive: Receive, send: Send) -> Any:
        self._sockets[address] = self._sockets.get(address, 0) + 1
        try:
            return await self.application(scope, receive, send)
        finally:
            self._sockets[address] -= 1
            if not self._sockets[address]:
                del self._sockets[address]


def is_this_computer(address: str) -> bool:
    """Return True if a request comes from the server's own computer, or has no address, as in tests."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return True
    return ip in (ipaddress.ip_address("127.0.0.1"), ipaddress.ip_address("::1"))


async def _refuse(scope: Any, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 4429})
        return
    headers = [(b"content-type", b"text/plain"), (b"retry-after", b"5"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": 429, "headers": headers})
    await send({"type": "http.response.body", "body": b"Too many requests come from this network; wait a moment.\n"})
