"""Silent and incomplete connections are closed, and the game goes on meanwhile."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

import pytest
import uvicorn
from asgiref.sync import sync_to_async

from referee.security.player_tokens import cookie_of
from referee.server import connection_limits
from referee.server.uvicorn_server import configuration, listen
from tests.referee.live.live_game import make_live_game, slip
from tests.referee.live.live_server import ServerProcess, SocketClient
from tests.referee.security.threats.dawdling import (
    HALF_A_BODY,
    HALF_A_HANDSHAKE,
    HALF_A_HEAD,
    SlowClient,
    open_slow_clients,
)
from tests.waiting import PATIENCE_S
from tournaments.models import Slip

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.endurance]
MOST_UNREAD, SMALL_BUFFER = 200, 4096
WHOLE = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture
async def hasty_server(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[uvicorn.Server]:
    """A server in this event loop with very short time limits."""
    for name in ("HEAD_S", "BODY_S", "UNREAD_S"):
        monkeypatch.setattr(connection_limits, name, 0.2)
    config = configuration()
    config.lifespan = "off"
    server, listener = uvicorn.Server(config), listen("127.0.0.1", 0)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SMALL_BUFFER)  # what is not taken is soon noticed
    serving = asyncio.create_task(server._serve(sockets=[listener]))
    while not server.started:
        await asyncio.sleep(0.01)
    yield server
    server.should_exit = True
    await serving


@pytest.fixture
def hasty(hasty_server: uvicorn.Server) -> int:
    """Return its port."""
    port: int = hasty_server.servers[0].sockets[0].getsockname()[1]
    return port


def in_thread(work: Callable[[], bytes]) -> Awaitable[bytes]:
    return sync_to_async(work, thread_sensitive=False)()


@pytest.mark.parametrize("first", [b"", b"\r\n", HALF_A_HEAD, HALF_A_HANDSHAKE, HALF_A_BODY])
async def test_a_connection_with_an_unfinished_request_is_closed(hasty: int, first: bytes) -> None:
    caller = await sync_to_async(SlowClient)(hasty, first)
    assert await in_thread(caller.answer) == b""
    caller.hang_up()


async def test_an_idle_connection_is_not_kept_open_by_a_byte(hasty: int) -> None:
    caller = await sync_to_async(SlowClient)(hasty, WHOLE + b"G")
    answer = await in_thread(caller.answer)
    assert answer.startswith(b"HTTP/1.1 200")
    assert b"Multiplo\n" in answer
    caller.hang_up()


async def test_a_head_in_drops_gets_no_new_patience_with_each_drop(hasty: int) -> None:
    caller = await sync_to_async(SlowClient)(hasty, HALF_A_HEAD)

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
    caller = await sync_to_async(SlowClient)(hasty)

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
        (connection_limits.LARGEST_HEAD - 200, b"Connection: close\r\n", b"HTTP/1.1 200"),
        (connection_limits.LARGEST_HEAD, b"Connection: close\r\n", b""),
        (connection_limits.LARGEST_HEAD, UPGRADE, b""),
        (100, UPGRADE + b"Content-Length: 99999999\r\n", b"HTTP/1.1 413"),
    ],
)
async def test_a_head_ends_at_its_limit_also_when_it_comes_in_one_piece(
    hasty: int, size: int, more: bytes, answer: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    head = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + more + b"X: " + b"x" * size + b"\r\n\r\n"
    caller = await sync_to_async(SlowClient)(hasty, head)
    assert (await in_thread(caller.answer))[:12] == answer
    caller.hang_up()
    assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.parametrize("path", [b"/ws/phone/" + b"x" * 9_000, b"/ws/phone/"])
async def test_an_upgrade_that_is_no_handshake_is_refused_and_closed(hasty: int, path: bytes) -> None:
    """A line of more than 8,192 bytes, or no key: websockets does not parse it, and uvicorn does not answer."""
    head = b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\n" + UPGRADE + b"Sec-WebSocket-Version: 13\r\n\r\n"
    caller = await sync_to_async(SlowClient)(hasty, head)
    assert (await in_thread(caller.answer))[:12] == b"HTTP/1.1 400"
    caller.hang_up()


async def test_a_connection_that_does_not_read_its_answer_is_closed(hasty_server: uvicorn.Server, hasty: int) -> None:
    asked = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * MOST_UNREAD
    caller = await sync_to_async(SlowClient)(hasty, asked, receive_buffer=SMALL_BUFFER)
    connections = hasty_server.server_state.connections
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not connections:
                await asyncio.sleep(0.01)
            while connections:
                await asyncio.sleep(0.01)
    finally:
        caller.hang_up()


@pytest.mark.parametrize(
    ("size", "answer"),
    [(connection_limits.LARGEST_UPLOAD, b""), (connection_limits.LARGEST_UPLOAD + 1, b"HTTP/1.1 413")],
    ids=["is waited for", "is refused at once"],
)
async def test_an_upload_at_the_desk_may_be_larger_than_a_form(hasty: int, size: int, answer: bytes) -> None:
    head = b"POST /desk/new/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % size
    caller = await sync_to_async(SlowClient)(hasty, head)
    assert (await in_thread(caller.answer))[:12] == answer
    caller.hang_up()


SEAT = cookie_of("t" * 22).encode()


@pytest.mark.parametrize("path", [b"/", b"/play/slip", b"/j/ABCDE/", b"/practice/x/"])
@pytest.mark.parametrize("length", [b"Content-Length: 70000", b"Transfer-Encoding: chunked"])
async def test_a_player_cannot_fill_the_disk_with_a_form(hasty: int, path: bytes, length: bytes) -> None:
    caller = await sync_to_async(SlowClient)(
        hasty, b"POST " + path + b" HTTP/1.1\r\nHost: localhost\r\nCookie: " + SEAT + b"\r\n" + length + b"\r\n\r\n"
    )

    def call() -> bytes:
        with suppress(ConnectionError):
            caller.say(b"11170\r\n" + b"x" * 70_000 + b"\r\n0\r\n\r\n")
        return caller.answer()

    assert (await in_thread(call))[:12] in (b"HTTP/1.1 413", b"")
    assert connection_limits.LARGEST_BODY < 70_000
    caller.hang_up()


def test_two_hundred_slow_connections_do_not_hold_the_hall_up(served: ServerProcess, lines: list[SocketClient]) -> None:
    live_game = make_live_game()
    lines += [served.phone(live_game.cookie(table)) for table in (1, 2, 3)]
    with (
        open_slow_clients(served.port, 70, HALF_A_HEAD) as heads,
        open_slow_clients(served.port, 70, HALF_A_HANDSHAKE),
        open_slow_clients(served.port, 60, HALF_A_BODY) as bodies,
    ):
        live_game.draw("CORNOAT")
        live_game.announce()
        for line in lines:
            assert line.phase("running")["rack"] == "ACNOORT"
            assert line.hand_in(slip(1))["t"] == "ack"
        newcomer = served.phone(live_game.cookie(4))
        lines.append(newcomer)
        assert newcomer.hand_in(slip(1))["t"] == "ack"
        page = served.request("GET", "/")
        assert page.status == 200
        assert all(caller.is_open() for caller in (*heads, *bodies)), "they were to hang meanwhile"
    assert Slip.objects.count() == 4
    live_game.close()
    assert lines[0].phase("closed")["slips_in"] == 4


def test_of_one_address_only_so_many_may_keep_the_server_waiting(served: ServerProcess) -> None:
    with open_slow_clients(
        served.port, connection_limits.MOST_HALF_OPEN + 20, HALF_A_HEAD, address="127.0.0.78"
    ) as hanging:
        held = open_ones(hanging)
        for _ in range(100):
            if len(held) <= connection_limits.MOST_HALF_OPEN:
                break
            time.sleep(0.05)
            held = open_ones(hanging)
        assert 0 < len(held) <= connection_limits.MOST_HALF_OPEN
        assert b"Multiplo\n" in answer_to(served, "127.0.0.79")
    assert b"Multiplo\n" in answer_to(served, "127.0.0.78")


def open_ones(hanging: list[SlowClient]) -> list[SlowClient]:
    return [caller for caller in hanging if caller.is_open()]


def answer_to(served: ServerProcess, address: str) -> bytes:
    caller = SlowClient(served.port, WHOLE.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"), address=address)
    try:
        return caller.answer()
    finally:
        caller.hang_up()
