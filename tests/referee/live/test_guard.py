"""The computer's clock is watched against one that cannot be set."""

from __future__ import annotations

from referee.live.guard import ClockGuard


class Clocks:
    def __init__(self) -> None:
        self.wall_now, self.steady_now = 1_800_000_000.0, 50.0

    def wall(self) -> float:
        return self.wall_now

    def steady(self) -> float:
        return self.steady_now

    def pass_by(self, seconds: float, wall: float | None = None) -> None:
        self.steady_now += seconds
        self.wall_now += seconds if wall is None else wall


def test_while_both_clocks_agree_nothing_is_said() -> None:
    clocks = Clocks()
    guard = ClockGuard(clocks.wall, clocks.steady)
    for seconds in (1.0, 1.0, 30.0):
        clocks.pass_by(seconds)
        assert guard.step_ms() is None


def test_a_clock_that_is_set_is_noticed_once_with_its_sign() -> None:
    clocks = Clocks()
    guard = ClockGuard(clocks.wall, clocks.steady)
    clocks.pass_by(1.0, wall=-59.0)
    assert guard.step_ms() == -60_000
    clocks.pass_by(1.0)
    assert guard.step_ms() is None


def test_a_laptop_that_slept_shows_as_a_jump_forward() -> None:
    clocks = Clocks()
    guard = ClockGuard(clocks.wall, clocks.steady)
    clocks.pass_by(1.0, wall=301.0)
    assert guard.step_ms() == 300_000


def test_a_slow_correction_is_no_jump() -> None:
    clocks = Clocks()
    guard = ClockGuard(clocks.wall, clocks.steady)
    for _ in range(100):
        clocks.pass_by(1.0, wall=1.0005)
        assert guard.step_ms() is None
