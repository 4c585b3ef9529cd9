"""All overrides of uvicorn's internals: WebSockets, HTTP limits, signals and shutdown.

`tests/referee/server/test_uvicorn_overrides.py` fails when an upgrade changes a method or attribute used here.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from referee.server import connection_limits as limits
from referee.server import stopping

_TOO_LARGE = b"HTTP/1.1 413 Content Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
_BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
OnText = Callable[[str], None]


class FastWebSocketProtocol(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket protocol, with direct reads and writes.

    uvicorn passes every frame through a queue and three tasks in each direction, which is most of the work with
    thousands of phones. `on_text` is called with each text message instead; with None, messages go through the queue.
    """

    on_text: OnText | None = None

    def data_received(self, data: bytes) -> None:
        """Refuse a request that is no handshake, such as one with a line that is too long.

        uvicorn does not answer it and keeps the connection open.
        """
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.transport.is_closing():
            self.transport.write(_BAD_REQUEST)
            self.transport.close()

    def write_now(self, frame: bytes) -> bool:
        """Write a frame directly. False if the write buffer is full or the connection is closing."""
        if self.close_sent or self.disconnected or not self.writable.is_set() or self.transport.is_closing():
            return False
        self.transport.write(frame)
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """Close the frame parser, whose reference cycle would otherwise stay in memory until garbage collection."""
        super().connection_lost(exc)
        self.on_text = None
        self.conn.parser.close()

    def shutdown(self) -> None:
        """Close the connection when the server stops.

        uvicorn's method fails for a connection that is already closing, and stops the shutdown that stores slips.
        """
        if self.transport.is_closing():
            self.stop_keepalive()
        else:
            super().shutdown()

    def send_receive_event_to_app(self) -> None:
        """Pass a complete text message to `on_text`; uvicorn handles all other messages."""
        on_text = self.on_text
        if on_text is None or self.close_sent or self.curr_msg_data_type != "text" or not self.queue.empty():
            super().send_receive_event_to_app()
            return
        frames, self.frames = self.frames, []
        try:
            text = (frames[0] if len(frames) == 1 else b"".join(frames)).decode()
        except UnicodeDecodeError:
            self.frames = frames
            super().send_receive_event_to_app()
        else:
            on_text(text)


def find_fast_protocol(send: Any) -> FastWebSocketProtocol | None:
    """Return the protocol an ASGI `send` belongs to; None on another server or behind a wrapper."""
    protocol = getattr(send, "__self__", None)
    return protocol if isinstance(protocol, FastWebSocketProtocol) else None


