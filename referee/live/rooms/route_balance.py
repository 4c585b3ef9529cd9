"""Return the sockets of a room to the process that the front chooses for it, after that process was away.

The front chooses a process by a key, which is the room where the address names it, and passes the key on (`X-Route`).
While a process is away, its keys are served by others. When it is back, the front sends new sockets to it, but those
that are open stay where they are. So each process tells the others the keys of its new sockets. A process that holds
sockets of a key that has been arriving elsewhere for `SETTLED_S` closes them with 1012, and they connect again. After
the start of a process, the others let one socket of each key connect again, to find out where it arrives.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.live.sockets.connections import SERVICE_RESTART, ConnectionRegistry, Socket

REPORT_EVERY_S = 2.0
SETTLED_S = 10.0
"""Longer than the front leaves out a process that did not answer (`fail_timeout` in deploy/front/upstream.conf)."""


class RouteBalance:
    """Keys of this process's sockets, and those that arrive at other processes. Times are seconds of one clock."""

    def __init__(self, connections: ConnectionRegistry) -> None:
        self._connections = connections
        self._arrived: set[str] = set()
        self._is_new = True
        self._elsewhere: dict[str, float] = {}
        self._unprobed: dict[str, float] = {}
        self._known: set[str] = set()

    def note_arrival(self, key: str) -> None:
        """Record the key of a new socket; empty if no front has passed one on."""
        if key:
            self._arrived.add(key)
            self._elsewhere.pop(key, None)
            self._unprobed.pop(key, None)

    def take_arrivals(self) -> list[str] | None:
        """Return the keys of the sockets since the last call, for the other processes; None if there is nothing to say.

        The first answer is a list in any case, because it shows the others that this process has started.
        """
        if not self._arrived and not self._is_new:
            return None
        keys, self._arrived, self._is_new = sorted(self._arrived), set(), False
        return keys

    def hear(self, process: str, keys: list[str], now: float) -> None:
        """Note the arrivals at another process."""
        if process not in self._known:
            self._known.add(process)
            self._unprobed = dict.fromkeys((socket.route for socket in self._routed()), now)
        for key in keys:
            self._elsewhere.setdefault(key, now)

    def move(self, is_quiet: Callable[[Socket], bool], now: float) -> None:
        """Close the sockets that have to connect again, as far as their rooms are quiet."""
        elsewhere, unprobed = (
            {key for key, since in waiting.items() if now - since >= SETTLED_S}
            for waiting in (self._elsewhere, self._unprobed)
        )
        if not elsewhere and not unprobed:
            return
        routed = self._routed()
        for socket in routed:
            if socket.route in elsewhere | unprobed and is_quiet(socket):
                if socket.route not in elsewhere:
                    unprobed.discard(socket.route)
                    del self._unprobed[socket.route]
                self._connections.end(socket, SERVICE_RESTART)
        for key in (elsewhere | unprobed) - {socket.route for socket in routed}:
            self._elsewhere.pop(key, None)
            self._unprobed.pop(key, None)

    def _routed(self) -> list[Socket]:
        return [socket for socket in self._connections.everybody() if socket.route]
