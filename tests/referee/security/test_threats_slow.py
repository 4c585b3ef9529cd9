"""Connections that say nothing, or never to the end: they are ended, and the hall plays on meanwhile."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

import pytest
import uvicorn
from asgiref.sync import sync_to_async

from referee.security import pace
from referee.security.seats import cookie_of
from referee.security.throttle import Rate
from referee.serving import patience
from referee.serving.server import configuration, listen
from tests.referee.live.evening import make_evening, slip
from tests.referee.live.serving import Line, Served
from tests.referee.security.dawdling import HALF_A_BODY, HALF_A_HANDSHAKE, HALF_A_HEAD, Caller, callers
from tournaments.models import Slip

pytestmark = pytest.mark.django_db(transaction=True)
WHOLE = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture
async def hasty(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[int]:
    """The port of a server in this event loop that has the patience of a moment."""
    for name in ("HEAD_S", "BODY_S", "UNREAD_S"):
        monkeypatch.setattr(patience, name, 0.2)
    config = configuration()
    config.lifespan = "off"
    server, listener = uvicorn.Server(config), listen("127.0.0.1", 0)
    serving = asyncio.create_task(server._serve(sockets=[listener]))
    while not server.started:
        await asyncio.sleep(0.01)
    yield listener.getsockname()[1]
    server.should_exit = True
    await serving


def in_thread(work: Callable[[], bytes]) -> Awaitable[bytes]:
    return sync_to_async(work, thread_sensitive=False)()


@pytest.mark.parametrize("first", [b"", b"\r\n", HALF_A_HEAD, HALF_A_HANDSHAKE, HALF_A_BODY])
async def test_whoever_does_not_finish_a_request_is_hung_up_on(hasty: int, first: bytes) -> None:
    caller = await sync_to_async(Caller)(hasty, first)
    assert await in_thread(caller.answer) == b""
    caller.hang_up()


async def test_an_idle_connection_is_not_kept_open_by_a_byte(hasty: int) -> None:
    caller = await sync_to_async(Caller)(hasty, WHOLE + b"G")
    answer = await in_thread(caller.answer)
    assert answer.startswith(b"HTTP/1.1 200")
    assert b"Multiplo\n" in answer
    caller.hang_up()


async def test_a_head_in_drops_gets_no_new_patience_with_each_drop(hasty: int) -> None:
    caller = await sync_to_async(Caller)(hasty, HALF_A_HEAD)

    async def drop() -> None:
        with suppress(OSError):
            while True:
                await asyncio.sleep(0.05)
                caller.say(b"x")

    dropping = asyncio.create_task(drop())
    assert await in_thread(caller.answer) == b""
    await dropping
    caller.hang_up()


@pytest.mark.parametrize(
    "request_",
    [
        b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: " + b"x" * 70_000,
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20_000,
        b"G" * 70_000,
    ],
)
async def test_a_head_without_end_is_not_read_to_it(hasty: int, request_: bytes) -> None:
    caller = await sync_to_async(Caller)(hasty)

    def call() -> bytes:
        try:
            caller.say(request_)
        except ConnectionError:
            return b""
        return caller.answer()

    assert b"200" not in await in_thread(call)
    caller.hang_up()


UPGRADE = b"Upgrade: websocket\r\nConnection: Upgrade\r\n"


@pytest.mark.parametrize(
    ("size", "more", "answer"),
    [
        (patience.LARGEST_HEAD - 200, b"Connection: close\r\n", b"HTTP/1.1 200"),
        (patience.LARGEST_HEAD, b"Connection: close\r\n", b""),
        (patience.LARGEST_HEAD, UPGRADE, b""),
        (100, UPGRADE + b"Content-Length: 99999999\r\n", b"HTTP/1.1 413"),
    ],
)
async def test_a_head_ends_at_its_limit_also_when_it_comes_in_one_piece(
    hasty: int, size: int, more: bytes, answer: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    head = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + more + b"X: " + b"x" * size + b"\r\n\r\n"
    caller = await sync_to_async(Caller)(hasty, head)
    assert (await in_thread(caller.answer))[:12] == answer
    caller.hang_up()
    assert not [record for record in caplog.records if record.exc_info]


def test_the_limits_are_those_that_the_documents_name() -> None:
    config = configuration()
    assert (patience.HEAD_S, patience.BODY_S, patience.UNREAD_S, config.timeout_keep_alive) == (10, 60, 30, 75)
    assert (config.ws_ping_interval, config.ws_ping_timeout, config.ws_max_size) == (20, 20, 32 * 1024)
    assert (patience.LARGEST_HEAD, patience.LARGEST_BODY, patience.LARGEST_UPLOAD) == (2**15, 2**16, 2**25)
    assert (patience.MOST_HALF_OPEN, pace.MOST_SOCKETS, pace.LONGEST_WAIT_S) == (1000, 6000, 5)
    assert (Rate(300, 6000), Rate(400, 4000)) == (pace.HANDSHAKES, pace.REQUESTS)


SEAT = cookie_of("t" * 22).encode()


@pytest.mark.parametrize("path", [b"/", b"/play/slip", b"/j/ABCDE/", b"/practice/x/"])
@pytest.mark.parametrize("length", [b"Content-Length: 70000", b"Transfer-Encoding: chunked"])
async def test_a_player_cannot_fill_the_disk_with_a_form(hasty: int, path: bytes, length: bytes) -> None:
    caller = await sync_to_async(Caller)(
        hasty, b"POST " + path + b" HTTP/1.1\r\nHost: localhost\r\nCookie: " + SEAT + b"\r\n" + length + b"\r\n\r\n"
    )

    def call() -> bytes:
        with suppress(ConnectionError):
            caller.say(b"11170\r\n" + b"x" * 70_000 + b"\r\n0\r\n\r\n")
        return caller.answer()

    assert (await in_thread(call))[:12] in (b"HTTP/1.1 413", b"")
    assert patience.LARGEST_BODY < 70_000
    caller.hang_up()


def test_two_hundred_slow_connections_do_not_hold_the_hall_up(served: Served, lines: list[Line]) -> None:
    evening = make_evening()
    lines += [served.phone(evening.cookie(table)) for table in (1, 2, 3)]
    with (
        callers(served.port, 70, HALF_A_HEAD) as heads,
        callers(served.port, 70, HALF_A_HANDSHAKE),
        callers(served.port, 60, HALF_A_BODY) as bodies,
    ):
        evening.draw("CORNOAT")
        evening.announce()
        for line in lines:
            assert line.phase("running")["rack"] == "ACNOORT"
            assert line.hand_in(slip(1))["t"] == "ack"
        newcomer = served.phone(evening.cookie(4))
        lines.append(newcomer)
        assert newcomer.hand_in(slip(1))["t"] == "ack"
        page = served.request("GET", "/")
        assert page.status == 200
        assert all(caller.is_open() for caller in (*heads, *bodies)), "they were to hang meanwhile"
    assert Slip.objects.count() == 4
    evening.close()
    assert lines[0].phase("closed")["slips_in"] == 4


def test_of_one_address_only_so_many_may_keep_the_server_waiting(served: Served) -> None:
    with callers(served.port, patience.MOST_HALF_OPEN + 20, HALF_A_HEAD, address="127.0.0.78") as hanging:
        held = open_ones(hanging)
        for _ in range(100):
            if len(held) <= patience.MOST_HALF_OPEN:
                break
            time.sleep(0.05)
            held = open_ones(hanging)
        assert 0 < len(held) <= patience.MOST_HALF_OPEN
        assert b"Multiplo\n" in answer_to(served, "127.0.0.79")
    assert b"Multiplo\n" in answer_to(served, "127.0.0.78")


def open_ones(hanging: list[Caller]) -> list[Caller]:
    return [caller for caller in hanging if caller.is_open()]


def answer_to(served: Served, address: str) -> bytes:
    caller = Caller(served.port, WHOLE.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"), address=address)
    try:
        return caller.answer()
    finally:
        caller.hang_up()
