"""Connections that dawdle are ended: heads and bodies that never come, answers that nobody takes, too much of them.

uvicorn waits without end for the rest of a request. A page or a phone that means it needs a moment; whoever opens
hundreds of connections and says nothing wants the others to find no room.
"""

from __future__ import annotations

import asyncio
from collections import Counter

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_S = 10.0
BODY_S = 60.0
UNREAD_S = 30.0
LARGEST_HEAD = 32_768
LARGEST_BODY = 65_536  # of players: a form, a slip
LARGEST_UPLOAD = 32 * 1024 * 1024  # at the desk: lists of players, prepared games, archives; what a room hands in
MOST_HALF_OPEN = 1000  # of one address that has not finished a request yet; a whole hall may sit behind one
_TOO_LARGE = b"HTTP/1.1 413 Content Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
_half_open: Counter[str] = Counter()


class PatientProtocol(HttpToolsProtocol):
    """uvicorn's HTTP with an end to patience and to size. A socket leaves it once its handshake is read."""

    _patience: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    _waited_for: str | None = None
    _head_size = _body_size = 0
    _in_head = True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a first request, unless too many of this address keep us waiting already."""
        super().connection_made(transport)
        self._wait(HEAD_S)
        if self.client is not None and not self.config.proxy_headers:  # a proxy brings many, and waits for us
            self._waited_for = self.client[0]
            _half_open[self._waited_for] += 1
            if _half_open[self._waited_for] > MOST_HALF_OPEN:
                transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing to wait for any more."""
        self._stop_waiting()
        self._came()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Some bytes; those of a head may not go on for ever, nor keep an idle connection open."""
        if self._patience is None and self._in_head:
            self._wait(HEAD_S)
        if self._in_head:
            self._head_size += len(data)
        super().data_received(data)
        if self._in_head and self._head_size > LARGEST_HEAD and not self.transport.is_closing():
            self.transport.abort()

    def handle_websocket_upgrade(self) -> None:
        """From here on pings tell whether anybody is there; what was refused becomes no socket."""
        if self.transport.is_closing():
            return
        self._stop_waiting()
        self._came()
        super().handle_websocket_upgrade()

    def on_message_begin(self) -> None:
        """The first sign of a request."""
        super().on_message_begin()
        self._in_head = True
        self._wait(HEAD_S)

    def on_headers_complete(self) -> None:
        """The head is there; a body that says itself how long it is may be refused at once."""
        self._in_head, self._head_size, self._body_size = False, 0, 0
        self._came()
        self._wait(BODY_S)
        if self._is_head_too_large():
            self.transport.abort()
            return
        length = next((value for name, value in self.headers if name == b"content-length"), b"0")
        if length.isdigit() and int(length[:20]) > self._largest_body():
            self._refuse_body()
        else:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A part of the body; one that is sent in chunks is measured as it comes."""
        self._body_size += len(body)
        if self._body_size > self._largest_body():
            self._refuse_body()
        elif not self.transport.is_closing():
            super().on_body(body)

    def on_message_complete(self) -> None:
        """The whole request is there; from now on it is we who keep the other end waiting."""
        self._in_head = True
        self._stop_waiting()
        if not self.transport.is_closing():
            super().on_message_complete()

    def pause_writing(self) -> None:
        """The other end does not take what it asked for."""
        super().pause_writing()
        self._unread = self.loop.call_later(UNREAD_S, self.transport.abort)

    def resume_writing(self) -> None:
        """It does."""
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _is_head_too_large(self) -> bool:
        """By what was read of it: a head that comes in one piece is whole before its bytes are counted."""
        fields = sum(len(name) + len(value) + len(": \r\n") for name, value in self.headers)
        return len(self.url) + fields > LARGEST_HEAD

    def _largest_body(self) -> int:
        return LARGEST_UPLOAD if self.url.startswith(b"/desk/") else LARGEST_BODY

    def _refuse_body(self) -> None:
        if not self.transport.is_closing():
            self.transport.write(_TOO_LARGE)
            self.transport.close()

    def _wait(self, seconds: float) -> None:
        self._stop_waiting()
        self._patience = self.loop.call_later(seconds, self._give_up)

    def _give_up(self) -> None:
        self._patience = None
        self.transport.abort()

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _came(self) -> None:
        """This connection is no longer one of those that keep us waiting for a first request."""
        if self._waited_for is not None:
            _half_open[self._waited_for] -= 1
            if not _half_open[self._waited_for]:
                del _half_open[self._waited_for]
            self._waited_for = None
