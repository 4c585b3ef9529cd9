"""The live server of one process, with a judge acting in another thread as views do."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.db import connections

from referee.live.rooms import broadcast, live_server
from referee.live.rooms.live_server import LiveServer, get_live_server
from referee.live.rooms.room_channel import LEAST_PAUSE_S
from referee.live.sockets.messages import to_ms
from tests.referee.live.in_process import SocketInProcess
from tests.referee.live.live_game import LiveGame, make_live_game, slip
from tests.waiting import until_async
from tournaments.documents.services import documents
from tournaments.enums import EndReason
from tournaments.models import Game, Heartbeat, Slip, TurnClock
from tournaments.now import utc_now
from tournaments.play.services import game_end
from tournaments.players.services import check_in, disqualification, players

pytestmark = pytest.mark.django_db(transaction=True)
PROTOCOL = Path(__file__).resolve().parents[4] / "docs" / "protocol.md"
T = TypeVar("T")


def fresh_seq(live_game: LiveGame) -> int:
    return Game.objects.get(pk=live_game.game.pk).seq


def slips_stored() -> int:
    return Slip.objects.count()


async def act(work: Callable[..., T], *arguments: Any) -> T:
    """As a view does: in a thread of the server."""
    return await sync_to_async(work)(*arguments)


@pytest.fixture
def without_sweeps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Comes before `home`, which reads the time between sweeps."""
    monkeypatch.setattr(live_server, "SWEEP_S", 3600.0)


@pytest.fixture
async def home(transactional_db: None) -> AsyncIterator[LiveServer]:
    opened = get_live_server()
    yield opened
    await opened.close()


@pytest.fixture
async def started_home(home: LiveServer) -> LiveServer:
    """It knows the clock of its database, without which it takes no slips."""
    await home.live()
    return home


@pytest.fixture
async def live_game(home: LiveServer) -> LiveGame:
    return await act(make_live_game)


async def phone_of(live_game: LiveGame, table: int, language: str = "en") -> SocketInProcess:
    line = SocketInProcess("/ws/phone/", await act(live_game.cookie, table), language=language)
    assert await line.open()
    await line.until("hello")
    await line.until("state")
    return line


async def desk_of(live_game: LiveGame, language: str = "en") -> SocketInProcess:
    cookie = await act(live_game.desk_cookie)
    line = SocketInProcess(f"/ws/desk/{live_game.event.code}/", cookie, language=language)
    assert await line.open()
    await line.until("state")
    return line


@pytest.mark.usefixtures("without_sweeps")
async def test_a_change_is_shown_at_once_and_not_by_the_next_sweep(live_game: LiveGame) -> None:
    line = await phone_of(live_game, 1)
    await act(live_game.draw, "CORNOAT")
    await act(live_game.announce)
    state = await line.until("state")
    while state["view"]["phase"] != "running":
        state = await line.until("state")
    assert state["view"]["rack"] == "ACNOORT"


async def test_a_burst_of_changes_is_one_reading_or_a_few_and_the_last_one_counts(live_game: LiveGame) -> None:
    line = await phone_of(live_game, 1)
    loop, news = asyncio.get_running_loop(), {"kind": "game", "game": live_game.game.pk, "room": 0}

    def burst() -> None:
        for number in range(60):
            broadcast.notify(news)
            Game.objects.filter(pk=live_game.game.pk).update(seq=1000 + number)
        broadcast.notify(news)

    began = loop.time()
    await act(burst)
    states = [await line.until("state")]
    while states[-1]["seq"] != 1059:
        states.append(await line.until("state"))
    assert len(states) <= 3 + (loop.time() - began) / LEAST_PAUSE_S


async def test_all_phones_of_an_audience_get_the_very_same_text(live_game: LiveGame) -> None:
    lines = [await phone_of(live_game, table) for table in (1, 2, 3, 4)]
    await act(live_game.draw, "CORNOAT")
    seq = await act(fresh_seq, live_game)
    states = [await line.until("state", seq=seq) for line in lines]
    assert all(state == states[0] for state in states)


async def test_news_from_any_thread_arrives(home: LiveServer, live_game: LiveGame) -> None:
    desk = await desk_of(live_game)
    thread = threading.Thread(target=broadcast.notify, args=(broadcast.send_alarm("many_wrong_codes"),))
    thread.start()
    thread.join()
    alarm = await desk.until("alarm")
    assert alarm["kind"] == "many_wrong_codes"
    assert alarm["text"].endswith(".")


async def test_news_from_the_event_loop_arrives(home: LiveServer, live_game: LiveGame) -> None:
    desk = await desk_of(live_game)
    broadcast.notify(broadcast.send_alarm("clock_step", ms=-60_200))
    assert "60" in (await desk.until("alarm"))["text"]


async def test_the_same_alarm_does_not_sound_again_and_again(home: LiveServer, live_game: LiveGame) -> None:
    desk = await desk_of(live_game)
    for _ in range(50):
        home.alarm_desks("not_stored")
    await desk.until("alarm")
    assert "alarm" not in await desk.kinds_before_pong()


