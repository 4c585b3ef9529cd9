"""Counter of stored slips per second, for the health display."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

SECONDS = 10
"""Length of the average."""


class Throughput:
    """Number of slips in each of the last seconds, in a ring of `SECONDS` counters."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._counts = [0] * SECONDS
        self._newest = int(clock())

    def count(self, slips: int) -> None:
        """Count slips stored now."""
        self._clear_old_counts()
        self._counts[self._newest % SECONDS] += slips

    def per_second(self) -> float:
        """Return the average of the last seconds, including the current one."""
        self._clear_old_counts()
        return sum(self._counts) / SECONDS

    def _clear_old_counts(self) -> None:
        """Set the counters of elapsed seconds to zero."""
        now = int(self._clock())
        for second in range(max(self._newest + 1, now - SECONDS + 1), now + 1):
            self._counts[second % SECONDS] = 0
        self._newest = now
