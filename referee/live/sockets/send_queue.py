"""Outgoing messages of one socket; a slow phone fills only its own queue."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from referee.live.sockets.frame_encoding import encode_frame

MOST_MESSAGES = 200
Send = Callable[[str], Awaitable[None]]
Close = Callable[[int], Awaitable[None]]
Write = Callable[[bytes], bool]


class SendQueueFull(Exception):
    """Error: more messages wait than `MOST_MESSAGES`; the client no longer reads."""


def _write_nothing(frame: bytes) -> bool:
    return False


def _do_nothing() -> None:
    return None


class SendQueue:
    """Queue of one socket. Messages (receipts, greetings) are all sent, in order; of a status kind only the newest is.

    `write_now` writes a frame directly and returns False if it could not. The text is then queued and `wake` is called,
    which has to start `deliver`.
    """

    __slots__ = (
        "_close",
        "_filled",
        "_last_code",
        "_messages",
        "_send",
        "_sending_since",
        "_status_texts",
        "_wake",
        "_write",
    )

    def __init__(
        self, send: Send, close: Close, write_now: Write = _write_nothing, wake: Callable[[], None] = _do_nothing
    ) -> None:
        self._send = send
        self._close = close
        self._write = write_now
        self._wake = wake
        self._messages: deque[str] | None = None
        self._status_texts: dict[str, str] | None = None
        self._last_code: int | None = None
        self._filled: asyncio.Event | None = None
        self._sending_since: float | None = None

    def post(self, text: str) -> None:
        """Send a message. Raises SendQueueFull if too many wait."""
        if self._is_idle and self._write(encode_frame(text)):
            return
        messages = self._messages = self._messages or deque()
        if len(messages) >= MOST_MESSAGES:
            raise SendQueueFull
        messages.append(text)
        self._fill()

    def show(self, kind: str, text: str, frame: bytes | None = None) -> None:
        """Send a status text, replacing a waiting one of the same kind; `frame` is the encoded text."""
        if self._is_idle and self._write(frame or encode_frame(text)):
            return
        self._status_texts = self._status_texts or {}
        self._status_texts[kind] = text
        self._fill()

    def close(self, code: int) -> None:
        """Close the socket after the waiting messages; status texts are dropped."""
        self._status_texts = None
        self._last_code = code
        self._fill()

    def behind(self, now: float) -> float:
        """Return for how many seconds the text being sent has not been taken; `now` is a time of the event loop."""
        return 0.0 if self._sending_since is None else now - self._sending_since

    async def deliver(self) -> None:
        """Send queued texts until the queue is closed."""
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
        """True if nothing waits or is being sent, so that a direct write keeps the order."""
        return not self._messages and not self._status_texts and self._sending_since is None and self._last_code is None

    def _fill(self) -> None:
        self._event().set()
        self._wake()

    def _event(self) -> asyncio.Event:
        # Created at first use: most sockets are never slow and need none.
        if self._filled is None:
            self._filled = asyncio.Event()
        return self._filled

    def _next(self) -> str | None:
        if self._messages:
            return self._messages.popleft()
        if self._status_texts:
            return self._status_texts.pop(next(iter(self._status_texts)))
        return None
