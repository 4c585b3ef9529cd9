"""Watches the computer's clock: a deadline is a time of day, so a clock that jumps would cut or stretch a turn."""

from __future__ import annotations

import time
from collections.abc import Callable

LARGEST_STEP_S = 0.2


class ClockGuard:
    """Compares the time of day with a clock that only goes forward."""

    def __init__(self, wall: Callable[[], float] = time.time, steady: Callable[[], float] = time.monotonic) -> None:
        self._wall = wall
        self._steady = steady
        self._difference = wall() - steady()

    def step_ms(self) -> int | None:
        """By how many milliseconds the clock has jumped since the last look, forward is positive; mostly None.

        A laptop that slept shows as a jump forward. Slow corrections (slewing) never add up to a jump.
        """
        difference = self._wall() - self._steady()
        step, self._difference = difference - self._difference, difference
        return round(step * 1000) if abs(step) > LARGEST_STEP_S else None
