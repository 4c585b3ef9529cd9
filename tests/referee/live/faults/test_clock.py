"""The computer's clock is changed during a turn, by the network or by a person, and the laptop sleeps."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection

from referee.live.monitoring.clock_monitor import LONGEST_PAUSE_S
from tests.examples import representative
from tests.referee.live.desk_client import DeskClient
from tests.referee.live.live_game import install_words, make_live_game, slip
from tests.referee.live.live_server import ServerProcess, SocketClient
from tests.waiting import until
from tournaments.models import Heartbeat, Slip, TurnClock
from tournaments.now import utc_now

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.endurance]
HOUR = 3600
CLOCK_S = 0.5
"""Error of a measured clock."""


class Hall:
    """A server whose clock the test sets, a judge's desk, and phones."""

    def __init__(self, folder: Path) -> None:
        install_words(folder / "lexicons")
        self._clock = folder / "clock"
        database = str(connection.settings_dict["NAME"])
        self.served = ServerProcess(data=folder, database=database, SERVED_CLOCK=str(self._clock))

    def open(self) -> None:
        """Begin an evening."""
        self.served.ready()
        self.live_game = make_live_game()
        self.desk = DeskClient(self.served, self.live_game.event.code, self.live_game.desk_cookie())
        self.watch = self.served.socket(f"/ws/desk/{self.live_game.event.code}/", self.desk.session)

    def set_clock(self, seconds: int) -> None:
        self._clock.write_text(str(seconds))

    def phone(self, table: int) -> SocketClient:
        return self.served.phone(self.live_game.cookie(table))

    def is_ahead(self, line: SocketClient, seconds: int) -> bool:
        """True if the server is ahead of the real time by so many seconds, as a phone measures it."""
        asked = time.time()
        line.send({"t": "ping", "c": 1})
        now = float(line.until("pong")["now"]) / 1000 - seconds
        return asked - CLOCK_S <= now <= time.time() + CLOCK_S

    def end_turn_soon(self) -> None:
        """Let the running clock end in a second of the real time."""
        TurnClock.objects.update(deadline=utc_now() + timedelta(seconds=1))


@pytest.fixture
def hall(transactional_db: None) -> Iterator[Hall]:
    with tempfile.TemporaryDirectory(prefix="multiplo-served-") as folder:
        hall = Hall(Path(folder))
        try:
            hall.open()
            yield hall
            hall.watch.close()
        finally:
            hall.served.stop(signal.SIGKILL)


@pytest.mark.parametrize("seconds", representative([-HOUR, HOUR]))
def test_a_clock_that_is_set_in_mid_turn_neither_shortens_nor_stretches_it(
    hall: Hall, lines: list[SocketClient], seconds: int
) -> None:
    lines += [hall.phone(1), hall.phone(2)]
    hall.live_game.draw("CORNOAT")
    hall.live_game.announce()
    lines[0].phase("running")
    hall.set_clock(seconds)
    told = hall.watch.alarm("clock_step")
    assert told == "The clock of this computer was changed by 3600 seconds. " + (
        "The turn keeps its time; the new time counts from the next turn on."
    )
    time.sleep(1.0)
    assert hall.is_ahead(lines[0], 0)
    assert lines[0].hand_in(slip(1))["in_time"] is True
    hall.end_turn_soon()
    lines[0].phase("closed")
    assert lines[1].hand_in(slip(1))["in_time"] is False
    clock = hall.live_game.clock
    assert clock.closed_at is not None
    assert clock.deadline is not None
    assert timedelta(0) < clock.closed_at - clock.deadline < timedelta(minutes=1)


def test_between_turns_the_new_time_is_taken_and_the_next_turn_runs_by_it(
    hall: Hall, lines: list[SocketClient]
) -> None:
    lines.append(hall.phone(1))
    hall.live_game.draw("CORNOAT")
    hall.live_game.announce()
    lines[0].phase("running")
    hall.set_clock(HOUR)
    hall.watch.alarm("clock_step")
    assert hall.is_ahead(lines[0], 0)
    for action in ("close", "place"):
        assert hall.desk.act(action).status == 200

    def is_new_time() -> bool:
        time.sleep(0.1)  # a phone may send ten messages a second
        return hall.is_ahead(lines[0], HOUR)

    until(is_new_time, "the new time")
    assert hall.desk.act("type-rack", rack="TREMARE").status == 200
    assert hall.desk.act("announce").status == 200
    lines[0].phase("running")
    assert lines[0].hand_in(slip(2, word="MARE"))["in_time"] is True
    lines[0].drain(1.5)
    assert hall.live_game.clock.state == "open"


def test_set_between_turns_it_is_told_and_taken_at_once(hall: Hall, lines: list[SocketClient]) -> None:
    lines.append(hall.phone(1))
    hall.set_clock(HOUR)
    told = hall.watch.alarm("clock_step")
    assert told.endswith("No turn is under way, so the new time counts from now on.")
    assert hall.is_ahead(lines[0], HOUR)


@pytest.mark.parametrize("seconds", representative([HOUR, -HOUR]))
def test_a_server_that_is_killed_after_that_goes_on_with_the_time_of_the_turn(
    hall: Hall, lines: list[SocketClient], seconds: int
) -> None:
    lines.append(hall.phone(1))
    hall.live_game.draw("CORNOAT")
    hall.live_game.announce()
    lines[0].phase("running")
    hall.set_clock(seconds)
    hall.watch.alarm("clock_step")
    beat = Heartbeat.objects.get().at
    until(lambda: Heartbeat.objects.get().at != beat, "a beat of the heart")
    hall.served.stop(signal.SIGKILL)
    hall.served.again()
    lines.append(hall.phone(1))
    lines[-1].phase("running")
    assert hall.is_ahead(lines[-1], 0)
    assert lines[-1].hand_in(slip(1))["in_time"] is True
    hall.end_turn_soon()
    lines[-1].phase("closed")


def test_a_laptop_that_slept_was_away_and_the_judge_may_give_the_time_back(
    hall: Hall, lines: list[SocketClient]
) -> None:
    lines += [hall.phone(1), hall.phone(2)]
    hall.live_game.draw("CORNOAT")
    hall.live_game.announce(4)
    assert lines[0].hand_in(slip(1))["in_time"] is True
    os.kill(hall.served.process.pid, signal.SIGSTOP)
    try:
        time.sleep(LONGEST_PAUSE_S + 1.5)
    finally:
        os.kill(hall.served.process.pid, signal.SIGCONT)
    lines[1].phase("closed")
    until(lambda: Heartbeat.objects.get().away_s is not None, "that the program was away")
    away_s = Heartbeat.objects.get().away_s
    assert away_s is not None
    assert away_s >= LONGEST_PAUSE_S
    assert f"The program did not run for {away_s} seconds" in hall.desk.page("main/").text
    assert hall.desk.act("give-back").status == 200
    lines[1].phase("running")
    assert lines[1].hand_in(slip(1, word="ORO"))["in_time"] is True
    assert Slip.objects.filter(in_time=True).count() == 2
    assert TurnClock.objects.get().state == "open"
    assert "The program did not run" not in hall.desk.page("main/").text
