"""The short way between a socket and the hall: a frame is heard when it is read, a text is written at once.

By the book every frame goes through a queue and three tasks, in both directions; with thousands of phones that is most
of the work. The short way is open while a line takes what is written to it; a line that is full, or another server than
ours, goes by the book.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

_TEXT = 0x81
Hear = Callable[[str], None]


def frame_of(text: str) -> bytes:
    """A text as a server sends it (RFC 6455): unmasked, so that one frame serves all phones."""
    payload = text.encode()
    length = len(payload)
    if length < 126:
        return bytes((_TEXT, length)) + payload
    if length < 65_536:
        return struct.pack("!BBH", _TEXT, 126, length) + payload
    return struct.pack("!BBQ", _TEXT, 127, length) + payload


class StraightProtocol(WebSocketsSansIOProtocol):
    """uvicorn's sockets, with the short way. `hear` gets each text from when it is set; None is by the book."""

    hear: Hear | None = None

    def write_now(self, frame: bytes) -> bool:
        """Write a frame, unless the line is full or on its way out."""
        if self.close_sent or self.disconnected or not self.writable.is_set() or self.transport.is_closing():
            return False
        self.transport.write(frame)
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """The line is gone. Its reader refers to itself: unless it is told to end, thousands of them would lie about
        until garbage is collected, which in a hall is seldom."""
        super().connection_lost(exc)
        self.hear = None
        self.conn.parser.close()

    def shutdown(self) -> None:
        """The server ends. A line that is on its way out has had its goodbye: uvicorn would fail at a second one, and
        with it the end of the server, which stores what was handed in."""
        if self.transport.is_closing():
            self.stop_keepalive()
        else:
            super().shutdown()

    def send_receive_event_to_app(self) -> None:
        """A whole message has come."""
        hear = self.hear
        if hear is None or self.close_sent or self.curr_msg_data_type != "text" or not self.queue.empty():
            super().send_receive_event_to_app()
            return
        frames, self.frames = self.frames, []
        try:
            text = (frames[0] if len(frames) == 1 else b"".join(frames)).decode()
        except UnicodeDecodeError:
            self.frames = frames
            super().send_receive_event_to_app()
        else:
            hear(text)


def straight(send: Any) -> StraightProtocol | None:
    """The short way behind an application's `send`, where there is one."""
    protocol = getattr(send, "__self__", None)
    return protocol if isinstance(protocol, StraightProtocol) else None
