"""The strip that says whether all is well: quiet when it is, a sentence with the remedy when it is not."""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from referee.desk import health
from referee.live.house import House, house
from referee.live.hub import Socket
from referee.live.mailbox import Mailbox
from referee.live.vital_signs import BEHIND_S, SILENT_S, WEAK_TRIP_MS, is_weak
from referee.serving.keeper import LOW_MB, Keeper, State
from tests.referee.live.evening import Evening, make_evening
from tournaments.models import LedgerEntry, Player
from tournaments.now import utc_now

pytestmark = pytest.mark.django_db(transaction=True)
PHONES = 12


@pytest.fixture
def evening() -> Evening:
    evening = make_evening(names=[f"Giocatore {table}" for table in range(1, PHONES + 1)], joined=False)
    for player in Player.objects.all():
        Player.objects.filter(pk=player.pk).update(token_hash=f"phone of table {player.table}")
    return evening


@pytest.fixture
def in_a_hall(evening: Evening) -> Any:
    """Runs a function with the phones of the hall in a house, as a page sees them that is made in another thread."""

    def run(look: Any, *, connected: int, weak: int = 0) -> Any:
        async def within() -> Any:
            opened = house()
            try:
                await sync_to_async(_connect)(opened, evening, connected, weak)
                return await asyncio.to_thread(look)
            finally:
                await opened.close()

        return asyncio.run(within())

    return run


def _connect(opened: House, evening: Evening, connected: int, weak: int) -> None:
    for number, player in enumerate(Player.objects.order_by("table")[:connected]):
        phone = a_phone(evening, player.pk)
        phone.round_trip_ms = WEAK_TRIP_MS + 1 if number < weak else 80.0
        opened.hub.add(phone)


def a_phone(evening: Evening, player_id: int) -> Socket:
    async def nothing(_text: str | int) -> None:
        return None

    return Socket("phone", (evening.event.pk, evening.room.pk), Mailbox(nothing, nothing), lambda: None, player_id)


def asked(evening: Evening, query: str = "") -> Any:
    client = Client()
    client.force_login(evening.judge)
    answer = client.get(f"/desk/{evening.event.code}/health/{query}", headers={"Accept": "application/json"})
    assert answer.status_code == 200
    return answer.json()


def lights(answer: Any) -> dict[str, str]:
    return {light["name"]: light["mood"] for light in answer["lights"]}


def test_when_all_is_well_one_line_says_so(evening: Evening, in_a_hall: Any) -> None:
    answer = in_a_hall(lambda: asked(evening), connected=PHONES)
    assert (answer["mood"], answer["told"]) == ("ok", "All is well.")
    assert answer["numbers"] == "12 of 12 phones connected · 0 slips a second"
    assert set(lights(answer).values()) == {"ok"}


def test_some_phones_that_sleep_are_no_alarm_and_half_of_them_at_once_are(evening: Evening, in_a_hall: Any) -> None:
    assert in_a_hall(lambda: asked(evening), connected=8)["mood"] == "ok"
    answer = in_a_hall(lambda: asked(evening), connected=5)
    assert answer["mood"] == "warn"
    assert "look at the router" in answer["told"]


def test_weak_phones_are_counted_and_their_tables_told_on_demand(evening: Evening, in_a_hall: Any) -> None:
    one = in_a_hall(lambda: asked(evening), connected=PHONES, weak=1)
    assert (one["mood"], one["tables"]) == ("ok", [])
    answer = in_a_hall(lambda: asked(evening, "?tables"), connected=PHONES, weak=3)
    assert (answer["mood"], answer["tables"]) == ("warn", [1, 2, 3])
    assert "access point" in answer["told"]


def test_a_phone_is_weak_when_it_is_slow_behind_or_silent(evening: Evening) -> None:
    phone, now = a_phone(evening, 1), time.monotonic()
    assert not is_weak(phone, now)
    assert is_weak(phone, now + SILENT_S + 1)
    phone.mailbox._sending_since = now - BEHIND_S - 1
    assert is_weak(phone, now)
    phone.mailbox._sending_since = None
    phone.round_trip_ms = WEAK_TRIP_MS + 1
    assert is_weak(phone, now)


def test_slips_that_are_stored_are_counted(evening: Evening, in_a_hall: Any) -> None:
    def look() -> Any:
        from referee.live.house import houses

        [opened] = houses()
        opened.pulse.count(250)
        return asked(evening)

    assert "25 slips a second" in in_a_hall(look, connected=PHONES)["numbers"]


def test_a_database_that_does_not_store_is_told_with_the_remedy(evening: Evening, in_a_hall: Any) -> None:
    def look() -> Any:
        from referee.live.house import houses

        [opened] = houses()
        opened.outage.standing = "disk_full"
        return asked(evening)

    answer = in_a_hall(look, connected=PHONES)
    assert lights(answer)["database"] == "bad"
    assert "make room on it now" in answer["told"]


def test_a_clock_that_was_set_and_a_full_disk_each_have_their_sentence() -> None:
    assert health._clock(150).mood == "ok"
    assert "Leave the clock alone" in health._clock(-3000).remedy
    assert health._disk(LOW_MB).mood == "ok"
    assert f"Only {LOW_MB - 1} MB are free" in health._disk(LOW_MB - 1).remedy


def test_a_backup_that_failed_or_is_late_is_told(evening: Evening, tmp_path: Path) -> None:
    class DeskOf:
        game = evening.game

    def light(state: State) -> health.Light:
        [found] = health._backup(DeskOf, state)  # type: ignore[arg-type]  # the game is all that is asked for
        return found

    acted_at = LedgerEntry.objects.latest("at").at
    assert light(State(tmp_path, made_at=acted_at.timestamp() + 1)).mood == "ok"
    assert light(State(tmp_path, made_at=acted_at.timestamp() - 1)).mood == "ok"
    assert light(State(tmp_path, made_at=None, failed="no space left")).mood == "bad"
    long_ago = utc_now() - 2 * health.BACKUP_LATE
    LedgerEntry.objects.create(game=evening.game, n=9999, at=long_ago, kind="x", by="", data={}, hash="0" * 64)
    late = light(State(tmp_path, made_at=(long_ago - timedelta(seconds=5)).timestamp()))
    assert (late.mood, "older than what was done" in late.remedy) == ("warn", True)
    assert health._backup(DeskOf, None) == []  # type: ignore[arg-type]
    assert isinstance(Keeper(tmp_path, lambda kind, **details: None).state, State)


def test_it_costs_as_much_for_many_phones_as_for_few(evening: Evening, in_a_hall: Any, settings: Any) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    def queries() -> int:
        with CaptureQueriesContext(connection) as counted:
            asked(evening)
        return len(counted)

    asked(evening)
    assert in_a_hall(queries, connected=PHONES) == in_a_hall(queries, connected=1)
