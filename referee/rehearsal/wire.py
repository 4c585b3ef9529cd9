"""Minimal WebSocket client, light enough for thousands of sockets in one process.

It understands only what this server sends (RFC 6455 without extensions): whole text frames, pings, close. Its frames
use a mask of zeros, which the standard allows.
"""

from __future__ import annotations

import asyncio
import struct
import time
from collections.abc import Callable

_TEXT, _CLOSE, _PING, _PONG = 0x81, 0x88, 0x89, 0x8A
_NO_MASK = b"\0\0\0\0"
_KEY = "bXVsdGlwbG8gcmVoZWFycw=="
OnText = Callable[[bytes, float], None]


def text_frame(text: bytes) -> bytes:
    """Return a text as a masked client frame."""
    return _frame(_TEXT, text)


def handshake(host: str, path: str, cookie: str, *, secure: bool = False) -> bytes:
    """Return the upgrade request, as sent by a page of the server."""
    scheme = "https" if secure else "http"
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {host}",
        f"Origin: {scheme}://{host}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {_KEY}",
        "Sec-WebSocket-Version: 13",
        f"Cookie: {cookie}",
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


class WebSocketClient(asyncio.Protocol):
    """WebSocket connection.

    `hear` is called with each text and the moment (`time.perf_counter`) its bytes arrived.
    """

    __slots__ = ("_buffer", "_hear", "_on_end", "_request", "_transport", "open")

    def __init__(self, request: bytes, hear: OnText, on_end: Callable[[], None]) -> None:
        self._request = request
        self._hear = hear
        self._on_end = on_end
        self._buffer = b""
        self._transport: asyncio.Transport | None = None
        self.open = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the upgrade request."""
        assert isinstance(transport, asyncio.Transport) or hasattr(transport, "write")  # noqa: S101  uvloop's is none
        self._transport = transport  # type: ignore[assignment]
        self._write(self._request)

    def data_received(self, data: bytes) -> None:
        """Split received bytes into frames."""
        now = time.perf_counter()
        buffer = self._buffer + data if self._buffer else data
        if not self.open:
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                self._buffer = buffer
                return
            if not buffer.startswith(b"HTTP/1.1 101"):
                self.hang_up()
                return
            self.open, buffer = True, buffer[end + 4 :]
        self._buffer = self._frames(buffer, now)

    def connection_lost(self, exc: Exception | None) -> None:
        """Report the end of the connection."""
        self.open, self._transport = False, None
        self._on_end()

    def send(self, frame: bytes) -> None:
        """Send a frame made by `text_frame`; ignored without a connection."""
        if self.open:
            self._write(frame)

    def stop_reading(self) -> None:
        """Stop reading, like a phone that is dead but still connected."""
        if self._transport is not None:
            self._transport.pause_reading()

    def hang_up(self) -> None:
        """Abort the connection, like a phone that loses the network."""
        if self._transport is not None:
            self._transport.abort()

    def _write(self, data: bytes) -> None:
        if self._transport is not None:
            self._transport.write(data)

    def _frames(self, buffer: bytes, now: float) -> bytes:
        """Handle all complete frames; return the rest."""
        at, size = 0, len(buffer)
        while size - at >= 2:
            length, begin = buffer[at + 1], at + 2
            if length == 126:
                if size - at < 4:
                    break
                length, begin = (buffer[at + 2] << 8) | buffer[at + 3], at + 4
            elif length == 127:
                if size - at < 10:
                    break
                length, begin = struct.unpack_from("!Q", buffer, at + 2)[0], at + 10
            if size < begin + length:
                break
            self._frame(buffer[at], buffer[begin : begin + length], now)
            at = begin + length
        return buffer[at:]

    def _frame(self, head: int, payload: bytes, now: float) -> None:
        if head == _TEXT:
            self._hear(payload, now)
        elif head == _PING:
            self._write(_frame(_PONG, payload))
        elif head == _CLOSE:
            self._write(_frame(_CLOSE, payload))
            if self._transport is not None:
                self._transport.close()


def _frame(head: int, payload: bytes) -> bytes:
    if len(payload) < 126:
        return bytes((head, 0x80 | len(payload))) + _NO_MASK + payload
    return bytes((head, 0x80 | 126)) + struct.pack("!H", len(payload)) + _NO_MASK + payload
