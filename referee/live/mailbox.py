"""What waits to be sent to one socket. A slow phone has its own mailbox and blocks nobody."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

MOST_LETTERS = 200
Send = Callable[[str], Awaitable[None]]
Close = Callable[[int], Awaitable[None]]


class Overfull(Exception):
    """More letters wait than a socket that still reads could have left."""


class Mailbox:
    """Letters (receipts, greetings) are all sent, in order; of a show (state, count) only the newest is."""

    def __init__(self, send: Send, close: Close) -> None:
        self._send = send
        self._close = close
        self._letters: deque[str] = deque()
        self._shows: dict[str, str] = {}
        self._last_code: int | None = None
        self._filled = asyncio.Event()
        self._sending_since: float | None = None

    def post(self, text: str) -> None:
        """Send a letter. Raises Overfull when too many wait already."""
        if len(self._letters) >= MOST_LETTERS:
            raise Overfull
        self._letters.append(text)
        self._filled.set()

    def show(self, kind: str, text: str) -> None:
        """Send what is newest of its kind, in place of an older one that still waits."""
        self._shows[kind] = text
        self._filled.set()

    def close(self, code: int) -> None:
        """End the socket after the letters that wait; shows are dropped."""
        self._shows.clear()
        self._last_code = code
        self._filled.set()

    def behind(self, now: float) -> float:
        """For how many seconds (of the loop's clock) the socket has not taken what is being sent."""
        return 0.0 if self._sending_since is None else now - self._sending_since

    async def deliver(self) -> None:
        """Send whatever comes, until the mailbox is closed."""
        loop = asyncio.get_running_loop()
        while True:
            await self._filled.wait()
            while (text := self._next()) is not None:
                self._sending_since = loop.time()
                await self._send(text)
                self._sending_since = None
            if self._last_code is not None:
                await self._close(self._last_code)
                return
            self._filled.clear()

    def _next(self) -> str | None:
        if self._letters:
            return self._letters.popleft()
        if self._shows:
            return self._shows.pop(next(iter(self._shows)))
        return None
