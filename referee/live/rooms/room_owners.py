"""Division of the rooms among the processes: each room has one owner, which reads it for all processes.

Every process reports twice a second in which rooms it has sockets. From these reports all of them derive the same
owner for a room, so the rooms are spread evenly and are divided anew when a process joins or falls silent. The lock of
the room (`room_locks`) makes sure that two processes with different reports do not both own it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass

REPORT_LIFETIME_S = 1.6
"""A process that has sent no report for three periods takes no part in the division."""
PATIENCE_S = 1.0
"""Time after which a process takes a room that its owner by the reports has not taken."""


@dataclass(frozen=True, slots=True)
class _Report:
    sockets: frozenset[int]
    owned: frozenset[int]
    at: float


class RoomOwners:
    """Rooms of this process, and those that the others have reported; times are of `time.monotonic`."""

    def __init__(self, process: str) -> None:
        self._process = process
        self._reports: dict[str, _Report] = {}
        self._free_since: dict[int, float] = {}

    def hear(self, process: str, sockets: Collection[int], owned: Collection[int], now: float) -> None:
        """Note a report: the rooms in which a process has sockets, and those that it owns."""
        self._reports[process] = _Report(frozenset(sockets), frozenset(owned), now)

    def is_served_elsewhere(self, room: int, now: float) -> bool:
        """True if another process owns a room and has sockets in it, so that it publishes each snapshot."""
        return any(room in report.owned & report.sockets for report in self._present(now).values())

    def list_owned_elsewhere(self, now: float) -> frozenset[int]:
        """Return the rooms that other processes own."""
        return frozenset[int]().union(*(report.owned for report in self._present(now).values()))

    def is_watched_elsewhere(self, room: int, now: float) -> bool:
        """True if another process has sockets in a room."""
        return any(room in report.sockets for report in self._present(now).values())

    def divide(self, rooms: Collection[int], sockets: Collection[int], held: Collection[int], now: float) -> set[int]:
        """Return which of these rooms this process should own; `sockets`: where it has some, `held`: what it owns."""
        present = self._present(now)
        owned_elsewhere = self.list_owned_elsewhere(now)
        wanted = {room for room in rooms if self._is_own(room, room in sockets, present)}
        free = {room for room in rooms if room not in owned_elsewhere and room not in held} - wanted
        self._free_since = {room: self._free_since.get(room, now) for room in free}
        return wanted | {room for room, since in self._free_since.items() if now - since > PATIENCE_S}

    def _is_own(self, room: int, has_sockets: bool, present: Mapping[str, _Report]) -> bool:
        """True if the room falls to this process. Processes with sockets in it come before those without."""
        candidates = [process for process, report in present.items() if room in report.sockets]
        if has_sockets:
            candidates.append(self._process)
        best = max(candidates or [*present, self._process], key=lambda process: _rank(process, room))
        return best == self._process

    def _present(self, now: float) -> dict[str, _Report]:
        self._reports = {name: each for name, each in self._reports.items() if now - each.at < REPORT_LIFETIME_S}
        return self._reports


def _rank(process: str, room: int) -> bytes:
    """Rendezvous hashing: the process with the highest rank owns the room."""
    return hashlib.sha256(f"{process} {room}".encode()).digest()
