"""The health strip: quiet if all is well, otherwise a sentence with the remedy."""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connections
from django.test import Client

from referee.desk import health
from referee.live.monitoring.health import SILENT_S, SLOW_AFTER_S, WEAK_TRIP_MS, is_weak
from referee.live.rooms.live_server import LiveServer, get_live_server
from referee.live.sockets.connections import Socket
from referee.live.sockets.send_queue import SendQueue
from referee.server.backup_scheduler import LOW_MB, BackupScheduler, BackupState
from tests.referee.live.live_game import LiveGame, make_live_game
from tournaments.models import LedgerEntry, Player
from tournaments.now import timeline, utc_now

pytestmark = pytest.mark.django_db(transaction=True)
PHONES = 12


@pytest.fixture
def live_game() -> LiveGame:
    timeline.follow_wall()  # a clock step during earlier tests is no fault here
    live_game = make_live_game(names=[f"Giocatore {table}" for table in range(1, PHONES + 1)], joined=False)
    for player in Player.objects.all():
        Player.objects.filter(pk=player.pk).update(token_hash=f"phone of table {player.table}")
    return live_game


@pytest.fixture
def in_a_hall(live_game: LiveGame) -> Any:
    """Function that calls another one with phones connected, in another thread as for a page."""

    def run(look: Any, *, connected: int, weak: int = 0) -> Any:
        def look_and_disconnect() -> Any:
            try:
                return look()
            finally:
                connections.close_all()

        async def within() -> Any:
            opened = get_live_server()
            try:
                await sync_to_async(_connect)(opened, live_game, connected, weak)
                return await asyncio.to_thread(look_and_disconnect)
            finally:
                await opened.close()

        return asyncio.run(within())

    return run


def _connect(opened: LiveServer, live_game: LiveGame, connected: int, weak: int) -> None:
    for number, player in enumerate(Player.objects.order_by("table")[:connected]):
        phone = a_phone(live_game, player.pk)
        phone.round_trip_ms = WEAK_TRIP_MS + 1 if number < weak else 80.0
        opened.connections.add(phone)


def a_phone(live_game: LiveGame, player_id: int) -> Socket:
    async def nothing(_text: str | int) -> None:
        return None

    return Socket(
        "phone", (live_game.event.pk, live_game.room.pk), SendQueue(nothing, nothing), lambda: None, player_id
    )


def asked(live_game: LiveGame, query: str = "") -> Any:
    client = Client()
    client.force_login(live_game.judge)
    answer = client.get(f"/desk/{live_game.event.code}/health/{query}", headers={"Accept": "application/json"})
    assert answer.status_code == 200
    return answer.json()


def lights(answer: Any) -> dict[str, str]:
    return {light["name"]: light["mood"] for light in answer["lights"]}


def test_when_all_is_well_one_line_says_so(live_game: LiveGame, in_a_hall: Any) -> None:
    answer = in_a_hall(lambda: asked(live_game), connected=PHONES)
    assert (answer["mood"], answer["told"]) == ("ok", "Everything works.")
    assert answer["numbers"] == "12 of 12 phones connected"
    assert set(lights(answer).values()) == {"ok"}


def test_some_phones_that_sleep_are_no_alarm_and_half_of_them_at_once_are(live_game: LiveGame, in_a_hall: Any) -> None:
    assert in_a_hall(lambda: asked(live_game), connected=8)["mood"] == "ok"
    answer = in_a_hall(lambda: asked(live_game), connected=5)
    assert answer["mood"] == "warn"
    assert "look at the router" in answer["told"]


def test_weak_phones_are_counted_and_their_tables_listed_on_demand(live_game: LiveGame, in_a_hall: Any) -> None:
    one = in_a_hall(lambda: asked(live_game), connected=PHONES, weak=1)
    assert (one["mood"], one["tables"]) == ("ok", [])
    answer = in_a_hall(lambda: asked(live_game, "?tables"), connected=PHONES, weak=3)
    assert (answer["mood"], answer["tables"]) == ("warn", [1, 2, 3])
    assert "access point" in answer["told"]


def test_a_phone_is_weak_when_it_is_slow_behind_or_silent(live_game: LiveGame) -> None:
    phone, now = a_phone(live_game, 1), time.monotonic()
    assert not is_weak(phone, now)
    assert is_weak(phone, now + SILENT_S + 1)
    phone.send_queue._sending_since = now - SLOW_AFTER_S - 1
    assert is_weak(phone, now)
    phone.send_queue._sending_since = None
    phone.round_trip_ms = WEAK_TRIP_MS + 1
    assert is_weak(phone, now)


def test_slips_that_are_stored_are_counted(live_game: LiveGame, in_a_hall: Any) -> None:
    def look() -> Any:
        from referee.live.rooms.live_server import list_live_servers

        [opened] = list_live_servers()
        opened.throughput.count(250)
        return asked(live_game)

    lit = in_a_hall(look, connected=PHONES)["lights"]
    assert [light["text"] for light in lit if light["name"] == "slips"] == ["25 slips a second"]


def test_a_database_that_cannot_store_is_reported_with_the_remedy(live_game: LiveGame, in_a_hall: Any) -> None:
    def look() -> Any:
        from referee.live.rooms.live_server import list_live_servers

        [opened] = list_live_servers()
        opened.storage_monitor.report("slips", "disk_full")
        return asked(live_game)

    answer = in_a_hall(look, connected=PHONES)
    assert lights(answer)["database"] == "bad"
    assert "make room on it now" in answer["told"]


def test_a_clock_that_was_set_and_a_full_disk_each_have_their_sentence() -> None:
    assert health._clock(150).mood == "ok"
    assert "Leave the clock alone" in health._clock(-3000).remedy
    assert health._disk(LOW_MB).mood == "ok"
    assert f"Only {LOW_MB - 1} MB are free" in health._disk(LOW_MB - 1).remedy


def test_a_failed_or_late_backup_is_reported(live_game: LiveGame, tmp_path: Path) -> None:
    class DeskOf:
        game = live_game.game

    def light(state: BackupState) -> health.Light:
        [found] = health._backup(DeskOf, state)  # type: ignore[arg-type]  # the game is all that is asked for
        return found

    acted_at = LedgerEntry.objects.latest("at").at
    assert light(BackupState(tmp_path, made_at=acted_at.timestamp() + 1)).mood == "ok"
    assert light(BackupState(tmp_path, made_at=acted_at.timestamp() - 1)).mood == "ok"
    assert light(BackupState(tmp_path, made_at=None, failed="no space left")).mood == "bad"
    long_ago = utc_now() - 2 * health.BACKUP_LATE
    LedgerEntry.objects.create(game=live_game.game, n=9999, at=long_ago, kind="x", by="", data={}, hash="0" * 64)
    late = light(BackupState(tmp_path, made_at=(long_ago - timedelta(seconds=5)).timestamp()))
    assert (late.mood, "out of date" in late.remedy) == ("warn", True)
    assert health._backup(DeskOf, None) == []  # type: ignore[arg-type]
    assert isinstance(BackupScheduler(tmp_path, lambda kind, **details: None).state, BackupState)


def test_it_costs_as_much_for_many_phones_as_for_few(live_game: LiveGame, in_a_hall: Any, settings: Any) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    def queries() -> int:
        with CaptureQueriesContext(connection) as counted:
            asked(live_game)
        return len(counted)

    asked(live_game)
    assert in_a_hall(queries, connected=PHONES) == in_a_hall(queries, connected=1)
