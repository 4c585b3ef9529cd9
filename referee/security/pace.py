"""How much one address may ask of the server. A hall may sit behind one, so it is held up a little, not locked out."""

from __future__ import annotations

import asyncio
import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any

from referee.security.throttle import Rate
from tournaments.now import utc_now

REQUESTS = Rate(per_second=400, burst=4000)
HANDSHAKES = Rate(per_second=300, burst=6000)
LONGEST_WAIT_S = 5.0
MOST_SOCKETS = 6000  # of one address: a whole hall behind one router, and some desks
_MOST_ADDRESSES = 20_000
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
Application = Callable[[Any, Receive, Send], Awaitable[Any]]


class Queue:
    """Gives whoever asks too quickly a later place; nobody is forgotten as long as he waits less than `longest`."""

    def __init__(self, rate: Rate, longest: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._longest, self._clock = rate, longest, clock
        self._full_at: OrderedDict[str, float] = OrderedDict()

    def wait(self, key: str) -> float | None:
        """Seconds until it is the sender's turn, mostly 0.0; None when the queue is too long, and nothing is taken."""
        now, step = self._clock(), 1 / self._rate.per_second
        used_up = max(now - self._rate.burst * step, self._full_at.get(key, -math.inf)) + step
        if used_up - now > self._longest:
            return None
        self._full_at[key] = used_up
        self._full_at.move_to_end(key)
        if len(self._full_at) > _MOST_ADDRESSES:
            self._full_at.popitem(last=False)
        return max(0.0, used_up - now)


class Paced:
    """ASGI middleware: stamps what comes in, and makes an address that asks for very much wait.

    The computer itself is not held up: the judge sits there, and a proxy that is not trusted with addresses.
    """

    def __init__(self, application: Application, rate: Rate) -> None:
        self.application = application
        self._queue = Queue(rate, LONGEST_WAIT_S)
        self._sockets: dict[str, int] = {}

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> Any:
        """Pass the request on, perhaps later; refuse it when its address has too many waiting or open."""
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
    """Whether a request comes from the judge's own computer, or from nowhere, as in tests."""
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
