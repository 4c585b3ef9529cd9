"""A slow client: opens connections and sends incomplete requests."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from tests.waiting import PATIENCE_S

LAPTOP = "127.0.0.77"  # an address that the server does not treat as its own computer
HALF_A_HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
HALF_A_HANDSHAKE = b"GET /ws/phone/ HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgr"
HALF_A_BODY = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2000\r\n\r\n{"


class SlowClient:
    """A TCP connection of a slow client."""

    def __init__(
        self, port: int, first: bytes = b"", *, address: str = LAPTOP, receive_buffer: int | None = None
    ) -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self.socket.settimeout(PATIENCE_S)
        if receive_buffer is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.bind((address, 0))
        self.socket.connect(("127.0.0.1", port))
        if first:
            self.socket.sendall(first)

    def say(self, data: bytes) -> None:
        """Send, if the server still listens."""
        self.socket.sendall(data)

    def answer(self) -> bytes:
        """Return everything until the server closes the connection; b"" if it sends nothing."""
        parts = []
        try:
            while part := self.socket.recv(65_536):
                parts.append(part)
        except ConnectionError:
            pass
        return b"".join(parts)

    def is_open(self) -> bool:
        """Return True if the server still has the connection open."""
        self.socket.setblocking(False)
        try:
            return self.socket.recv(1, socket.MSG_PEEK) != b""
        except BlockingIOError:
            return True
        except ConnectionError:
            return False
        finally:
            self.socket.settimeout(PATIENCE_S)

    def hang_up(self) -> None:
        """Close the connection from the client's side."""
        self.socket.close()


@contextmanager
def open_slow_clients(port: int, count: int, first: bytes, *, address: str = LAPTOP) -> Iterator[list[SlowClient]]:
    """Open connections that all send the same and then nothing."""
    opened = [SlowClient(port, first, address=address) for _ in range(count)]
    try:
        yield opened
    finally:
        for caller in opened:
            caller.hang_up()
