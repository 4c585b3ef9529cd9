"""Programs that read the API during a rehearsal: so many requests a second, over a few connections."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from referee.rehearsal.crowd import ServerAddress

CONNECTIONS = 8
_NOT_CHANGED = 304


@dataclass(frozen=True, slots=True)
class ApiAccess:
    """Token and number of the event that are read."""

    token: str
    event: int

    @property
    def paths(self) -> list[str]:
        """The paths that are read in turn."""
        event = f"/api/v1/events/{self.event}"
        return ["/api/v1/events", event, f"{event}/standings", f"{event}/games/1", "/api/v1/seasons"]


@dataclass(slots=True)
class ApiMeasurements:
    """Answers from 200 to 304, other answers, and the times of all in ms, from the moment at which they were due."""

    answered: int = 0
    failed: int = 0
    ms: list[float] = field(default_factory=list)


class ApiReaders:
    """Readers of one server. Each asks for what has changed since its last answer."""

    def __init__(self, server: ServerAddress, access: ApiAccess, per_second: int) -> None:
        self.server, self.access, self.per_second = server, access, per_second
        self.notes = ApiMeasurements()
        self._etags: dict[str, str] = {}
        self._number = 0

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[None]:
        """Read while the block runs."""
        began = time.perf_counter()
        tasks = [asyncio.create_task(self._read_on(began)) for _number in range(CONNECTIONS)]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _read_on(self, began: float) -> None:
        """Send the next request when it is due, on one connection that is opened again if it breaks."""
        while True:
            with suppress(OSError, ValueError, asyncio.IncompleteReadError):
                reader, writer = await asyncio.open_connection(
                    self.server.address, self.server.port, ssl=True if self.server.secure else None
                )
                try:
                    while True:
                        await self._next(reader, writer, began)
                finally:
                    writer.close()
            self.notes.failed += 1
            await asyncio.sleep(0.1)

    async def _next(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, began: float) -> None:
        number, self._number = self._number, self._number + 1
        due = began + number / self.per_second
        if (wait := due - time.perf_counter()) > 0:
            await asyncio.sleep(wait)
        path = self.access.paths[number % len(self.access.paths)]
        writer.write(self._request(path))
        status, headers = await _read_head(reader)
        await reader.readexactly(int(headers.get("content-length", "0")))
        self.notes.ms.append((time.perf_counter() - due) * 1000)
        if status in (200, _NOT_CHANGED):
            self.notes.answered += 1
            self._etags[path] = headers.get("etag", "")
        else:
            self.notes.failed += 1

    def _request(self, path: str) -> bytes:
        lines = [f"GET {path} HTTP/1.1", f"Host: {self.server.host}", f"Authorization: Bearer {self.access.token}"]
        if etag := self._etags.get(path):
            lines.append(f"If-None-Match: {etag}")
        return ("\r\n".join(lines) + "\r\n\r\n").encode()


async def _read_head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    """Return the status and the headers, with names in lower case."""
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    pairs = (line.partition(":") for line in lines if line)
    return int(first.split(" ")[1]), {name.lower(): value.strip() for name, _colon, value in pairs}
