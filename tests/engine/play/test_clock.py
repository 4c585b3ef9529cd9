from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.play.clock import (
    Clock,
    ClockError,
    Phase,
    add,
    close,
    get_clock_phase,
    is_in_time,
    pause,
    remaining_time,
    restore_lost_time,
    resume,
    start,
)

NINE = datetime(2026, 1, 31, 21, 0, tzinfo=UTC)
THREE_MINUTES = timedelta(minutes=3)
STEP = timedelta(microseconds=1)


def seconds(number: float) -> timedelta:
    return timedelta(seconds=number)


def at(number: float) -> datetime:
    """Return the moment this many seconds after the start."""
    return NINE + seconds(number)


def running(grace_ms: int = 1000) -> Clock:
    return start(Clock(grace_ms=grace_ms), NINE, THREE_MINUTES)


def test_a_clock_that_was_not_started_is_ready_and_takes_no_slips() -> None:
    clock = Clock()
    assert get_clock_phase(clock, NINE) is Phase.READY
    assert remaining_time(clock, NINE) == seconds(0)
    assert not is_in_time(clock, NINE)


def test_a_started_clock_runs_down_to_its_deadline() -> None:
    clock = running()
    assert get_clock_phase(clock, NINE) is Phase.RUNNING
    assert remaining_time(clock, NINE) == THREE_MINUTES
    assert remaining_time(clock, at(150)) == seconds(30)


def test_a_clock_that_another_process_has_just_started_runs_here_with_its_full_time() -> None:
    """The clocks of processes differ by up to half a second."""
    clock = start(Clock(), at(0.4), THREE_MINUTES)
    assert get_clock_phase(clock, NINE) is Phase.RUNNING
    assert remaining_time(clock, NINE) == THREE_MINUTES


def test_the_grace_is_in_time_to_its_last_microsecond_but_never_shown() -> None:
    clock = running(grace_ms=1000)
    assert remaining_time(clock, at(180)) == remaining_time(clock, at(180.5)) == seconds(0)
    assert is_in_time(clock, at(181))
    assert get_clock_phase(clock, at(181)) is Phase.RUNNING
    assert not is_in_time(clock, at(181) + STEP)
    assert get_clock_phase(clock, at(181) + STEP) is Phase.CLOSED
    assert clock.closes_at == at(181) + STEP


def test_a_slip_from_before_the_start_is_not_in_time() -> None:
    assert not is_in_time(running(), NINE - STEP)
    assert is_in_time(running(), NINE)


def test_a_paused_clock_stands_still_and_takes_slips() -> None:
    clock = pause(running(), at(60))
    assert get_clock_phase(clock, at(10_000)) is Phase.PAUSED
    assert remaining_time(clock, at(10_000)) == seconds(120)
    assert is_in_time(clock, at(10_000))
    assert clock.closes_at is None


def test_a_pause_moves_the_deadline_on_when_it_ends() -> None:
    clock = resume(pause(running(), at(60)), at(100))
    assert clock.deadline == at(220)
    assert remaining_time(clock, at(100)) == seconds(120)


def test_added_time_counts_running_and_paused() -> None:
    assert remaining_time(add(running(), at(60), seconds(30)), at(60)) == seconds(150)
    paused = add(pause(running(), at(60)), at(90), seconds(30))
    assert remaining_time(paused, at(90)) == seconds(150)


def test_time_added_in_the_grace_opens_the_clock_again() -> None:
    clock = add(running(), at(180.5), seconds(30))
    assert remaining_time(clock, at(180.5)) == seconds(29.5)


def test_time_taken_away_never_makes_a_slip_late_that_was_in_time() -> None:
    clock = add(running(), at(170), seconds(-60))
    assert remaining_time(clock, at(170)) == seconds(0)
    assert is_in_time(clock, at(170))


def test_an_early_close_sets_the_deadline_and_leaves_the_grace_to_slips_under_way() -> None:
    clock = close(running(), at(100))
    assert get_clock_phase(clock, at(100)) is Phase.CLOSED
    assert clock.deadline == clock.closed_at == at(100)
    assert is_in_time(clock, at(101))
    assert not is_in_time(clock, at(101) + STEP)
    assert remaining_time(clock, at(100)) == seconds(0)


def test_a_close_at_the_end_keeps_the_deadline() -> None:
    clock = close(running(), at(182))
    assert clock.deadline == at(180)
    assert clock.closed_at == at(182)


def test_a_close_in_a_pause_counts_every_slip_of_the_pause() -> None:
    clock = close(pause(running(), at(60)), at(500))
    assert get_clock_phase(clock, at(500)) is Phase.CLOSED
    assert is_in_time(clock, at(499))
    assert clock.deadline == at(500)


def test_time_is_given_back_after_the_server_was_away() -> None:
    clock = restore_lost_time(running(), seconds(34))
    assert clock.deadline == at(214)


def test_a_clock_that_ran_out_while_the_server_was_away_opens_again() -> None:
    clock = restore_lost_time(close(running(), at(200)), seconds(60))
    assert get_clock_phase(clock, at(200)) is Phase.RUNNING
    assert remaining_time(clock, at(200)) == seconds(40)


