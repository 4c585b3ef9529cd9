"""Clock of a turn: its state follows from stored times and the current time, which is passed in.

A slip is in time if it is received no later than `deadline + grace`; the end of a pause postpones the deadline. All
times are timezone-aware. `ClockError` is raised for an operation that the current phase does not allow. Repeating an
operation (a double click) has no effect and is not an error.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

ZERO = timedelta(0)
SMALLEST_STEP = timedelta(microseconds=1)


class ClockError(ValueError):
    """Operation that the phase of the clock does not allow. `act` and `phase` name them."""

    def __init__(self, act: str, at_phase: Phase) -> None:
        super().__init__(f"a clock that is {at_phase} cannot {act}")
        self.act = act
        self.phase = at_phase


class Phase(StrEnum):
    READY = "ready"
    RUNNING = "running"
    PAUSED = "paused"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Clock:
    """Clock of a room in one turn. `deadline` includes finished pauses and added time, but not the grace period."""

    started_at: datetime | None = None
    deadline: datetime | None = None
    paused_at: datetime | None = None
    closed_at: datetime | None = None
    grace_ms: int = 1000

    def __post_init__(self) -> None:
        for name in ("started_at", "deadline", "paused_at", "closed_at"):
            moment: datetime | None = getattr(self, name)
            if moment is not None:
                _require_time_zone(name, moment)
        if (self.started_at is None) != (self.deadline is None):
            raise ValueError("a clock has both a start and a deadline, or neither")

    @property
    def last_moment(self) -> datetime | None:
        """Last moment at which a slip is in time: deadline plus grace period."""
        return None if self.deadline is None else self.deadline + timedelta(milliseconds=self.grace_ms)

    @property
    def closes_at(self) -> datetime | None:
        """First moment at which the clock is closed; None if it has not started, is paused or was closed."""
        if self.last_moment is None or self.paused_at is not None or self.closed_at is not None:
            return None
        return self.last_moment + SMALLEST_STEP


def get_clock_phase(clock: Clock, now: datetime) -> Phase:
    """Return the phase at `now`. At exactly `deadline + grace` the clock still runs, and a slip is in time.

    A clock runs as soon as its start is known: the process that started it may be a moment ahead of this one.
    """
    _require_time_zone("now", now)
    if clock.closed_at is not None:
        return Phase.CLOSED
    if clock.last_moment is None:
        return Phase.READY
    if clock.paused_at is not None:
        return Phase.PAUSED
    return Phase.CLOSED if now > clock.last_moment else Phase.RUNNING


def remaining_time(clock: Clock, now: datetime) -> timedelta:
    """Return the time shown to the players: up to the deadline, without the grace period, at least zero.

    It is zero for a clock without a start, and the full time before the start.
    """
    _require_time_zone("now", now)
    if clock.deadline is None or clock.started_at is None or clock.closed_at is not None:
        return ZERO
    since = clock.paused_at or max(now, clock.started_at)
    return max(ZERO, clock.deadline - since)


def is_in_time(clock: Clock, received_at: datetime) -> bool:
    """Return True if a slip received at this moment counts. While the clock is paused, slips are in time."""
    _require_time_zone("received_at", received_at)
    if clock.started_at is None or clock.last_moment is None or received_at < clock.started_at:
        return False
    return clock.paused_at is not None or received_at <= clock.last_moment


def start(clock: Clock, now: datetime, length: timedelta) -> Clock:
    """Start the clock at `now` for `length`. A started clock does not change."""
    if clock.closed_at is not None:
        raise ClockError("start", Phase.CLOSED)
    if clock.started_at is not None:
        return clock
    if length <= ZERO:
        raise ValueError("a clock needs more than no time to run")
    return replace(clock, started_at=now, deadline=now + length)


def pause(clock: Clock, now: datetime) -> Clock:
    """Pause the clock at `now`.

    After a crash, pausing at the last moment at which the server was alive and resuming later restores the lost time.
    """
    before = get_clock_phase(clock, now)
    if before is Phase.PAUSED:
        return clock
    if before is not Phase.RUNNING:
        raise ClockError("pause", before)
    return replace(clock, paused_at=now)


def resume(clock: Clock, now: datetime) -> Clock:
    """Resume the clock: the deadline is postponed by the length of the pause, so the remaining time is unchanged."""
    before = get_clock_phase(clock, now)
    if before is Phase.RUNNING:
        return clock
    if clock.paused_at is None or clock.deadline is None or before is not Phase.PAUSED:
        raise ClockError("resume", before)
    halted = max(ZERO, now - clock.paused_at)
    return replace(clock, paused_at=None, deadline=clock.deadline + halted)


def add(clock: Clock, now: datetime, extra: timedelta) -> Clock:
    """Add `extra` time to a running or paused clock. Negative time ends it at `now` at the earliest."""
    before = get_clock_phase(clock, now)
    if clock.deadline is None or before not in (Phase.RUNNING, Phase.PAUSED):
        raise ClockError("take more time", before)
    earliest = min(clock.deadline, clock.paused_at or now)
    return replace(clock, deadline=max(earliest, clock.deadline + extra))


def close(clock: Clock, now: datetime) -> Clock:
    """Close the clock at `now`, early or because its time is over. A closed clock does not change.

    `deadline` becomes the effective one: `now` for an early close (slips in transit still have the grace period) and
    for a close in a pause, during which every slip is in time.
    """
    if clock.closed_at is not None:
        return clock
    before = get_clock_phase(clock, now)
    if clock.deadline is None or before is Phase.READY:
        raise ClockError("close", before)
    deadline = now if before is Phase.PAUSED else min(clock.deadline, now)
    return replace(clock, deadline=deadline, paused_at=None, closed_at=now)


def restore_lost_time(clock: Clock, away: timedelta) -> Clock:
    """Add the time that was lost while the server was down.

    A clock whose time ran out meanwhile is opened again; a paused clock lost no time and does not change.
    """
    if clock.deadline is None:
        raise ClockError("get time back", Phase.READY)
    if clock.paused_at is not None:
        return clock
    return replace(clock, deadline=clock.deadline + max(ZERO, away), closed_at=None)


def _require_time_zone(name: str, moment: datetime) -> None:
    if moment.utcoffset() is None:
        raise ValueError(f"{name} needs a time zone; the engine counts in UTC")
