"""Growing intervals at which an exercise returns, as a pure computation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

INTERVALS = (1, 3, 7, 21)
"""Days, from the shortest to the longest."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """The day on which an exercise is due, and the interval that led to it (0 for a new one)."""

    due_on: date
    interval_days: int = 0
    is_solved: bool = False


def reschedule(schedule: Schedule, *, found: bool, today: date, intervals: Sequence[int] = INTERVALS) -> Schedule:
    """Return the schedule after a try.

    A failed try starts again with the shortest interval. With each success on the due day or later the interval
    grows; after the longest one the exercise is solved. A success before the due day, or of a solved exercise, changes
    nothing.
    """
    if not found:
        return Schedule(today + timedelta(days=intervals[0]), intervals[0])
    if schedule.is_solved or today < schedule.due_on:
        return schedule
    following = next((days for days in intervals if days > schedule.interval_days), None)
    if following is None:
        return Schedule(schedule.due_on, schedule.interval_days, is_solved=True)
    return Schedule(today + timedelta(days=following), following)
