"""Watches the computer's clock and this process: steps of the time of day, and pauses in which nothing ran here.

A running turn is counted by a clock that nobody can set (tournaments/now.py), so a step does it no harm; from the
next turn on the program goes by the new time. A pause (the laptop slept) is time that was lost.
"""

from __future__ import annotations

from datetime import datetime

from tournaments.now import Timeline

LARGEST_STEP_MS = 200
UNNOTICED_MS = 20
LONGEST_PAUSE_S = 5


class ClockGuard:
    """Compares the timeline of this process with the computer's clock, and with its own last look."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._known_ms = 0
        self._seen_us = timeline.steady_us()

    def step_ms(self) -> int | None:
        """By how many milliseconds the clock was set since the last look, forward is positive; mostly None."""
        off = self._timeline.off_ms()
        step, self._known_ms = off - self._known_ms, off
        return step if abs(step) > LARGEST_STEP_MS else None

    @property
    def is_off(self) -> bool:
        """Whether the computer's clock shows another time than this process."""
        return abs(self._timeline.off_ms()) > UNNOTICED_MS

    def follow_wall(self) -> None:
        """Go by the computer's clock from now on."""
        self._timeline.follow_wall()
        self._known_ms = 0

    def paused_at(self) -> datetime | None:
        """The last moment before this process stood still for long; None while it is looked at all the time."""
        before, self._seen_us = self._seen_us, self._timeline.steady_us()
        stood_still = self._seen_us - before > LONGEST_PAUSE_S * 1_000_000
        return self._timeline.at(before) if stood_still else None
