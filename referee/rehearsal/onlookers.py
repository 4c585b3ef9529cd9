"""The judge's desk and the wall, as sockets that ask for the time: how long each waits for the answer."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass, field

from referee.rehearsal.crowd import Hall
from referee.rehearsal.wire import Line, handshake, text_frame

CONNECT_S = 10.0


@dataclass
class Onlooker:
    """A desk or a wall. `trips_ms` are the times of the answers, `shown_at` when it was last told of a change."""

    hall: Hall
    path: str
    cookie: str = ""
    trips_ms: list[float] = field(default_factory=list)
    shown_at: float = 0.0
    _line: Line | None = None

    async def connect(self) -> None:
        """Open the socket. Raises TimeoutError when the server does not let it in."""
        request = handshake(self.hall.host, self.path, self.cookie, secure=self.hall.secure)
        self._line = line = Line(request, self._hear, lambda: None)
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: line, self.hall.address, self.hall.port)
        async with asyncio.timeout(CONNECT_S):
            while not self.shown_at:
                await asyncio.sleep(0.02)

    def ping(self) -> None:
        """Ask for the time."""
        if self._line is not None:
            self._line.send(text_frame(f'{{"t":"ping","c":{time.perf_counter()}}}'.encode()))

    def hang_up(self) -> None:
        """End the line."""
        if self._line is not None:
            self._line.hang_up()

    def _hear(self, text: bytes, now: float) -> None:
        message = json.loads(text)
        if message["t"] == "pong":
            self.trips_ms.append((now - message["c"]) * 1000)
        else:
            self.shown_at = now
