"""Monitor of the clock (steps of the time of day) and of pauses of this process.

A running turn uses a monotonic clock (tournaments/now.py), so steps do not change it; the next turn uses the new time.
A pause (the laptop slept) is lost time. The processes of a cluster compare themselves with the clock of the database.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime

from tournaments.database_clock import DatabaseClock
from tournaments.now import Timeline

logger = logging.getLogger(__name__)
LARGEST_STEP_MS = 200
ALARM_MS = 250
LARGEST_ERROR_MS = 500
"""Difference from the database's clock above which a process takes no slips."""
UNNOTICED_MS = 20
LONGEST_PAUSE_S = 5


class ClockMonitor:
    """Compares the timeline of this process with its clock and with its own last check.

    Its clock is that of the computer, or that of the database if there is one (`database_clock`).
    """

    def __init__(self, timeline: Timeline, database_clock: DatabaseClock | None = None) -> None:
        self._timeline = timeline
        self._database_clock = database_clock
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
        """Use the time of the clock from now on."""
        self._timeline.follow_wall()
        self._known_ms = 0

    def read_database_clock(self) -> None:
        """Read the clock of the database, if that is used; the first reading is followed. Makes a query."""
        clock = self._database_clock
        if clock is None:
            return
        was_known = clock.is_known
        clock.read()
        if not was_known:
            self._timeline.follow(clock)
            self._known_ms = 0
            if abs(clock.computer_off_ms()) > LARGEST_STEP_MS:
                logger.warning(
                    "the clock of this computer differs by %d ms from the database's, which is used",
                    clock.computer_off_ms(),
                )

    @property
    def error_ms(self) -> int:
        """Milliseconds by which the database's clock is ahead of this process; 0 with the computer's clock."""
        return 0 if self._database_clock is None else self._timeline.off_ms()

    @property
    def is_ready(self) -> bool:
        """True if slips can be judged by the time of this process."""
        is_known = self._database_clock is None or self._database_clock.is_known
        return is_known and abs(self.error_ms) <= LARGEST_ERROR_MS

    def has_database_step(self, errors_of_others: Iterable[int]) -> bool:
        """Return True if the clock of the database was set, as all other processes differ from it by the same time.

        Without other processes it cannot be told from a wrong time of this one. `errors_of_others`: milliseconds.
        """
        errors, is_known = list(errors_of_others), self._database_clock is not None and self._database_clock.is_known
        return is_known and bool(errors) and all(abs(error - self.error_ms) <= ALARM_MS for error in errors)

    def paused_at(self) -> datetime | None:
        """Return the last moment before a long pause of this process; None without one."""
        before, self._seen_us = self._seen_us, self._timeline.steady_us()
        stood_still = self._seen_us - before > LONGEST_PAUSE_S * 1_000_000
        return self._timeline.at(before) if stood_still else None
