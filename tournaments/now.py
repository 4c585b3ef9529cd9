"""Clock of the program: the only place that reads the time for callers of services.

A deadline is a time of day, but the clock of a computer can be set at any moment. So the time of day is read once and
continued by a clock that cannot be set; a step in mid-turn moves no deadline. Between turns the program follows the
computer's clock again (referee/live/monitoring/clock_monitor.py). Several processes on PostgreSQL use the clock of the
database instead of their computers' clocks (tournaments/database_clock.py).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_BOOT = Path("/proc/sys/kernel/random/boot_id")
Nanoseconds = Callable[[], int]


def steady_ns() -> int:
    """Nanoseconds of a clock that cannot be set and runs while the computer sleeps; its zero is the same for all
    processes.

    Players go on thinking while the judge's laptop sleeps: a clock that stops then would extend their turn.
    """
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    if hasattr(time, "CLOCK_MONOTONIC"):  # macOS, where it counts sleep and Python's monotonic() does not
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    return time.monotonic_ns()  # Windows, where it counts sleep


def get_boot_id() -> str:
    """Identify this start of the computer, "" where that is unknown. Values of `steady_ns` compare within one start
    only."""
    with suppress(OSError):
        return _BOOT.read_text().strip()
    return ""


class Timeline:
    """The time of day as it was at one moment, counted on from there. Both clocks give nanoseconds."""

    def __init__(self, wall: Nanoseconds | None = None, steady: Nanoseconds = steady_ns) -> None:
        self._wall = wall or (lambda: time.time_ns())  # looked up at each call: a test may set the computer's clock
        self._steady = steady
        self.follow_wall()

    def now(self) -> datetime:
        """The present moment, in UTC."""
        return self.at(self.steady_us())

    def at(self, steady_us: int) -> datetime:
        """The moment at which the steady clock shows this."""
        return _EPOCH + timedelta(microseconds=steady_us + self._offset_us)

    def steady_us(self) -> int:
        """The steady clock in microseconds."""
        return self._steady() // 1000

    def off_ms(self) -> int:
        """Milliseconds by which the computer's clock is ahead of this one; negative when it is behind."""
        return round((self._wall() // 1000 - self.steady_us() - self._offset_us) / 1000)

    def follow(self, wall: Nanoseconds) -> None:
        """Use another clock in place of the computer's, from now on."""
        self._wall = wall
        self.follow_wall()

    def follow_wall(self) -> None:
        """Take over the time of the computer's clock. Must not be called during a turn."""
        self._offset_us = self._wall() // 1000 - self.steady_us()

    def continue_from(self, moment: datetime, steady_us: int) -> None:
        """Continue the timeline of another process, which was at this moment when the steady clock showed
        `steady_us`."""
        self._offset_us = (moment - _EPOCH) // timedelta(microseconds=1) - steady_us


timeline = Timeline()


def utc_now() -> datetime:
    """The present moment, in UTC, with microseconds."""
    return timeline.now()
