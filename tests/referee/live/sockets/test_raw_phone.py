"""A client that was written from docs/protocol.md alone plays with the real server."""

from __future__ import annotations

import ast
import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from uuid import uuid4

import pytest
from django.db import connection

from tests.referee.live import raw_phone, raw_socket
from tests.referee.live.live_game import LiveGame, make_live_game, slip
from tests.referee.live.live_server import ServerProcess
from tests.referee.live.raw_phone import MOVED, NO_SEAT, NotSeated, RawPhone, wait_before
from tests.waiting import PATIENCE_S, until_async
from tournaments.models import Slip

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.endurance]
Play = Callable[[RawPhone], Awaitable[None]]


@pytest.fixture
def live_game() -> LiveGame:
    return make_live_game(joined=False)


@pytest.fixture
def running(live_game: LiveGame) -> LiveGame:
    live_game.draw("CORNOAT")
    live_game.announce()
    return live_game


def new_phone(*servers: ServerProcess) -> RawPhone:
    return RawPhone([("127.0.0.1", server.port) for server in servers], Random(1), pace=0.05)  # noqa: S311


def played(served: ServerProcess, live_game: LiveGame, play: Play) -> RawPhone:
    """A phone at table 1 that is connected while `play` goes on."""
    phone = new_phone(served)

    async def game_of_a_phone() -> None:
        await phone.join(live_game.event.code, table=1)
        line = asyncio.create_task(phone.run())
        await phone.until(lambda it: "me" in it.frames)
        await play(phone)
        await phone.leave()
        line.cancel()
        with suppress(asyncio.CancelledError):
            await line

    asyncio.run(game_of_a_phone())
    return phone


