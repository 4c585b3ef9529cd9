"""Clock of the database in a cluster: which time counts, and when a process takes no slips."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from referee.live.monitoring.clock_monitor import ClockMonitor
from tournaments.database_clock import DatabaseClock
from tournaments.now import Timeline

START = datetime(2026, 5, 1, 20, 0, tzinfo=UTC)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass
class Clocks:
    """True time passes; the three clocks are off by so many seconds."""

    passed: float = 0.0
    trip: float = 0.002
    computer: float = 6.0
    database: float = 0.0
    steady: float = 0.0

    def wall_ns(self) -> int:
        return round(((START - EPOCH).total_seconds() + self.passed + self.computer) * 1e9)

    def steady_ns(self) -> int:
        return round((1000 + self.passed + self.steady) * 1e9)

    def moment(self) -> datetime:
        self.passed += self.trip / 2
        moment = START + timedelta(seconds=self.passed + self.database)
        self.passed += self.trip / 2
        return moment


def watched(clocks: Clocks) -> tuple[Timeline, ClockMonitor]:
    timeline = Timeline(clocks.wall_ns, clocks.steady_ns)
    return timeline, ClockMonitor(timeline, DatabaseClock(clocks.moment, clocks.steady_ns, clocks.wall_ns))


def test_a_computer_whose_clock_is_wrong_uses_the_time_of_the_database() -> None:
    clocks = Clocks()
    timeline, monitor = watched(clocks)
    assert not monitor.is_ready, "nothing is known before the first reading"
    monitor.read_database_clock()
    assert monitor.is_ready
    assert abs(timeline.now() - START - timedelta(seconds=clocks.passed)) < timedelta(milliseconds=1)
    clocks.computer -= 3600
    clocks.passed += 10
    monitor.read_database_clock()
    assert (monitor.step_ms(), monitor.error_ms) == (None, 0)


def test_a_process_whose_own_time_jumps_takes_no_slips_until_it_follows() -> None:
    clocks = Clocks()
    timeline, monitor = watched(clocks)
    monitor.read_database_clock()
    clocks.steady += 0.3
    clocks.computer += 0.3
    monitor.read_database_clock()
    assert (monitor.error_ms, monitor.is_ready) == (-300, True)
    clocks.steady += 5
    clocks.computer += 5
    monitor.read_database_clock()
    assert (monitor.error_ms, monitor.is_ready) == (-5300, False)
    monitor.follow_wall()
    assert (monitor.error_ms, monitor.is_ready) == (0, True)
    assert abs(timeline.now() - START - timedelta(seconds=clocks.passed)) < timedelta(milliseconds=1)


def test_a_clock_of_the_database_that_was_set_is_told_from_a_wrong_process_by_the_others() -> None:
    clocks = Clocks()
    _timeline, monitor = watched(clocks)
    assert not monitor.has_database_step([0, 0]), "nothing is known before the first reading"
    monitor.read_database_clock()
    clocks.database += 40
    monitor.read_database_clock()
    assert (monitor.error_ms, monitor.is_ready) == (40_000, False)
    assert monitor.has_database_step([40_003, 39_900])
    assert not monitor.has_database_step([40_003, 0]), "one process has another time"
    assert not monitor.has_database_step([]), "there is no other process"


def test_a_slow_answer_of_the_database_is_not_used() -> None:
    clocks = Clocks()
    _timeline, monitor = watched(clocks)
    monitor.read_database_clock()
    clocks.trip, clocks.database = 4.0, 1.0
    monitor.read_database_clock()
    assert monitor.error_ms == 0
