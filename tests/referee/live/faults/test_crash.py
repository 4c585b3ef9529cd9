"""The server is killed during a turn and started again on the same data."""

from __future__ import annotations

import signal
import tempfile
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection

from referee.live.monitoring.heartbeat import HEARTBEAT_S
from tests.chaos import programs
from tests.chaos.programs import free_port
from tests.conftest import missing
from tests.referee.live.live_game import LiveGame, install_words, make_live_game, slip
from tests.referee.live.live_server import ServerProcess, SocketClient
from tests.waiting import PATIENCE_S, until
from tournaments.backups.services import heartbeats
from tournaments.enums import DocumentState
from tournaments.models import Document, Heartbeat, Slip, TurnClock
from tournaments.now import utc_now

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def mortal(transactional_db: None) -> Iterator[ServerProcess]:
    """A server that the test may kill."""
    with tempfile.TemporaryDirectory(prefix="multiplo-served-") as folder:
        install_words(Path(folder) / "lexicons")
        server = ServerProcess(data=Path(folder), database=str(connection.settings_dict["NAME"]))
        try:
            yield server.ready()
        finally:
            server.stop(signal.SIGKILL)


@pytest.fixture
def live_game(transactional_db: None) -> LiveGame:
    return make_live_game()


def away_s() -> int | None:
    """Text of the desk."""
    return Heartbeat.objects.values_list("away_s", flat=True).first()


def in_mid_turn(served: ServerProcess, live_game: LiveGame, lines: list[SocketClient]) -> None:
    lines += [served.phone(live_game.cookie(table)) for table in (1, 2, 3)]
    live_game.draw("CORNOAT")
    live_game.announce()
    for line in lines:
        line.phase("running")


def test_what_was_acknowledged_survives_and_the_rest_is_sent_again(
    mortal: ServerProcess, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    in_mid_turn(mortal, live_game, lines)
    first, second, unsent = slip(1, word="CORNO"), slip(1, word="ORO"), slip(1, word="ORCO")
    acks = [lines[0].hand_in(first), lines[1].hand_in(second)]
    deadline = live_game.clock.deadline
    mortal.stop(signal.SIGKILL)
    assert set(Slip.objects.values_list("word", flat=True)) == {"CORNO", "ORO"}
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            assert cursor.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    mortal.again()
    back = [mortal.phone(live_game.cookie(table)) for table in (1, 2, 3)]
    lines += back
    assert [line.until("hello")["slip"] and True for line in back] == [True, True, None]
    assert back[0].until("state")["view"]["deadline"] == round(deadline.timestamp() * 1000) if deadline else False
    assert [back[0].hand_in(first), back[1].hand_in(second)] == acks
    assert back[2].hand_in(unsent)["in_time"] is True
    assert Slip.objects.count() == 3


@pytest.mark.endurance
def test_the_desk_hears_how_long_the_server_was_away_and_may_give_the_time_back(
    mortal: ServerProcess, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    in_mid_turn(mortal, live_game, lines)
    deadline = live_game.clock.deadline
    time.sleep(HEARTBEAT_S + 0.3)
    mortal.stop(signal.SIGKILL)
    alive_at = Heartbeat.objects.get().at
    time.sleep(3.5)
    mortal.again()
    until(lambda: away_s() is not None)
    told = away_s()
    assert told is not None
    assert 3 <= told <= (utc_now() - alive_at).total_seconds() + 1
    lines.append(mortal.phone(live_game.cookie(1)))
    lines[-1].phase("running")
    heartbeats.settle_lost_time(give_back=True, now=utc_now(), by=live_game.judge)
    assert deadline is not None
    given = 0
    while given == 0:
        given = lines[-1].until("state")["view"]["deadline"] - round(deadline.timestamp() * 1000)
    assert given == (told + 20) * 1000


@pytest.mark.endurance
def test_a_second_server_that_joins_in_does_not_take_the_first_for_dead(
    mortal: ServerProcess, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    in_mid_turn(mortal, live_game, lines)
    with tempfile.TemporaryDirectory(prefix="multiplo-served-") as folder:
        install_words(Path(folder) / "lexicons")
        second = ServerProcess(data=Path(folder), database=str(connection.settings_dict["NAME"])).ready()
        try:
            time.sleep(1.0)
            assert away_s() is None
        finally:
            second.stop()


@pytest.mark.endurance
def test_a_turn_that_ran_out_while_the_server_was_away_is_closed_at_the_start(
    mortal: ServerProcess, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    in_mid_turn(mortal, live_game, lines)
    lines[0].hand_in(slip(1))
    mortal.stop(signal.SIGKILL)
    TurnClock.objects.update(deadline=utc_now() - timedelta(seconds=2))
    mortal.again()
    lines.append(mortal.phone(live_game.cookie(1)))
    lines[-1].phase("closed")


@pytest.mark.endurance
def test_that_it_was_away_is_noted_before_the_server_closes_what_ran_out(
    mortal: ServerProcess, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    in_mid_turn(mortal, live_game, lines)
    TurnClock.objects.update(deadline=utc_now() + timedelta(seconds=1))
    time.sleep(0.3)
    mortal.stop(signal.SIGKILL)
    time.sleep(5.0)
    mortal.again()
    lines.append(mortal.phone(live_game.cookie(1)))
    lines[-1].phase("closed")
    told = away_s()
    assert told is not None
    assert told >= 4
    heartbeats.settle_lost_time(give_back=True, now=utc_now(), by=live_game.judge)
    lines[-1].phase("running")


@pytest.mark.endurance
def test_without_its_redis_a_server_still_serves_its_own_hall(live_game: LiveGame, lines: list[SocketClient]) -> None:
    with tempfile.TemporaryDirectory(prefix="multiplo-served-") as folder:
        install_words(Path(folder) / "lexicons")
        port = free_port()
        try:
            redis = programs.redis(Path(folder), port).start()
        except programs.MissingProgram as lacking:
            missing(str(lacking))
        database = str(connection.settings_dict["NAME"])
        alone = ServerProcess(data=Path(folder), database=database, REDIS_URL=f"redis://127.0.0.1:{port}/0")
        try:
            alone.ready()
            redis.kill()
            in_mid_turn(alone, live_game, lines)
            assert lines[0].hand_in(slip(1))["in_time"] is True
            assert lines[1].until("count", slips_in=1)["players"] == 4
            live_game.close()
            lines[1].phase("closed")
            live_game.press(alone, "make-document", kind="standings")
            until(lambda: Document.objects.get().state == DocumentState.DONE, "the sheet")
        finally:
            assert alone.stop() == 0


@pytest.mark.endurance
def test_a_polite_end_stores_what_was_handed_in(
    mortal: ServerProcess, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    in_mid_turn(mortal, live_game, lines)
    for line in lines:
        line.send(slip(1))
    time.sleep(0.005)
    began = time.monotonic()
    assert mortal.stop(signal.SIGINT) == 0
    assert time.monotonic() - began < PATIENCE_S / 3
    for line in lines:
        line.drain(0.2)
    acked = sum('"ack"' in text for line in lines for text in line.texts)
    assert Slip.objects.count() >= acked
    assert Heartbeat.objects.exists()
    assert "Traceback" not in mortal.text
