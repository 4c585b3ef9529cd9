"""Monitor of the computer's clock (steps of the time of day) and of pauses of this process.

A running turn uses a monotonic clock (tournaments/now.py), so steps do not change it; the next turn uses the new time.
A pause (the laptop slept) is lost time.
"""

from __future__ import annotations

from datetime import datetime

from tournaments.now import Timeline

LARGEST_STEP_MS = 200
UNNOTICED_MS = 20
LONGEST_PAUSE_S = 5


class ClockMonitor:
    """Compares the timeline of this process with the computer's clock and with its own last check."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._known_ms = 0
        self._seen_us = timeline.steady_us()

    def step_ms(self) -> int | None:
        """Return the step since the last check in milliseconds (forward is positive); None without one."""
        off = self._timeline.off_ms()
        step, self._known_ms = off - self._known_ms, off
        return step if abs(step) > LARGEST_STEP_MS else None

    @property
    def is_off(self) -> bool:
        """True if the computer's clock differs from the time of this process."""
        return abs(self._timeline.off_ms()) > UNNOTICED_MS

    def follow_wall(self) -> None:
        """Use the time of the computer's clock from now on."""
        self._timeline.follow_wall()
        self._known_ms = 0

    def paused_at(self) -> datetime | None:
        """Return the last moment before a long pause of this process; None without one."""
        before, self._seen_us = self._seen_us, self._timeline.steady_us()
        stood_still = self._seen_us - before > LONGEST_PAUSE_S * 1_000_000
        return self._timeline.at(before) if stood_still else None
