"""Slips per second, over the last ten seconds."""

from __future__ import annotations

from referee.live.slips.throughput import SECONDS, Throughput


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_what_came_in_the_last_seconds_is_counted_and_what_came_before_is_not() -> None:
    clock = Clock()
    pulse = Throughput(clock)
    assert pulse.per_second() == 0.0
    pulse.count(30)
    clock.now += 1
    pulse.count(20)
    assert pulse.per_second() == 50 / SECONDS
    clock.now += SECONDS - 1
    assert pulse.per_second() == 20 / SECONDS
    clock.now += 1
    assert pulse.per_second() == 0.0


def test_after_an_hour_of_silence_nothing_old_is_counted() -> None:
    clock = Clock()
    pulse = Throughput(clock)
    pulse.count(500)
    clock.now += 3600
    pulse.count(1)
    assert pulse.per_second() == 1 / SECONDS
