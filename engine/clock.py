"""The arithmetic of a turn's clock: nothing ticks, what it shows follows from stored times and a `now` handed in.

A slip is in time when it is received no later than `deadline + grace`; a pause moves the deadline on when it ends.
All times are aware; `ClockError` says what cannot be done in the phase the clock is in. Doing the same thing twice
(a double click) changes nothing and is no error.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

NOTHING = timedelta(0)
SMALLEST_STEP = timedelta(microseconds=1)


class ClockError(ValueError):
    """An act that the clock's phase does not allow. `act` and `phase` name them."""

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
    """A room's clock in one turn. `deadline` counts with pauses that are over and added time, without the grace."""

    started_at: datetime | None = None
    deadline: datetime | None = None
    paused_at: datetime | None = None
    closed_at: datetime | None = None
    grace_ms: int = 1000

    def __post_init__(self) -> None:
        for name in ("started_at", "deadline", "paused_at", "closed_at"):
            moment: datetime | None = getattr(self, name)
            if moment is not None:
                _demand_zone(name, moment)
        if (self.started_at is None) != (self.deadline is None):
            raise ValueError("a clock has both a start and a deadline, or neither")

    @property
    def last_moment(self) -> datetime | None:
        """The last moment at which a slip is in time, if nothing changes: the deadline and the grace."""
        return None if self.deadline is None else self.deadline + timedelta(milliseconds=self.grace_ms)

    @property
    def closes_at(self) -> datetime | None:
        """The first moment at which a running clock is closed; None when it is not running towards its end."""
        if self.last_moment is None or self.paused_at is not None or self.closed_at is not None:
            return None
        return self.last_moment + SMALLEST_STEP


def phase(clock: Clock, now: datetime) -> Phase:
    """What the clock is at `now`. At `deadline + grace` exactly it still runs: a slip of that moment is in time."""
    _demand_zone("now", now)
    if clock.closed_at is not None:
        return Phase.CLOSED
    if clock.started_at is None or clock.last_moment is None or now < clock.started_at:
        return Phase.READY
    if clock.paused_at is not None:
        return Phase.PAUSED
    return Phase.CLOSED if now > clock.last_moment else Phase.RUNNING


def remaining(clock: Clock, now: datetime) -> timedelta:
    """The time that players are shown: up to the deadline, the grace never counted, never below zero.

    A clock without a start has none; one that starts later shows its full time until then.
    """
    _demand_zone("now", now)
    if clock.deadline is None or clock.started_at is None or clock.closed_at is not None:
        return NOTHING
    since = clock.paused_at or max(now, clock.started_at)
    return max(NOTHING, clock.deadline - since)


def in_time(clock: Clock, received_at: datetime) -> bool:
    """Whether a slip received at this moment counts. While the clock is paused, slips are in time."""
    _demand_zone("received_at", received_at)
    if clock.started_at is None or clock.last_moment is None or received_at < clock.started_at:
        return False
    return clock.paused_at is not None or received_at <= clock.last_moment


def start(clock: Clock, now: datetime, length: timedelta) -> Clock:
    """The clock that starts at `now` and runs for `length`; `now` may lie ahead. A started clock stays as it is."""
    if clock.closed_at is not None:
        raise ClockError("start", Phase.CLOSED)
    if clock.started_at is not None:
        return clock
    if length <= NOTHING:
        raise ValueError("a clock needs more than no time to run")
    return replace(clock, started_at=now, deadline=now + length)


def pause(clock: Clock, now: datetime) -> Clock:
    """The clock halted at `now`.

    After a crash, pausing at the last moment known to be alive and resuming later gives exactly the lost time back.
    """
    before = phase(clock, now)
    if before is Phase.PAUSED:
        return clock
    if before is not Phase.RUNNING:
        raise ClockError("pause", before)
    return replace(clock, paused_at=now)


def resume(clock: Clock, now: datetime) -> Clock:
    """The clock going on: the deadline moves on by the length of the pause, so the remaining time is what it was."""
    before = phase(clock, now)
    if before is Phase.RUNNING:
        return clock
    if clock.paused_at is None or clock.deadline is None or before is not Phase.PAUSED:
        raise ClockError("resume", before)
    halted = max(NOTHING, now - clock.paused_at)
    return replace(clock, paused_at=None, deadline=clock.deadline + halted)


def add(clock: Clock, now: datetime, extra: timedelta) -> Clock:
    """The clock with `extra` time, running or paused. Time taken away (negative) ends it at `now` at the earliest."""
    before = phase(clock, now)
    if clock.deadline is None or before not in (Phase.RUNNING, Phase.PAUSED):
        raise ClockError("take more time", before)
    earliest = min(clock.deadline, clock.paused_at or now)
    return replace(clock, deadline=max(earliest, clock.deadline + extra))


def close(clock: Clock, now: datetime) -> Clock:
    """The clock closed at `now`, early or because its time is over. A closed clock stays as it is.

    `deadline` becomes the one that counted: `now` for an early close (slips under way still have the grace), and
    for a close in a pause, during which every slip was in time.
    """
    if clock.closed_at is not None:
        return clock
    before = phase(clock, now)
    if clock.deadline is None or before is Phase.READY:
        raise ClockError("close", before)
    deadline = now if before is Phase.PAUSED else min(clock.deadline, now)
    return replace(clock, deadline=deadline, paused_at=None, closed_at=now)


def give_back(clock: Clock, away: timedelta) -> Clock:
    """The clock with the time that was lost while the server was away.

    A clock whose time ran out meanwhile opens again; a paused one lost nothing and stays as it is.
    """
    if clock.deadline is None:
        raise ClockError("get time back", Phase.READY)
    if clock.paused_at is not None:
        return clock
    return replace(clock, deadline=clock.deadline + max(NOTHING, away), closed_at=None)


def _demand_zone(name: str, moment: datetime) -> None:
    if moment.utcoffset() is None:
        raise ValueError(f"{name} needs a time zone; the engine counts in UTC")
