"""How many slips come in, counted by the second: for the strip that says whether all is well."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

SECONDS = 10
"""Long enough that a figure can be read, short enough that it is of now."""


class Pulse:
    """Counts of the last seconds, in as many numbers as there are seconds, however many slips come."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._counts = [0] * SECONDS
        self._newest = int(clock())

    def count(self, slips: int) -> None:
        """So many have been stored now."""
        self._go_on()
        self._counts[self._newest % SECONDS] += slips

    def per_second(self) -> float:
        """How many a second in the last seconds, the present one included."""
        self._go_on()
        return sum(self._counts) / SECONDS

    def _go_on(self) -> None:
        """Forget the seconds that are too long ago."""
        now = int(self._clock())
        for second in range(max(self._newest + 1, now - SECONDS + 1), now + 1):
            self._counts[second % SECONDS] = 0
        self._newest = now