@pytest.mark.parametrize("module", [raw_phone, raw_socket])
def test_it_needs_nothing_but_the_standard_library_and_itself(module: object) -> None:
    tree = ast.parse(Path(str(getattr(module, "__file__", ""))).read_text(encoding="utf-8"))
    named = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    named |= {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    foreign = {name for name in named if name.partition(".")[0] not in sys.stdlib_module_names}
    assert foreign <= {"tests.referee.live.raw_socket"}


def test_it_joins_by_the_form_and_is_greeted(served: ServerProcess, live_game: LiveGame) -> None:
    async def play(phone: RawPhone) -> None:
        pass

    phone = played(served, live_game, play)
    assert phone.frames["hello"]["player"] == {"table": 1, "name": "Anna Ferri"}
    assert phone.frames["hello"]["v"] == raw_phone.VERSION
    assert phone.view["phase"] == "lobby"
    assert "outdated" not in phone.frames


@pytest.mark.parametrize(("code", "table"), [("XXXXX", 1), (None, 99_999)])
def test_whoever_is_not_seated_is_told_why(
    served: ServerProcess, live_game: LiveGame, code: str | None, table: int
) -> None:
    live_game.event.games.update(state="finished")
    with pytest.raises(NotSeated):
        asyncio.run(new_phone(served).join(code or live_game.event.code, table=table))


def test_a_slip_that_is_answered_is_forgotten_and_counted(served: ServerProcess, running: LiveGame) -> None:
    async def play(phone: RawPhone) -> None:
        await phone.hand_in("CORNO", "8D", 22)
        await phone.until(lambda it: it.acks)

    phone = played(served, running, play)
    assert [ack["in_time"] for ack in phone.acks.values()] == [True]
    assert not phone.waiting
    assert Slip.objects.get().client_id.hex == next(iter(phone.acks)).replace("-", "")


def test_a_slip_is_kept_over_a_broken_line_and_sent_again_with_its_id(served: ServerProcess, running: LiveGame) -> None:
    async def play(phone: RawPhone) -> None:
        phone.lose_the_line()
        await phone.until(lambda it: not it.is_online)
        await phone.hand_in("CORNO", "8D", 22)
        assert not phone.acks
        await phone.until(lambda it: it.acks)

    phone = played(served, running, play)
    assert phone.connections >= 2
    assert [str(stored) for stored in Slip.objects.values_list("client_id", flat=True)] == list(phone.acks)


def test_a_receipt_that_got_lost_comes_again_and_says_the_same(served: ServerProcess, running: LiveGame) -> None:
    async def play(phone: RawPhone) -> None:
        for _ in range(3):
            await phone.hand_in("CORNO", "8D", 22)
            phone.lose_the_line()
            await phone.until(lambda it: not it.waiting)
        await phone.until(lambda it: it.is_online)
        await phone.send(next(iter(phone.written.values())))
        await phone.until(lambda it: it.again)

    phone = played(served, running, play)
    assert len(phone.acks) == Slip.objects.count() == 3
    assert phone.contradictions == []


class LateLink:
    """Link to a server. While `holds`, what a phone sends arrives with `deliver` only, also when the phone is gone."""

    def __init__(self, target: int) -> None:
        self.holds = False
        self._target = target
        self._held: list[tuple[asyncio.StreamWriter, bytes]] = []
        self._answers = b""
        self._writers: list[asyncio.StreamWriter] = []

    async def open(self) -> int:
        """Start; gives its port."""
        self._server = await asyncio.start_server(self._relay, "127.0.0.1", 0)
        return int(self._server.sockets[0].getsockname()[1])

    async def close(self) -> None:
        """End all connections."""
        self._server.close()
        for writer in self._writers:
            writer.close()
        await asyncio.gather(*(writer.wait_closed() for writer in self._writers), return_exceptions=True)

    async def deliver(self, answer: str) -> None:
        """Pass on all that was held, and wait until the server has said `answer`."""
        assert self._held
        for to_server, data in self._held:
            to_server.write(data)
        await until_async(lambda: answer.encode() in self._answers, answer)

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from_server, to_server = await asyncio.open_connection("127.0.0.1", self._target)
        self._writers += [writer, to_server]
        await asyncio.gather(self._ask(reader, to_server), self._answer(from_server, writer))

    async def _ask(self, reader: asyncio.StreamReader, to_server: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(4096):
                if self.holds:
                    self._held.append((to_server, data))
                else:
                    to_server.write(data)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(4096):
                self._answers += data
                writer.write(data)
        writer.close()


def test_a_slip_that_arrives_after_a_newer_one_does_not_count_in_its_place(
    served: ServerProcess, running: LiveGame
) -> None:
    """A server that hangs, or a slow network: the older slip is read when the newer one has its receipt already."""

    async def play() -> RawPhone:
        link = LateLink(served.port)
        phone = new_phone(served)
        phone.addresses = [("127.0.0.1", await link.open()), *phone.addresses]
        await phone.join(running.event.code, table=1)
        line = asyncio.create_task(phone.run())
        await phone.until(lambda it: "me" in it.frames)
        link.holds = True
        older = await phone.hand_in("CORNO", "8D", 22)
        phone.lose_the_line()
        await phone.until(lambda it: not it.is_online)
        newer = await phone.hand_in("CONTO", "8D", 20)
        await phone.until(lambda it: not it.waiting)
        assert newer in phone.acks
        await link.deliver(f'"ack","id":"{older}"')
        await phone.leave()
        line.cancel()
        await asyncio.gather(line, return_exceptions=True)
        await link.close()
        return phone

    phone = asyncio.run(play())
    assert phone.connections >= 2
    assert phone.contradictions == []
    assert list(Slip.objects.order_by("received_at", "version").values_list("word", flat=True)) == ["CORNO", "CONTO"]


def test_a_slip_without_an_answer_makes_it_give_the_line_up(served: ServerProcess, running: LiveGame) -> None:
    async def play(phone: RawPhone) -> None:
        sent = slip(1)
        phone.waiting[sent["id"]] = sent  # in the queue, and never sent: so there is no answer to it either
        phone._soon(0.05, lambda: phone._expect(phone._socket, sent))  # type: ignore[arg-type]
        await phone.until(lambda it: it.acks)

    assert played(served, running, play).connections >= 2


def test_what_is_refused_for_good_is_not_sent_again(served: ServerProcess, live_game: LiveGame) -> None:
    async def play(phone: RawPhone) -> None:
        await phone.hand_in("CORNO", "8D", 22)
        await phone.until(lambda it: it.refused)

    phone = played(served, live_game, play)
    assert [message["why"] for message in phone.refused.values()] == ["malformed"]
    assert not phone.waiting


def test_what_comes_too_fast_is_sent_again_by_itself(served: ServerProcess, running: LiveGame) -> None:
    async def play(phone: RawPhone) -> None:
        for score in range(12):
            await phone.hand_in("CORNO", "8D", score)
        await phone.until(lambda it: not it.waiting)

    phone = played(served, running, play)
    assert phone.frames["refused"]["why"] == "too_fast"
    assert Slip.objects.latest("version").declared == 11


def test_a_newer_server_may_say_more(served: ServerProcess, live_game: LiveGame) -> None:
    async def play(phone: RawPhone) -> None:
        before = phone.view
        await phone._take({"t": "weather", "sun": True})
        await phone._take({"t": "state", "seq": 99, "now": 1, "view": {**before, "sun": True}, "moon": 1})
        await phone._take({"t": "state", "seq": 98, "now": 2, "view": {**before, "phase": "overtaken"}})

    phone = played(served, live_game, play)
    assert (phone.view["phase"], phone.view["sun"]) == ("lobby", True)


def test_another_phone_takes_the_place_and_the_first_stays_away(served: ServerProcess, live_game: LiveGame) -> None:
    def judge_lets_another_one_in() -> None:
        live_game.press(served, "free-phone", table="1")
        connection.close()

    async def two() -> list[int | None]:
        first, second = new_phone(served), new_phone(served)
        await first.join(live_game.event.code, table=1)
        line = asyncio.create_task(first.run())
        await first.until(lambda it: "me" in it.frames)
        with pytest.raises(NotSeated, match="has a phone already"):
            await second.join(live_game.event.code, table=1)
        await asyncio.to_thread(judge_lets_another_one_in)
        await second.join(live_game.event.code, table=1)
        await asyncio.wait_for(line, PATIENCE_S)
        strange = new_phone(served)
        strange.cookie = "seat=abc"
        await asyncio.wait_for(strange.run(), PATIENCE_S)
        return [first.ended, strange.ended]

    assert asyncio.run(two()) == [MOVED, NO_SEAT]


def test_without_sockets_it_asks_and_posts(served: ServerProcess, running: LiveGame) -> None:
    async def play() -> RawPhone:
        phone = new_phone(served)
        await phone.join(running.event.code, name="Anna Ferri")
        first = await phone.poll()
        assert phone.view["phase"] == "running"
        assert (await phone.poll(first.headers["etag"])).status == 304
        sent = {**slip(1), "id": str(uuid4())}
        await phone.post(sent)
        await phone.post(sent)
        assert (await phone.poll(first.headers["etag"])).status == 200
        return phone

    phone = asyncio.run(play())
    assert (len(phone.acks), phone.again, phone.contradictions) == (1, 1, [])
    assert phone.frames["hello"]["slip"]["id"] in phone.acks
    assert json.dumps(phone.view)


def test_it_waits_longer_and_longer_and_never_all_at_once() -> None:
    assert [wait_before(1, chance) for chance in (0, 0.5, 1)] == [0.0, 1.5, 3.0]
    assert [wait_before(attempt, 1) for attempt in (2, 3, 4, 5, 9)] == [2.0, 4.0, 8.0, 15.0, 15.0]
    assert wait_before(9, 0) == pytest.approx(11.25)
