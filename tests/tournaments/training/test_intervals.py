"""Intervals at which an exercise returns."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from tournaments.training.intervals import INTERVALS, Schedule, reschedule

TODAY = date(2026, 3, 6)
tries = st.lists(st.tuples(st.booleans(), st.integers(0, 40)), max_size=30)


def play(steps: list[tuple[bool, int]]) -> list[Schedule]:
    """Return the schedules after tries that find the top or not, each so many days after the one before."""
    schedules, today = [Schedule(TODAY)], TODAY
    for found, days in steps:
        today += timedelta(days=days)
        schedules.append(reschedule(schedules[-1], found=found, today=today))
    return schedules


def test_five_tops_in_time_solve_an_exercise_after_1_3_7_and_21_days() -> None:
    schedules = play([(True, days) for days in (0, *INTERVALS)])
    assert [each.interval_days for each in schedules] == [0, 1, 3, 7, 21, 21]
    assert [each.is_solved for each in schedules] == [False] * 5 + [True]
    assert schedules[4].due_on == TODAY + timedelta(days=1 + 3 + 7 + 21)


@given(tries)
def test_a_failed_try_starts_again_and_a_success_grows_the_interval_at_most_once_a_due_day(
    steps: list[tuple[bool, int]],
) -> None:
    schedules, today = play(steps), TODAY
    for (found, days), before, after in zip(steps, schedules, schedules[1:], strict=False):
        today += timedelta(days=days)
        assert after.interval_days in (0, *INTERVALS)
        if not found:
            assert after == Schedule(today + timedelta(days=INTERVALS[0]), INTERVALS[0])
        elif today < before.due_on or before.is_solved:
            assert after == before
        else:
            assert after.is_solved or after.interval_days > before.interval_days
            assert after.is_solved == (before.interval_days == INTERVALS[-1])
            assert after.is_solved or after.due_on == today + timedelta(days=after.interval_days)
