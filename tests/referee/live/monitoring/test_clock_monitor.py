"""Clock steps and pauses are found by comparison with a monotonic clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from referee.live.monitoring.clock_monitor import ClockMonitor
from tournaments.now import Timeline, steady_ns

START = datetime(2027, 1, 15, 8, tzinfo=UTC)


class Clocks:
    def __init__(self) -> None:
        self.wall_s, self.steady_s = START.timestamp(), 50.0

    def wall(self) -> int:
        return round(self.wall_s * 1_000_000) * 1000

    def steady(self) -> int:
        return round(self.steady_s * 1_000_000) * 1000

    def pass_by(self, seconds: float, wall: float | None = None) -> None:
        self.steady_s += seconds
        self.wall_s += seconds if wall is None else wall


def watched() -> tuple[Clocks, Timeline, ClockMonitor]:
    clocks = Clocks()
    timeline = Timeline(clocks.wall, clocks.steady)
    return clocks, timeline, ClockMonitor(timeline)


def test_while_both_clocks_agree_nothing_is_said() -> None:
    clocks, timeline, guard = watched()
    for seconds in (1.0, 1.0, 30.0):
        clocks.pass_by(seconds)
        assert guard.step_ms() is None
    assert timeline.now() == START + timedelta(seconds=32)
    assert not guard.is_off


def test_a_clock_that_is_set_is_noticed_once_with_its_sign_and_moves_nothing() -> None:
    clocks, timeline, guard = watched()
    clocks.pass_by(1.0, wall=-59.0)
    assert guard.step_ms() == -60_000
    clocks.pass_by(1.0)
    assert guard.step_ms() is None
    assert guard.is_off
    assert timeline.now() == START + timedelta(seconds=2)


def test_between_turns_the_new_time_is_followed() -> None:
    clocks, timeline, guard = watched()
    clocks.pass_by(1.0, wall=301.0)
    assert guard.step_ms() == 300_000
    guard.follow_wall()
    assert timeline.now() == START + timedelta(seconds=301)
    assert not guard.is_off
    assert guard.step_ms() is None


def test_a_laptop_that_slept_was_away_and_its_clock_was_not_set() -> None:
    clocks, timeline, guard = watched()
    clocks.pass_by(1.0)
    assert guard.paused_at() is None
    clocks.pass_by(300.0)
    assert guard.step_ms() is None
    assert guard.paused_at() == START + timedelta(seconds=1)
    assert guard.paused_at() is None
    assert timeline.now() == START + timedelta(seconds=301)


def test_a_slow_correction_is_no_jump() -> None:
    clocks, _timeline, guard = watched()
    for _ in range(100):
        clocks.pass_by(1.0, wall=1.0005)
        assert guard.step_ms() is None


def test_a_process_goes_on_with_the_time_of_the_one_before_it() -> None:
    clocks, timeline, _guard = watched()
    clocks.pass_by(10.0, wall=-3590.0)
    successor = Timeline(clocks.wall, clocks.steady)
    assert successor.now() != timeline.now()
    successor.continue_from(timeline.at(timeline.steady_us()), timeline.steady_us())
    clocks.pass_by(5.0)
    assert successor.now() == timeline.now() == START + timedelta(seconds=15)
    assert ClockMonitor(successor).step_ms() == -3_600_000


def test_the_real_clocks_are_those_of_the_computer() -> None:
    assert abs((Timeline().now() - datetime.now(UTC)).total_seconds()) < 1
    assert steady_ns() <= steady_ns()
