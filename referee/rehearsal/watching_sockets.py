"""Sockets of the judge's desk and the wall display that measure ping times."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass, field

from referee.rehearsal.crowd import ServerAddress
from referee.rehearsal.wire import WebSocketClient, handshake, text_frame

CONNECT_S = 10.0


@dataclass
class WatchingPhone:
    """Socket of a desk or wall display.

    `trips_ms` are the round trips of pings, `shown_at` is the time of the last state.
    """

    server: ServerAddress
    path: str
    cookie: str = ""
    trips_ms: list[float] = field(default_factory=list)
    shown_at: float = 0.0
    _line: WebSocketClient | None = None

    async def connect(self) -> None:
        """Open the socket. Raises TimeoutError if the server does not accept it."""
        request = handshake(self.server.host, self.path, self.cookie, secure=self.server.secure)
        self._line = line = WebSocketClient(request, self._hear, lambda: None)
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: line, self.server.address, self.server.port)
        async with asyncio.timeout(CONNECT_S):
            while not self.shown_at:
                await asyncio.sleep(0.02)

    def ping(self) -> None:
        """Send a ping."""
        if self._line is not None:
            self._line.send(text_frame(f'{{"t":"ping","c":{time.perf_counter()}}}'.encode()))

    def hang_up(self) -> None:
        """Close the connection."""
        if self._line is not None:
            self._line.hang_up()

    def _hear(self, text: bytes, now: float) -> None:
        message = json.loads(text)
        if message["t"] == "pong":
            self.trips_ms.append((now - message["c"]) * 1000)
        else:
            self.shown_at = now
