"""Health of rooms: measured in this process, and reported by the other processes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any

from referee.live.sockets.connections import ConnectionRegistry, RoomKey, Socket
from tournaments.now import timeline

WEAK_TRIP_MS = 1500.0
"""Longest ping of a healthy phone: above the grace period, a slip sent at the last moment may be late."""
SLOW_AFTER_S = 3.0
"""A phone that has not read for this long is slow; `connections.LONGEST_BEHIND_S` ends its connection."""
SILENT_S = 65.0
"""A phone sends a ping every 20 seconds; after three missing ones it counts as silent."""
REPORT_EVERY_S = 5.0
REPORT_LIFETIME_S = 16.0
"""A process that has sent no report for three periods counts as ended."""


@dataclass(frozen=True, slots=True)
class Health:
    """Health of a room. `connected`: players with a connected phone; `weak`: those whose phones are slow or silent.

    `outage`: kind of the current storage outage.

    `clock_off_ms`: change of the computer's clock that running turns do not follow.
    """

    connected: frozenset[int]
    weak: tuple[int, ...]
    slips_per_second: float
    clock_off_ms: int
    outage: str | None

    @property
    def phones(self) -> int:
        """Number of players with a connected phone."""
        return len(self.connected)


def measure_health(
    connections: ConnectionRegistry, room_key: RoomKey, slips_per_second: float, outage: str | None
) -> Health:
    """Measure one room in this process. Callable from any thread; makes no query."""
    phones, now = connections.list_sockets(room_key, "phone"), monotonic()
    return Health(
        connected=frozenset(phone.player_id for phone in phones),
        weak=tuple(sorted({phone.player_id for phone in phones if is_weak(phone, now)})),
        slips_per_second=slips_per_second,
        clock_off_ms=timeline.off_ms(),
        outage=outage,
    )


def merge_health(all_signs: Iterable[Health]) -> Health:
    """Merge the reports of several processes: all phones, the sum of slips, otherwise the worst value."""
    signs = list(all_signs)
    return Health(
        connected=frozenset[int]().union(*(each.connected for each in signs)),
        weak=tuple(sorted({player_id for each in signs for player_id in each.weak})),
        slips_per_second=sum(each.slips_per_second for each in signs),
        clock_off_ms=max((each.clock_off_ms for each in signs), key=abs, default=0),
        outage=next((each.outage for each in signs if each.outage), None),
    )


def is_weak(phone: Socket, now: float) -> bool:
    """Tell if a slip from this phone may be slow; `now` is a time of `time.monotonic`."""
    if phone.round_trip_ms is not None and phone.round_trip_ms > WEAK_TRIP_MS:
        return True
    return phone.send_queue.behind(now) > SLOW_AFTER_S or now - phone.heard_at > SILENT_S


class PeerReports:
    """Latest health reports of the other processes; times are of `time.monotonic`."""

    def __init__(self) -> None:
        self._reports: dict[str, tuple[Mapping[str, Any], float]] = {}

    def hear(self, process: str, report: Mapping[str, Any], now: float) -> None:
        """Store a report made by `build_report`, and drop those of ended processes."""
        self._reports = {name: entry for name, entry in self._reports.items() if now - entry[1] < REPORT_LIFETIME_S}
        self._reports[process] = report, now

    def clock_errors_ms(self, now: float) -> list[int]:
        """Return by how much the clock that is followed is ahead of every other process."""
        return [report["off_ms"] for report, at in self._reports.values() if now - at < REPORT_LIFETIME_S]

    def signs(self, room_key: RoomKey, now: float) -> list[Health]:
        """Return the health of a room in every other process."""
        present = [report for report, at in self._reports.values() if now - at < REPORT_LIFETIME_S]
        return [_read_report(report, room_key) for report in present]


def build_report(
    signs: Mapping[RoomKey, Health], slips_per_second: float, clock_off_ms: int, outage: str | None
) -> dict[str, Any]:
    """Build the report to the other processes, as JSON data."""
    rooms = [[*room_key, sorted(each.connected), list(each.weak)] for room_key, each in signs.items()]
    return {"rooms": rooms, "per_second": slips_per_second, "off_ms": clock_off_ms, "outage": outage}


def _read_report(report: Mapping[str, Any], room_key: RoomKey) -> Health:
    of_room = ((phones, weak) for event, room, phones, weak in report["rooms"] if (event, room) == room_key)
    phones, weak = next(of_room, ((), ()))
    return Health(frozenset(phones), tuple(weak), report["per_second"], report["off_ms"], report["outage"])