def test_without_a_house_news_is_simply_not_heard(transactional_db: None) -> None:
    live_game = make_live_game()
    live_game.draw("CORNOAT")
    assert Game.objects.get(pk=live_game.game.pk).seq > 0


async def test_phones_and_walls_hear_no_alarm(home: LiveServer, live_game: LiveGame) -> None:
    phone = await phone_of(live_game, 1)
    wall = SocketInProcess(f"/ws/wall/{live_game.event.wall_token}/")
    assert await wall.open()
    await wall.until("state")
    home.alarm_desks("many_wrong_codes")
    for line in (phone, wall):
        assert "alarm" not in await line.kinds_before_pong()


async def test_the_making_of_a_sheet_is_shown_on_the_desks_of_its_event(live_game: LiveGame) -> None:
    desk, other = await desk_of(live_game), await desk_of(await act(make_live_game))

    def ask() -> int:
        document = documents.request_document(game=live_game.game, kind="standings", language="it", now=utc_now())
        documents.claim_document(document=document)
        documents.record_progress(document=document, percent=40)
        return document.pk

    number = await act(ask)
    told = await desk.until("document", progress=40)
    assert told == {"t": "document", "id": number, "kind": "standings", "state": "running", "progress": 40}
    assert "document" not in await other.kinds_before_pong()


async def test_a_replaced_phone_is_told_at_once(live_game: LiveGame) -> None:
    old = await phone_of(live_game, 1)
    await old.until("me")
    await act(live_game.join, 1)
    await old.until("moved")
    assert await old.until_close() == 4001


async def test_a_removed_player_is_told_and_sent_away(live_game: LiveGame) -> None:
    line = await phone_of(live_game, 4)
    await line.until("me")

    def remove() -> None:
        player = live_game.event.players.get(table=4)
        players.remove_player(player=player, now=utc_now(), by=live_game.judge)

    await act(remove)
    assert (await line.until("removed"))["t"] == "removed"


async def test_a_player_who_is_disqualified_or_leaves_during_a_turn_is_told_at_once(live_game: LiveGame) -> None:
    await act(live_game.draw, "ACEIRST")
    await act(live_game.announce)
    out, gone, absent = [await phone_of(live_game, table) for table in (1, 2, 3)]
    for line in (out, gone, absent):
        await line.until("me")

    def change() -> None:
        one, other, third = (live_game.event.players.get(table=table) for table in (1, 2, 3))
        disqualification.disqualify(player=one, reason="noise", by=live_game.judge, now=utc_now())
        players.leave_game(player=other, by=live_game.judge, now=utc_now())
        check_in.mark_absent(player=third, by=live_game.judge, now=utc_now())

    await act(change)
    told = await out.until("me")
    assert (told["disqualified_from"], told["verdict"]) == (1, None)
    assert (await gone.until("me"))["last_turn"] == 1
    assert await absent.until("no_place") == {"t": "no_place"}


async def test_a_renamed_player_is_greeted_by_the_new_name(live_game: LiveGame) -> None:
    before = await phone_of(live_game, 1)

    def rename() -> None:
        player = live_game.event.players.get(table=1)
        players.rename_player(player, players.PlayerDetails(name="Anna Verdi"), now=utc_now(), by=live_game.judge)

    await act(rename)
    await before.until("state", seq=await act(fresh_seq, live_game))
    line = SocketInProcess("/ws/phone/", await act(live_game.cookie, 1))
    assert await line.open()
    assert (await line.until("hello"))["player"]["name"] == "Anna Verdi"


async def test_the_verdict_is_told_in_the_players_own_language(started_home: LiveServer, live_game: LiveGame) -> None:
    lines = [await phone_of(live_game, 1, "it"), await phone_of(live_game, 2, "en")]
    await act(live_game.draw, "CORNOAT")
    await act(live_game.announce)
    for line in lines:
        await line.until("state", seq=await act(fresh_seq, live_game))
        await line.send(slip(1, word="TRENO", ref="8H"))
        await line.until("ack")
    await act(live_game.close)
    await act(live_game.place)
    texts = []
    for line in lines:
        await line.send({"t": "me"})
        texts.append((await line.until("me"))["verdict"]["text"])
    assert all(text.endswith(".") for text in texts)
    assert texts[1].isascii()


async def test_the_beat_goes_on_and_a_restart_finds_it(home: LiveServer) -> None:
    await home.live()
    for _ in range(50):
        beat = await act(Heartbeat.objects.first)
        if beat is not None:
            break
        await asyncio.sleep(0.05)
    assert beat is not None


