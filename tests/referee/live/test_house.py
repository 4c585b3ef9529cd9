"""The live parts of one process together, with a judge who acts in another thread as views do."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.db import connections

from referee.live import relay
from referee.live.house import House, house
from tests.referee.live.evening import Evening, make_evening, slip
from tests.referee.live.in_process import SocketInProcess
from tournaments.models import Game, Heartbeat, Slip
from tournaments.now import utc_now
from tournaments.services import documents, players

pytestmark = pytest.mark.django_db(transaction=True)
PROTOCOL = Path(__file__).resolve().parents[3] / "docs" / "protocol.md"
T = TypeVar("T")


def fresh_seq(evening: Evening) -> int:
    return Game.objects.get(pk=evening.game.pk).seq


def slips_stored() -> int:
    return Slip.objects.count()


async def act(work: Callable[..., T], *arguments: Any) -> T:
    """As a view does: in a thread of the server."""
    return await sync_to_async(work)(*arguments)


@pytest.fixture
async def home(transactional_db: None) -> AsyncIterator[House]:
    opened = house()
    yield opened
    await opened.close()


@pytest.fixture
async def evening(home: House) -> Evening:
    return await act(make_evening)


async def phone_of(evening: Evening, table: int, language: str = "en") -> SocketInProcess:
    line = SocketInProcess("/ws/phone/", await act(evening.cookie, table), language=language)
    assert await line.open()
    await line.until("hello")
    await line.until("state")
    return line


async def desk_of(evening: Evening, language: str = "en") -> SocketInProcess:
    cookie = await act(evening.desk_cookie)
    line = SocketInProcess(f"/ws/desk/{evening.event.code}/", cookie, language=language)
    assert await line.open()
    await line.until("state")
    return line


async def test_a_change_is_shown_at_once_and_not_by_the_next_sweep(evening: Evening) -> None:
    line = await phone_of(evening, 1)
    await act(evening.draw, "CORNOAT")
    began = time.monotonic()
    await act(evening.announce)
    state = await line.until("state")
    while state["view"]["phase"] != "running":
        state = await line.until("state")
    assert time.monotonic() - began < 0.5
    assert state["view"]["rack"] == "ACNOORT"


async def test_a_burst_of_changes_is_one_reading_or_a_few_and_the_last_one_counts(evening: Evening) -> None:
    line = await phone_of(evening, 1)

    def burst() -> None:
        for number in range(60):
            relay.notify({"kind": "game", "game": evening.game.pk})
            Game.objects.filter(pk=evening.game.pk).update(seq=1000 + number)
        relay.notify({"kind": "game", "game": evening.game.pk})

    await act(burst)
    states = [await line.until("state")]
    while states[-1]["seq"] != 1059:
        states.append(await line.until("state"))
    assert len(states) <= 10


async def test_all_phones_of_an_audience_get_the_very_same_text(evening: Evening) -> None:
    lines = [await phone_of(evening, table) for table in (1, 2, 3, 4)]
    await act(evening.draw, "CORNOAT")
    states = [await line.until("state") for line in lines]
    assert all(state == states[0] for state in states)


async def test_news_from_any_thread_arrives(home: House, evening: Evening) -> None:
    desk = await desk_of(evening)
    thread = threading.Thread(target=relay.notify, args=(relay.alarm("many_wrong_codes"),))
    thread.start()
    thread.join()
    alarm = await desk.until("alarm")
    assert alarm["kind"] == "many_wrong_codes"
    assert alarm["text"].endswith(".")


async def test_news_from_the_event_loop_arrives(home: House, evening: Evening) -> None:
    desk = await desk_of(evening)
    relay.notify(relay.alarm("clock_step", ms=-60_200))
    assert "60" in (await desk.until("alarm"))["text"]


async def test_the_same_alarm_does_not_sound_again_and_again(home: House, evening: Evening) -> None:
    desk = await desk_of(evening)
    for _ in range(50):
        home.tell_desks("not_stored")
    await desk.until("alarm")
    assert await desk.silence(0.3)


def test_without_a_house_news_is_simply_not_heard(transactional_db: None) -> None:
    evening = make_evening()
    evening.draw("CORNOAT")
    assert Game.objects.get(pk=evening.game.pk).seq > 0


async def test_phones_and_walls_hear_no_alarm(home: House, evening: Evening) -> None:
    phone = await phone_of(evening, 1)
    wall = SocketInProcess(f"/ws/wall/{evening.event.wall_token}/")
    assert await wall.open()
    await wall.until("state")
    await phone.until("me")
    home.tell_desks("many_wrong_codes")
    assert await phone.silence(0.3)
    assert await wall.silence(0.1)


async def test_the_making_of_a_sheet_is_shown_on_the_desks_of_its_event(evening: Evening) -> None:
    desk, other = await desk_of(evening), await desk_of(await act(make_evening))

    def ask() -> int:
        document = documents.ask(game=evening.game, kind="standings", language="it", now=utc_now())
        documents.start(document=document)
        documents.progress(document=document, percent=40)
        return document.pk

    number = await act(ask)
    told = await desk.until("document", progress=40)
    assert told == {"t": "document", "id": number, "kind": "standings", "state": "running", "progress": 40}
    assert await other.silence(0.3)


async def test_a_replaced_phone_is_told_at_once(evening: Evening) -> None:
    old = await phone_of(evening, 1)
    await old.until("me")
    await act(evening.join, 1)
    assert await old.receive() == {"t": "moved"}
    assert await old.receive() == {"close": 4001}


async def test_a_removed_player_is_sent_away(evening: Evening) -> None:
    line = await phone_of(evening, 4)
    await line.until("me")

    def remove() -> None:
        player = evening.event.players.get(table=4)
        players.remove(player=player, now=utc_now(), by=evening.judge)

    await act(remove)
    assert (await line.until("moved"))["t"] == "moved"


async def test_a_renamed_player_is_greeted_by_the_new_name(evening: Evening) -> None:
    before = await phone_of(evening, 1)

    def rename() -> None:
        player = evening.event.players.get(table=1)
        players.rename(player=player, name="Anna Verdi", now=utc_now(), by=evening.judge)

    await act(rename)
    await before.until("state", seq=await act(fresh_seq, evening))
    line = SocketInProcess("/ws/phone/", await act(evening.cookie, 1))
    assert await line.open()
    assert (await line.until("hello"))["player"]["name"] == "Anna Verdi"


async def test_the_verdict_is_told_in_the_players_own_language(evening: Evening) -> None:
    lines = [await phone_of(evening, 1, "it"), await phone_of(evening, 2, "en")]
    await act(evening.draw, "CORNOAT")
    await act(evening.announce)
    for line in lines:
        await line.until("state", seq=await act(fresh_seq, evening))
        await line.send(slip(1, word="TRENO", ref="8H"))
        await line.until("ack")
    await act(evening.close)
    await act(evening.place)
    texts = []
    for line in lines:
        await line.send({"t": "me"})
        texts.append((await line.until("me"))["verdict"]["text"])
    assert all(text.endswith(".") for text in texts)
    assert texts[1].isascii()


async def test_the_beat_goes_on_and_a_restart_finds_it(home: House) -> None:
    await home.live()
    for _ in range(50):
        beat = await act(Heartbeat.objects.first)
        if beat is not None:
            break
        await asyncio.sleep(0.05)
    assert beat is not None


async def test_closing_the_house_stores_what_was_handed_in(transactional_db: None) -> None:
    evening = await act(make_evening)
    lines = [await phone_of(evening, table) for table in (1, 2, 3, 4)]
    await act(evening.draw, "CORNOAT")
    await act(evening.announce)
    for line in lines:
        await line.until("state", seq=await act(fresh_seq, evening))
        await line.send(slip(1))
    await asyncio.sleep(0.005)
    await house().close()
    assert await act(slips_stored) == 4


async def test_a_thousand_news_leave_no_task_behind(home: House, evening: Evening) -> None:
    before = len(asyncio.all_tasks())
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: relay.notify({"kind": "slips", "game": evening.game.pk}), range(1000)))
    await asyncio.sleep(0.5)
    assert len(asyncio.all_tasks()) <= before + 1


async def test_one_member_of_the_layer_a_process_whatever_the_number_of_phones(evening: Evening) -> None:
    for table in (1, 2, 3, 4):
        await phone_of(evening, table)
    groups = get_channel_layer().groups
    assert [len(members) for members in groups.values()] == [1]


async def test_a_member_that_the_layer_forgot_comes_back(home: House, evening: Evening) -> None:
    layer = get_channel_layer()
    await layer.flush()
    await home.relay.stay()
    assert [len(members) for members in layer.groups.values()] == [1]


async def test_two_loops_one_after_the_other_each_have_a_house_of_their_own(home: House) -> None:
    def elsewhere() -> bool:
        async def visit() -> bool:
            other = house()
            await other.close()
            return other is not home

        try:
            return asyncio.run(visit())
        finally:
            connections.close_all()

    assert await asyncio.to_thread(elsewhere)
    assert house() is home


async def test_the_protocol_has_no_field_that_is_not_described(evening: Evening) -> None:
    line = SocketInProcess("/ws/phone/", await act(evening.cookie, 1))
    assert await line.open()
    described = set(re.findall(r"[`\"]([a-z_]+)[`\"]", PROTOCOL.read_text(encoding="utf-8")))
    for kind in ("hello", "state", "me"):
        message = await line.until(kind)
        assert set(message) <= described
        assert set(message.get("view", {})) <= described


async def test_that_the_server_was_away_is_noted_before_it_acts(home: House, evening: Evening) -> None:
    """An act of its own, like closing what ran out, would pass for a sign of life from the time when it was away."""
    await act(evening.draw, "CORNOAT")
    await act(evening.announce)
    await act(Heartbeat.objects.all().delete)
    await act(lambda: Heartbeat.objects.create(pk=1, at=utc_now() - timedelta(seconds=10)))
    await home.live()
    assert await act(lambda: Heartbeat.objects.get().away_s) is not None
