"""Direct reads and writes of FastWebSocketProtocol, over real connections to a server."""

from __future__ import annotations

import asyncio
import json
import socket as sockets
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosedError
from websockets.typing import Origin

from referee.live.rooms.live_server import get_live_server
from referee.live.sockets.connected_phones import phones_of_event
from referee.live.sockets.connections import Socket
from referee.server.uvicorn_overrides import FastWebSocketProtocol
from tests.referee.live.live_game import LiveGame
from tests.waiting import PATIENCE_S

GOODBYE = b"\x88\x82\0\0\0\0\x03\xe8"  # a masked frame that closes with code 1000
pytestmark = pytest.mark.django_db(transaction=True)


async def phone(port: int, live_game: LiveGame, table: int, **options: Any) -> ClientConnection:
    headers = {"Cookie": await sync_to_async(live_game.cookie)(table)}
    line = await connect(
        f"ws://127.0.0.1:{port}/ws/phone/",
        origin=Origin(f"http://127.0.0.1:{port}"),
        additional_headers=headers,
        proxy=None,
        compression=None,
        **options,
    )
    await until(line, "hello")
    return line


async def until(line: ClientConnection, kind: str, **fields: object) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(await asyncio.wait_for(line.recv(), PATIENCE_S))
        if message["t"] == kind and all(message.get(name) == value for name, value in fields.items()):
            return message


def hall_sockets() -> list[Socket]:
    return list(get_live_server().connections.everybody())


async def test_a_fragmented_message_is_read_whole(port: int, live_game: LiveGame) -> None:
    line = await phone(port, live_game, 1)
    await line.send(['{"t":"pi', 'ng","c":', "7}"])
    assert (await until(line, "pong"))["c"] == 7
    await line.close()


async def test_a_binary_frame_is_refused_and_the_connection_stays_open(port: int, live_game: LiveGame) -> None:
    line = await phone(port, live_game, 1)
    await line.send(b'{"t":"ping","c":1}')
    assert (await until(line, "refused"))["why"] == "malformed"
    await line.send('{"t":"ping","c":2}')
    assert (await until(line, "pong"))["c"] == 2
    await line.close()


async def test_an_invalid_text_closes_its_own_connection_only(port: int, live_game: LiveGame) -> None:
    broken, fine = await phone(port, live_game, 1), await phone(port, live_game, 2)
    await broken.send(b"\xff\xfe", text=True)
    reading = asyncio.wait_for(until(broken, "never"), PATIENCE_S)
    with pytest.raises(ConnectionClosedError):
        await reading
    await fine.send('{"t":"ping","c":2}')
    assert (await until(fine, "pong"))["c"] == 2
    await fine.close()


async def test_a_phone_that_does_not_read_delays_nobody_and_later_sees_only_the_newest(
    port: int, live_game: LiveGame
) -> None:
    small = sockets.socket(sockets.AF_INET, sockets.SOCK_STREAM)
    small.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    small.connect(("127.0.0.1", port))
    small.setblocking(False)
    stuck = await phone(port, live_game, 1, sock=small, max_queue=1)
    quick = await phone(port, live_game, 2)
    hub, key = get_live_server().connections, hall_sockets()[0].room_key
    shown = 400
    for number in range(shown):
        hub.send("phone", key, "state", json.dumps({"t": "state", "n": number, "fill": "x" * 50_000}))
        assert (await until(quick, "state", n=number))["n"] == number
    seen = 0
    while (await until(stuck, "state")).get("n") != shown - 1:
        seen += 1
    assert seen < shown - 2
    for line in (stuck, quick):
        await line.close()


async def test_direct_writes_do_not_overtake_queued_messages(port: int, live_game: LiveGame) -> None:
    line = await phone(port, live_game, 1)
    [socket] = hall_sockets()
    line_of_server = socket.send_queue._write.__self__  # type: ignore[attr-defined]
    assert isinstance(line_of_server, FastWebSocketProtocol)
    line_of_server.pause_writing()
    socket.send_queue.post('{"t":"first"}')
    line_of_server.resume_writing()
    socket.send_queue.post('{"t":"second"}')
    letters: list[str] = []
    while len(letters) < 2:
        kind = json.loads(await asyncio.wait_for(line.recv(), PATIENCE_S))["t"]
        letters += [kind] if kind in ("first", "second") else []
    assert letters == ["first", "second"]
    await line.close()


async def test_a_phone_that_closes_during_shutdown_does_not_make_it_fail(port: int, live_game: LiveGame) -> None:
    line = await phone(port, live_game, 1)
    [socket] = hall_sockets()
    line_of_server = socket.send_queue._write.__self__  # type: ignore[attr-defined]
    assert isinstance(line_of_server, FastWebSocketProtocol)
    line_of_server.data_received(GOODBYE)
    line_of_server.shutdown()
    await asyncio.wait_for(line.wait_closed(), PATIENCE_S)
    assert line.close_code == 1000


async def test_a_phone_that_reports_its_round_trip_is_listed_with_it(port: int, live_game: LiveGame) -> None:
    line = await phone(port, live_game, 1)
    await line.send(json.dumps({"t": "ping", "c": 1, "rtt": 35}))
    await until(line, "pong")
    assert [phone.round_trip_ms for phone in await sync_to_async(phones_of_event)(live_game.event.pk)] == [35]
    await line.send(json.dumps({"t": "ping", "c": 1, "rtt": str(uuid4())}))
    await until(line, "pong")
    assert [phone.round_trip_ms for phone in await sync_to_async(phones_of_event)(live_game.event.pk)] == [35]
    assert await sync_to_async(phones_of_event)(live_game.event.pk + 1) == []
    await line.close()