def test_a_paused_clock_lost_nothing_while_the_server_was_away() -> None:
    clock = pause(running(), at(60))
    assert restore_lost_time(clock, seconds(34)) == clock


def test_pausing_at_the_last_sign_of_life_gives_exactly_the_lost_time_back() -> None:
    clock = resume(pause(running(), at(60)), at(74))
    assert remaining_time(clock, at(74)) == remaining_time(running(), at(60))


def test_doing_a_thing_twice_changes_nothing() -> None:
    clock = running()
    paused = pause(clock, at(10))
    closed = close(clock, at(10))
    assert start(clock, at(5), THREE_MINUTES) == clock
    assert pause(paused, at(20)) == paused
    assert resume(clock, at(20)) == clock
    assert close(closed, at(20)) == closed


def test_what_a_phase_does_not_allow_is_refused_with_its_name() -> None:
    ready, over = Clock(), running()
    for act in (pause, resume, close):
        with pytest.raises(ClockError, match="a clock that is ready cannot"):
            act(ready, NINE)
    for act in (pause, resume):
        with pytest.raises(ClockError, match="a clock that is closed cannot"):
            act(over, at(200))
    with pytest.raises(ClockError, match="a clock that is closed cannot take more time"):
        add(over, at(200), seconds(30))
    with pytest.raises(ClockError, match="a clock that is closed cannot start"):
        start(close(over, at(10)), at(20), THREE_MINUTES)
    with pytest.raises(ClockError, match="a clock that is ready cannot get time back"):
        restore_lost_time(ready, seconds(10))


def test_a_clock_needs_time_to_run_and_a_start_with_its_deadline() -> None:
    with pytest.raises(ValueError, match="more than no time"):
        start(Clock(), NINE, seconds(0))
    with pytest.raises(ValueError, match="both a start and a deadline"):
        Clock(started_at=NINE)


def test_times_without_a_zone_are_refused_everywhere() -> None:
    naive = NINE.replace(tzinfo=None)
    for ask in (get_clock_phase, remaining_time, is_in_time):
        with pytest.raises(ValueError, match="needs a time zone"):
            ask(running(), naive)
    with pytest.raises(ValueError, match="needs a time zone"):
        Clock(started_at=naive, deadline=NINE)


def test_any_zone_will_do() -> None:
    rome = timezone(timedelta(hours=1))
    assert remaining_time(running(), at(150).astimezone(rome)) == seconds(30)


moments = st.integers(min_value=0, max_value=181_000_000).map(lambda micros: NINE + timedelta(microseconds=micros))
lengths = st.integers(min_value=0, max_value=10**10).map(lambda micros: timedelta(microseconds=micros))


@given(moments, lengths)
def test_a_pause_keeps_the_remaining_time(halt: datetime, length: timedelta) -> None:
    clock = running()
    paused = pause(clock, halt)
    going_on = resume(paused, halt + length)
    assert remaining_time(paused, halt + length) == remaining_time(clock, halt)
    assert remaining_time(going_on, halt + length) == remaining_time(clock, halt)


@given(moments, lengths)
def test_given_back_time_is_what_a_pause_would_have_saved(halt: datetime, away: timedelta) -> None:
    assert restore_lost_time(running(), away) == resume(pause(running(), halt), halt + away)


acts = st.lists(
    st.tuples(
        st.sampled_from(["pause", "resume", "add", "take", "close", "give_back", "slip"]),
        st.integers(min_value=0, max_value=90_000),
    ),
    max_size=12,
)


def perform(name: str, clock: Clock, now: datetime) -> Clock:
    if name == "pause":
        return pause(clock, now)
    if name == "resume":
        return resume(clock, now)
    if name in ("add", "take"):
        return add(clock, now, seconds(30 if name == "add" else -30))
    return close(clock, now) if name == "close" else restore_lost_time(clock, seconds(14))


@given(acts)
def test_whatever_is_done_the_time_is_never_negative_and_a_slip_in_time_stays_in_time(
    planned: Sequence[tuple[str, int]],
) -> None:
    clock, now = running(), NINE
    received: list[datetime] = []
    for name, milliseconds in planned:
        now += timedelta(milliseconds=milliseconds)
        if name == "slip":
            received += [now] if is_in_time(clock, now) else []
        else:
            try:
                clock = perform(name, clock, now)
            except ClockError:
                continue
        assert remaining_time(clock, now) >= seconds(0)
        assert all(is_in_time(clock, moment) for moment in received)


@given(acts, moments)
def test_a_clock_is_closed_exactly_when_slips_are_late(planned: Sequence[tuple[str, int]], now: datetime) -> None:
    clock, moment = running(), NINE
    for name, milliseconds in planned:
        moment += timedelta(milliseconds=milliseconds)
        try:
            clock = perform(name, clock, moment) if name not in ("slip", "close", "give_back") else clock
        except ClockError:
            continue
    assert is_in_time(clock, now) == (get_clock_phase(clock, now) is not Phase.CLOSED)
