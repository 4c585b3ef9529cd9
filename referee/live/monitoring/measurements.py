"""Durations and counts of this process, measured where they occur and shown by `/metrics`.

Written in the event loop only, except for the counts of log messages.
"""

from __future__ import annotations

import logging
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

BOUNDS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Durations:
    """Numbers of durations by upper bound in seconds, as a Prometheus histogram has them."""

    def __init__(self) -> None:
        self._counts = [0] * (len(BOUNDS_S) + 1)
        self.total_s = 0.0

    def add(self, seconds: float) -> None:
        """Count a duration."""
        self._counts[bisect_left(BOUNDS_S, seconds)] += 1
        self.total_s += seconds

    def buckets(self) -> Sequence[tuple[str, float]]:
        """Return each upper bound with the number of durations up to it."""
        bounds, summed = [*map(str, BOUNDS_S), "+Inf"], 0
        found = []
        for bound, count in zip(bounds, self._counts, strict=True):
            summed += count
            found.append((bound, float(summed)))
        return found


class Measurements:
    """All measurements of this process. Counts start at 0: Prometheus sees no increase in a series that begins at 1."""

    def __init__(self) -> None:
        self.slip_acks, self.closings, self.requests = Durations(), Durations(), Durations()
        self.slips = Counter({"stored": 0, "not_stored": 0})
        self.statuses = Counter({"2xx": 0, "3xx": 0, "4xx": 0, "5xx": 0})
        self.log_messages = Counter({"warning": 0, "error": 0, "critical": 0})


measurements = Measurements()


class LogCounter(logging.Handler):
    """Log handler that counts warnings and errors by level."""

    def emit(self, record: logging.LogRecord) -> None:
        """Count the message; called under the lock of the handler."""
        measurements.log_messages[record.levelname.lower()] += 1
