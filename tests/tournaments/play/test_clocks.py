"""The clock of a turn: what the judge does to it, when it closes by itself, and what that does to slips."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from tests.tournaments.club_game import ClubGame, close_due, create_club_game
from tournaments.backups.services import heartbeats
from tournaments.enums import ClockState, GameState
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.services import rooms
from tournaments.models import LedgerEntry, Slip, TurnClock, Verdict
from tournaments.play.queries.phases import Phase, phase_of
from tournaments.play.services import clocks, placement


@pytest.fixture
def running(club_game: ClubGame) -> ClubGame:
    club_game.begin_turn("ACEIRST")
    return club_game


def phase(club_game: ClubGame) -> Phase:
    return phase_of(club_game.refresh(), club_game.room, club_game.now)


def test_announcing_starts_three_minutes_and_the_game(running: ClubGame) -> None:
    clock = running.clock
    assert (clock.state, clock.started_at, clock.deadline) == (
        ClockState.OPEN,
        running.now,
        running.now + timedelta(seconds=180),
    )
    assert running.refresh().state == GameState.RUNNING
    assert phase(running) == "running"


def test_a_rack_is_announced_once(running: ClubGame) -> None:
    before = running.clock.deadline
    with pytest.raises(AlreadyDone, match="announced already"):
        running.announce()
    assert running.clock.deadline == before
    assert LedgerEntry.objects.filter(kind="announce").count() == 1


def test_a_pause_moves_the_deadline_by_its_length(running: ClubGame) -> None:
    before = running.clock.deadline
    assert before is not None
    clocks.pause_clock(turn=running.turn, room=running.room, now=running.later(10), by=running.judge)
    assert phase(running) == "paused"
    with pytest.raises(AlreadyDone):
        clocks.pause_clock(turn=running.turn, room=running.room, now=running.later(), by=running.judge)
    clocks.resume_clock(turn=running.turn, room=running.room, now=running.later(59), by=running.judge)
    with pytest.raises(AlreadyDone):
        clocks.resume_clock(turn=running.turn, room=running.room, now=running.later(), by=running.judge)
    assert running.clock.deadline == before + timedelta(seconds=60)


def test_what_comes_in_a_pause_is_in_time(running: ClubGame) -> None:
    clocks.pause_clock(turn=running.turn, room=running.room, now=running.later(), by=running.judge)
    assert running.phone(1, "CARTE", "8H", 18, after=1000).in_time is True
    running.close()
    assert running.verdict(1).points == 18


def test_time_is_added_and_taken_away(running: ClubGame) -> None:
    before = running.clock.deadline
    assert before is not None
    for seconds in (30, 30, -20):
        clocks.add_time(turn=running.turn, room=running.room, seconds=seconds, now=running.later(), by=running.judge)
    assert running.clock.deadline == before + timedelta(seconds=40)


def test_a_double_click_on_more_time_adds_it_once(running: ClubGame) -> None:
    seen = running.clock.deadline
    assert seen is not None

    def click() -> None:
        clocks.add_time(
            turn=running.turn,
            room=running.room,
            seconds=30,
            now=running.later(),
            by=running.judge,
            seen_deadline=seen,
        )

    click()
    with pytest.raises(AlreadyDone):
        click()
    assert running.clock.deadline == seen + timedelta(seconds=30)


@pytest.mark.parametrize("seconds", [0, 3601, -3601])
def test_an_odd_amount_of_time_is_refused(running: ClubGame, seconds: int) -> None:
    with pytest.raises(Refused, match="between 1 second and 1 hour"):
        clocks.add_time(turn=running.turn, room=running.room, seconds=seconds, now=running.later(), by=running.judge)


def test_a_clock_that_is_due_is_closed_once_and_everything_is_judged(running: ClubGame) -> None:
    running.phone(1, "CARTE", "8H", 18)
    deadline = running.clock.deadline
    assert deadline is not None
    last = deadline + timedelta(seconds=1)
    assert close_due(last) == []
    [closed] = close_due(last + timedelta(microseconds=1))
    assert closed == running.clock
    assert close_due(last + timedelta(seconds=5)) == []
    assert (running.clock.state, running.clock.deadline) == (ClockState.CLOSED, deadline)
    assert LedgerEntry.objects.filter(kind="close").count() == 1
    assert running.verdict(1).points == 18


def test_a_clock_that_somebody_prolonged_meanwhile_is_not_closed(running: ClubGame) -> None:
    deadline = running.clock.deadline
    assert deadline is not None
    clocks.add_time(turn=running.turn, room=running.room, seconds=30, now=deadline, by=running.judge)
    assert close_due(deadline + timedelta(seconds=2)) == []


def test_a_paused_clock_is_never_due(running: ClubGame) -> None:
    clocks.pause_clock(turn=running.turn, room=running.room, now=running.later(), by=running.judge)
    assert close_due(running.later(100_000)) == []


def test_closing_early_ends_the_turn_at_that_moment(running: ClubGame) -> None:
    running.close()
    assert (running.clock.deadline, running.clock.closed_at) == (running.now, running.now)
    with pytest.raises(AlreadyDone):
        running.close()
    assert phase(running) == "closed"


def test_a_slip_that_became_late_by_an_early_close_is_late(running: ClubGame) -> None:
    receipt = running.phone(1, "CARTE", "8H", 18, after=10)
    assert receipt.in_time
    clocks.close_clock(
        turn=running.turn, room=running.room, now=receipt.received_at - timedelta(seconds=2), by=running.judge
    )
    assert Slip.objects.get().in_time is False


@pytest.mark.parametrize("act", [clocks.pause_clock, clocks.resume_clock, clocks.close_clock])
def test_a_clock_that_was_not_announced_cannot_be_touched(club_game: ClubGame, act: object) -> None:
    club_game.draw()
    assert callable(act)
    with pytest.raises(Refused, match="announce it first"):
        act(turn=club_game.turn, room=club_game.room, now=club_game.later(), by=club_game.judge)


def test_the_clock_of_a_placed_turn_cannot_be_touched(running: ClubGame) -> None:
    running.close()
    running.place()
    with pytest.raises(Refused, match="on the board already"):
        clocks.give_time_back(turn=running.turn, room=running.room, seconds=30, now=running.later(), by=running.judge)


def test_each_room_has_a_clock_of_its_own(judge: User) -> None:
    club_game = create_club_game(judge)
    second = rooms.add_room(event=club_game.event, name="Upstairs", offset_s=None, by=judge, now=club_game.later())
    club_game.begin_turn()
    assert phase_of(club_game.refresh(), second, club_game.now) == "lobby"
    clocks.announce_turn(turn=club_game.turn, room=second, now=club_game.later(60), by=judge)
    club_game.close()
    assert phase_of(club_game.refresh(), second, club_game.now) == "running"
    club_game.place()
    assert phase_of(club_game.refresh(), second, club_game.now) == "running"
    clocks.close_clock(turn=club_game.turn, room=second, now=club_game.later(), by=judge)
    assert phase_of(club_game.refresh(), second, club_game.now) == "closed"


def test_time_given_back_lets_a_closed_clock_run_again_and_counts_what_came_in(running: ClubGame) -> None:
    deadline = running.clock.deadline
    assert deadline is not None
    running.phone(1, "CARTE", "8H", 18, after=(deadline - running.now).total_seconds() + 10)
    close_due(running.now)
    assert running.verdict(1).reason == "late"
    clocks.give_time_back(turn=running.turn, room=running.room, seconds=60, now=running.later(), by=running.judge)
    assert phase(running) == "running"
    assert not Verdict.objects.exists()
    close_due(running.later(300))
    assert running.verdict(1).points == 18


class TestAfterACrash:
    """The heartbeat says how long the server was away; the judge decides what to do about it."""

    def crash(self, club_game: ClubGame, seconds: float) -> int | None:
        heartbeats.record_heartbeat(now=club_game.now)
        return heartbeats.record_start(now=club_game.later(seconds))

    def test_the_first_start_was_never_away(self, db: None) -> None:
        from tests.tournaments.club_game import START_TIME

        assert heartbeats.record_start(now=START_TIME) is None

    def test_nobody_is_asked_when_no_clock_was_running(self, club_game: ClubGame) -> None:
        assert self.crash(club_game, 1000) is None
        club_game.draw()
        assert self.crash(club_game, 1000) is None
        assert heartbeats.settle_lost_time(give_back=True, now=club_game.later(), by=club_game.judge) == []

    def test_a_running_clock_gets_the_time_and_twenty_seconds_more(self, running: ClubGame) -> None:
        before = running.clock.deadline
        assert before is not None
        assert self.crash(running, 14) == 14
        [changed] = heartbeats.settle_lost_time(give_back=True, now=running.later(5), by=running.judge)
        assert changed == running.clock
        assert running.clock.deadline == before + timedelta(seconds=34)

    def test_a_clock_that_ran_out_opens_with_what_it_had_left(self, running: ClubGame) -> None:
        before = running.clock.deadline
        assert before is not None
        left = before - running.now
        assert self.crash(running, 7200) == 7200
        close_due(running.now)
        running.later(15)
        heartbeats.settle_lost_time(give_back=True, now=running.now, by=running.judge)
        assert running.clock.deadline == running.now + left + timedelta(seconds=20)
        assert phase(running) == "running"

    def test_the_judge_may_go_on_and_is_asked_once(self, running: ClubGame) -> None:
        before = running.clock.deadline
        self.crash(running, 14)
        assert heartbeats.settle_lost_time(give_back=False, now=running.later(), by=running.judge) == []
        assert heartbeats.settle_lost_time(give_back=True, now=running.later(), by=running.judge) == []
        assert running.clock.deadline == before

    def test_a_second_crash_before_the_answer_adds_up(self, running: ClubGame) -> None:
        self.crash(running, 14)
        assert self.crash(running, 10) == 24

    def test_a_turn_placed_before_the_answer_is_left_alone(self, running: ClubGame) -> None:
        self.crash(running, 14)
        running.close()
        placement.place_move(turn=running.turn, now=running.later(), by=running.judge)
        assert heartbeats.settle_lost_time(give_back=True, now=running.later(), by=running.judge) == []
        assert TurnClock.objects.get().state == ClockState.CLOSED
