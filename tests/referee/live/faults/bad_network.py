"""A line between phones and server that is slow and loses packets: a proxy on the loopback, the same with each seed.

What TCP makes of a lost packet is a stall until it is sent again, or in the end a broken connection.
"""

from __future__ import annotations

import queue
import socket
import threading
import time
from contextlib import suppress
from random import Random

LOSS = 0.1
SENT_AGAIN_S = 1.0
BROKEN = 0.02
_PIECE = 1400
_Packet = tuple[float, bytes]


class BadNetwork:
    """Listens on `port` and passes on to the server's; each packet takes `latency_s` for its way."""

    def __init__(self, server_port: int, *, latency_s: float, seed: int) -> None:
        self._server_port, self._latency_s = server_port, latency_s
        self._random, self._lock = Random(seed), threading.Lock()  # noqa: S311  a network, not a secret
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self.port: int = self._listener.getsockname()[1]
        self.lost = self.broken = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """End everything."""
        self._listener.close()
        for line in list(self._open):
            _end(line)

    def _accept(self) -> None:
        while True:
            try:
                near, _address = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._server_port))
            except OSError:
                return
            self._open += [near, far]
            for source, target in ((near, far), (far, near)):
                on_the_way: queue.Queue[_Packet | None] = queue.Queue()
                for work, ends in ((self._take, source), (self._hand_on, target)):
                    threading.Thread(target=work, args=(ends, on_the_way), daemon=True).start()

    def _take(self, source: socket.socket, on_the_way: queue.Queue[_Packet | None]) -> None:
        with suppress(OSError):
            while piece := source.recv(_PIECE):
                arrives = time.monotonic() + self._latency_s + self._stall()
                on_the_way.put((arrives, piece))
        on_the_way.put(None)

    def _hand_on(self, target: socket.socket, on_the_way: queue.Queue[_Packet | None]) -> None:
        with suppress(OSError):
            while (packet := on_the_way.get()) is not None:
                time.sleep(max(0.0, packet[0] - time.monotonic()))
                if self._breaks():
                    break
                target.sendall(packet[1])
        _end(target)

    def _stall(self) -> float:
        with self._lock:
            if self._random.random() >= LOSS:
                return 0.0
            self.lost += 1
            return SENT_AGAIN_S

    def _breaks(self) -> bool:
        with self._lock:
            broken = self._random.random() < BROKEN
            self.broken += broken
            return broken


def _end(line: socket.socket) -> None:
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)
    line.close()
