"""What waits to be sent to one socket. A slow phone has its own mailbox and blocks nobody."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from referee.live.straight import frame_of

MOST_LETTERS = 200
Send = Callable[[str], Awaitable[None]]
Close = Callable[[int], Awaitable[None]]
Write = Callable[[bytes], bool]


class Overfull(Exception):
    """More letters wait than a socket that still reads could have left."""


def _write_nothing(frame: bytes) -> bool:
    return False


def _nobody() -> None:
    return None


class Mailbox:
    """Letters (receipts, greetings) are all sent, in order; of a show (state, count) only the newest is.

    `write_now` writes a frame at once and says whether it could; what it could not waits, and `wake` is called so that
    somebody runs `deliver`.
    """

    __slots__ = ("_close", "_filled", "_last_code", "_letters", "_send", "_sending_since", "_shows", "_wake", "_write")

    def __init__(
        self, send: Send, close: Close, write_now: Write = _write_nothing, wake: Callable[[], None] = _nobody
    ) -> None:
        self._send = send
        self._close = close
        self._write = write_now
        self._wake = wake
        self._letters: deque[str] | None = None
        self._shows: dict[str, str] | None = None
        self._last_code: int | None = None
        self._filled: asyncio.Event | None = None
        self._sending_since: float | None = None

    def post(self, text: str) -> None:
        """Send a letter. Raises Overfull when too many wait already."""
        if self._is_idle and self._write(frame_of(text)):
            return
        letters = self._letters = self._letters or deque()
        if len(letters) >= MOST_LETTERS:
            raise Overfull
        letters.append(text)
        self._fill()

    def show(self, kind: str, text: str, frame: bytes | None = None) -> None:
        """Send what is newest of its kind, in place of an older one that still waits; `frame` is the text's."""
        if self._is_idle and self._write(frame or frame_of(text)):
            return
        self._shows = self._shows or {}
        self._shows[kind] = text
        self._fill()

    def close(self, code: int) -> None:
        """End the socket after the letters that wait; shows are dropped."""
        self._shows = None
        self._last_code = code
        self._fill()

    def behind(self, now: float) -> float:
        """For how many seconds (of the loop's clock) the socket has not taken what is being sent."""
        return 0.0 if self._sending_since is None else now - self._sending_since

    async def deliver(self) -> None:
        """Send whatever comes, until the mailbox is closed."""
        loop, filled = asyncio.get_running_loop(), self._event()
        while True:
            await filled.wait()
            while (text := self._next()) is not None:
                self._sending_since = loop.time()
                await self._send(text)
                self._sending_since = None
            if self._last_code is not None:
                await self._close(self._last_code)
                return
            filled.clear()

    @property
    def _is_idle(self) -> bool:
        """Whether nothing waits or is being sent, so that nothing can be overtaken."""
        return not self._letters and not self._shows and self._sending_since is None and self._last_code is None

    def _fill(self) -> None:
        self._event().set()
        self._wake()

    def _event(self) -> asyncio.Event:
        # Most sockets take everything at once and never need one.
        if self._filled is None:
            self._filled = asyncio.Event()
        return self._filled

    def _next(self) -> str | None:
        if self._letters:
            return self._letters.popleft()
        if self._shows:
            return self._shows.pop(next(iter(self._shows)))
        return None
