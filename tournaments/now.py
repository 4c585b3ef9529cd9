"""The only place that reads a clock for the callers of services.

A deadline is a time of day, and the clock of a computer is set at any moment: by the network, or by somebody. So the
time of day is read once and counted on by a clock that nobody can set; a step in mid-turn moves nothing. Between
turns the program follows the computer's clock again (referee/live/guard.py).
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
    """A clock that cannot be set and goes on while the computer sleeps; its zero is the same for all processes.

    Players go on thinking while the judge's laptop sleeps: a clock that stands still would stretch their turn.
    """
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    if hasattr(time, "CLOCK_MONOTONIC"):  # macOS, where it counts sleep and Python's monotonic() does not
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    return time.monotonic_ns()  # Windows, where it counts sleep


def boot() -> str:
    """What tells this start of the computer from others, "" where there is nothing: `steady_ns` is good within one."""
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
        """What the steady clock shows, in microseconds."""
        return self._steady() // 1000

    def off_ms(self) -> int:
        """By how many milliseconds the computer's clock is ahead of this one; negative when it is behind."""
        return round((self._wall() // 1000 - self.steady_us() - self._offset_us) / 1000)

    def follow_wall(self) -> None:
        """Go by the computer's clock as it is now. Not while a turn is under way."""
        self._offset_us = self._wall() // 1000 - self.steady_us()

    def continue_from(self, moment: datetime, steady_us: int) -> None:
        """Go on as another process did, for whom it was this moment when the steady clock showed `steady_us`."""
        self._offset_us = (moment - _EPOCH) // timedelta(microseconds=1) - steady_us


timeline = Timeline()


def utc_now() -> datetime:
    """The present moment, in UTC, with microseconds."""
    return timeline.now()
