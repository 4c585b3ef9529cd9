"""A laptop in the hall that opens connections and does not say what it wants."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from tests.patience import PATIENCE_S

LAPTOP = "127.0.0.77"  # an address of its own, which the server does not take for the judge's computer
HALF_A_HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
HALF_A_HANDSHAKE = b"GET /ws/phone/ HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgr"
HALF_A_BODY = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2000\r\n\r\n{"


class Caller:
    """A TCP connection from the laptop."""

    def __init__(self, port: int, first: bytes = b"", *, address: str = LAPTOP) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S, source_address=(address, 0))
        if first:
            self.socket.sendall(first)

    def say(self, data: bytes) -> None:
        """Send, if the server still listens."""
        self.socket.sendall(data)

    def answer(self) -> bytes:
        """Everything until the server ends the connection; b"" when it just ends it."""
        parts = []
        try:
            while part := self.socket.recv(65_536):
                parts.append(part)
        except ConnectionError:
            pass
        return b"".join(parts)

    def is_open(self) -> bool:
        """Whether the server still holds the connection."""
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
        """End it from this side."""
        self.socket.close()


@contextmanager
def callers(port: int, count: int, first: bytes, *, address: str = LAPTOP) -> Iterator[list[Caller]]:
    """So many connections that all say the same and then nothing."""
    opened = [Caller(port, first, address=address) for _ in range(count)]
    try:
        yield opened
    finally:
        for caller in opened:
            caller.hang_up()