async def test_closing_the_house_stores_what_was_handed_in(transactional_db: None) -> None:
    await get_live_server().live()
    live_game = await act(make_live_game)
    lines = [await phone_of(live_game, table) for table in (1, 2, 3, 4)]
    await act(live_game.draw, "CORNOAT")
    await act(live_game.announce)
    for line in lines:
        await line.until("state", seq=await act(fresh_seq, live_game))
        await line.send(slip(1))
    await until_async(lambda: get_live_server().slip_queue._taken == len(lines), "the slips")
    await get_live_server().close()
    assert await act(slips_stored) == 4


async def test_a_thousand_news_leave_no_task_behind(home: LiveServer, live_game: LiveGame) -> None:
    before = len(asyncio.all_tasks())
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: broadcast.notify({"kind": "game", "game": live_game.game.pk, "room": 0}), range(1000)))
    await asyncio.sleep(0.5)
    await until_async(lambda: len(asyncio.all_tasks()) <= before + 1, "the end of all tasks")


async def test_one_member_of_the_layer_a_process_whatever_the_number_of_phones(live_game: LiveGame) -> None:
    for table in (1, 2, 3, 4):
        await phone_of(live_game, table)
    groups = get_channel_layer().groups
    assert [len(members) for members in groups.values()] == [1]


async def test_a_member_that_the_layer_forgot_comes_back(home: LiveServer, live_game: LiveGame) -> None:
    layer = get_channel_layer()
    await until_async(lambda: layer.groups, "the member of this process")
    for member in [member for members in layer.groups.values() for member in members]:
        await layer.group_discard(broadcast.GROUP, member)
    assert not layer.groups
    await home.broadcast.renew_membership()
    assert [len(members) for members in layer.groups.values()] == [1]


async def test_two_loops_one_after_the_other_each_have_a_house_of_their_own(home: LiveServer) -> None:
    def elsewhere() -> bool:
        async def visit() -> bool:
            other = get_live_server()
            await other.close()
            return other is not home

        try:
            return asyncio.run(visit())
        finally:
            connections.close_all()

    assert await asyncio.to_thread(elsewhere)
    assert get_live_server() is home


async def test_a_slip_for_which_the_queue_has_no_room_is_sent_again_and_is_as_early_as_the_first_time(
    started_home: LiveServer, live_game: LiveGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = await phone_of(live_game, 1)
    await act(live_game.draw, "CORNOAT")
    await act(live_game.announce)
    await line.until("state", seq=await act(fresh_seq, live_game))
    sent = slip(1)
    with monkeypatch.context() as full:
        full.setattr(started_home.slip_queue, "_capacity", 0)
        await line.send(sent)
        refused = await line.until("refused")
    assert (refused["id"], refused["why"], refused["retry_ms"] > 0) == (sent["id"], "busy", True)
    later = to_ms(utc_now())
    await line.send(sent)
    assert (await line.until("ack"))["received"] <= (later or 0)


async def test_the_protocol_has_no_field_that_is_not_described(live_game: LiveGame) -> None:
    line = SocketInProcess("/ws/phone/", await act(live_game.cookie, 1))
    assert await line.open()
    described = set(re.findall(r"[`\"]([a-z_]+)[`\"]", PROTOCOL.read_text(encoding="utf-8")))
    for kind in ("hello", "state", "me"):
        message = await line.until(kind)
        assert set(message) <= described
        assert set(message.get("view", {})) <= described


async def test_that_the_server_was_away_is_noted_before_it_acts(home: LiveServer, live_game: LiveGame) -> None:
    """Closing expired turns first would count as a heartbeat and hide the downtime."""
    await act(live_game.draw, "CORNOAT")
    await act(live_game.announce)
    await act(Heartbeat.objects.all().delete)
    await act(lambda: Heartbeat.objects.create(pk=1, at=utc_now() - timedelta(seconds=10)))
    await home.live()
    assert await act(lambda: Heartbeat.objects.get().away_s) is not None


async def test_standings_become_final_for_wall_and_phones_when_the_time_for_appeals_ends(live_game: LiveGame) -> None:
    def end() -> None:
        live_game.draw("CORNOAT")
        live_game.announce()
        live_game.close()
        live_game.place()
        game_end.end_game(game=Game.objects.get(), why=EndReason.JUDGE, by=None, now=utc_now())
        Game.objects.update(appeal_minutes=15, appeal_end_minutes=0)

    def leave_a_second() -> None:
        TurnClock.objects.update(shown_at=utc_now() - timedelta(minutes=15) + timedelta(seconds=1.5))
        broadcast.notify({"kind": "game", "game": live_game.game.pk, "room": 0})

    await act(end)
    line, seq = await phone_of(live_game, 1), await act(fresh_seq, live_game)
    wall = SocketInProcess(f"/ws/wall/{live_game.event.wall_token}/")
    assert await wall.open()
    shown = await wall.until("state")
    assert shown["view"]["provisional"]
    await act(leave_a_second)
    for each in (line, wall):
        while shown["view"]["provisional"]:
            shown = await each.until("state")
        assert shown["view"]["phase"] == "finished"
        shown = {"view": {"provisional": True}}
    assert await act(fresh_seq, live_game) == seq, "nothing was changed for it"