class TimeLimitedProtocol(HttpToolsProtocol):
    """uvicorn's HTTP protocol, with the limits of `referee.server.connection_limits`."""

    _timeout: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    _half_open_address: str | None = None
    _head_size = _body_size = 0
    _in_head = True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request, unless the address has too many unfinished ones."""
        super().connection_made(transport)
        self._start_timeout(limits.HEAD_S)
        if self.client is not None and not self.config.proxy_headers:  # a proxy has its own limits
            self._half_open_address = self.client[0]
            if not limits.add_half_open(self._half_open_address):
                transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel all timers."""
        self._stop_timeout()
        self._end_half_open()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Limit the time and the size of a request head; its bytes do not keep an idle connection open."""
        if self._timeout is None and self._in_head:
            self._start_timeout(limits.HEAD_S)
        if self._in_head:
            self._head_size += len(data)
        super().data_received(data)
        if self._in_head and self._head_size > limits.LARGEST_HEAD and not self.transport.is_closing():
            self.transport.abort()

    def handle_websocket_upgrade(self) -> None:
        """Stop the timers, as WebSockets have pings. A refused request is not upgraded.

        While the process stops, the connection is closed without an answer, so that a front tries another process.
        """
        if self.transport.is_closing():
            return
        if stopping.is_stopping():
            self.transport.close()
            return
        self._stop_timeout()
        self._end_half_open()
        super().handle_websocket_upgrade()

    def on_message_begin(self) -> None:
        """Start the time limit of a request head."""
        super().on_message_begin()
        self._in_head = True
        self._start_timeout(limits.HEAD_S)

    def on_headers_complete(self) -> None:
        """Start the time limit of the body; refuse a body whose declared length is too large."""
        self._in_head, self._head_size, self._body_size = False, 0, 0
        self._end_half_open()
        self._start_timeout(limits.BODY_S)
        if self._is_head_too_large():
            self.transport.abort()
            return
        length = next((value for name, value in self.headers if name == b"content-length"), b"0")
        if length.isdigit() and int(length[:20]) > limits.largest_body(self.url):
            self._refuse_body()
        else:
            super().on_headers_complete()
            if stopping.is_stopping() and self.cycle is not None:
                self.cycle.keep_alive = False

    def on_body(self, body: bytes) -> None:
        """Count the bytes of a body, which in chunked encoding has no declared length."""
        self._body_size += len(body)
        if self._body_size > limits.largest_body(self.url):
            self._refuse_body()
        elif not self.transport.is_closing():
            super().on_body(body)

    def on_message_complete(self) -> None:
        """Stop the timer of a complete request."""
        self._in_head = True
        self._stop_timeout()
        if not self.transport.is_closing():
            super().on_message_complete()

    def pause_writing(self) -> None:
        """Limit the time in which the client may leave the response unread."""
        super().pause_writing()
        self._unread = self.loop.call_later(limits.UNREAD_S, self.transport.abort)

    def resume_writing(self) -> None:
        """Cancel that limit."""
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _is_head_too_large(self) -> bool:
        """Measure the parsed head: one that arrives in one piece is parsed before its bytes are counted."""
        fields = sum(len(name) + len(value) + len(": \r\n") for name, value in self.headers)
        return len(self.url) + fields > limits.LARGEST_HEAD

    def _refuse_body(self) -> None:
        if not self.transport.is_closing():
            self.transport.write(_TOO_LARGE)
            self.transport.close()

    def _start_timeout(self, seconds: float) -> None:
        self._stop_timeout()
        self._timeout = self.loop.call_later(seconds, self._abort)

    def _abort(self) -> None:
        self._timeout = None
        self.transport.abort()

    def _stop_timeout(self) -> None:
        if self._timeout is not None:
            self._timeout.cancel()
            self._timeout = None

    def _end_half_open(self) -> None:
        """Stop counting the connection as one without a complete request."""
        if self._half_open_address is not None:
            limits.remove_half_open(self._half_open_address)
            self._half_open_address = None


@dataclass(frozen=True, slots=True)
class ShutdownLimits:
    """Seconds of the end of a process: `drain_s` for clients to move to other processes, `end_s` for all of it."""

    drain_s: float
    end_s: float


ALONE = ShutdownLimits(drain_s=0.0, end_s=1.8)
"""On a laptop, where the same process starts again."""
IN_CLUSTER = ShutdownLimits(drain_s=1.0, end_s=9.0)
"""Below the 10 seconds after which Docker kills a container."""


class NotifyingServer(uvicorn.Server):
    """uvicorn's server, with a callback when it is ready, and an end within a limited time after the first signal."""

    def __init__(
        self,
        config: uvicorn.Config,
        on_ready: Callable[[], None],
        on_end: Callable[[], None],
        limits: ShutdownLimits = ALONE,
    ) -> None:
        super().__init__(config)
        self._on_ready = on_ready
        self._on_end = on_end
        self._limits = limits

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the application, listen and call `on_ready`."""
        await super().startup(sockets)
        self._on_ready()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at SIGINT and SIGTERM without raising them again, which in uvicorn ends with a traceback."""
        handled = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, self.handle_exit) for number in handled}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: object) -> None:
        """Stop. A timer ends the process if a thread (a search, a PDF) is still busy."""
        if not self.should_exit:
            stopping.begin()
            watchdog = threading.Timer(self._limits.end_s, self._end_hard)
            watchdog.daemon = True
            watchdog.start()
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Move clients to the other processes, if there are any: WebSockets at once, connections of a front with their
        next answer. Then finish running requests and stop the application."""
        if self._limits.drain_s:
            for listening in (*self.servers, *(sockets or ())):
                listening.close()
            for connection in list(self.server_state.connections):
                if isinstance(connection, WebSocketsSansIOProtocol):
                    connection.shutdown()
            await asyncio.sleep(self._limits.drain_s)
        await super().shutdown(sockets)

    def _end_hard(self) -> None:
        self._on_end()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)
