"""An aborted connection is removed completely, on a real server."""

from __future__ import annotations

import asyncio

import pytest
from asgiref.sync import sync_to_async
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosedError
from websockets.typing import Origin

from referee.live.rooms.live_server import get_live_server
from tests.referee.live.live_game import LiveGame
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.django_db(transaction=True)


async def read_to_the_end(line: ClientConnection) -> None:
    while True:
        await line.recv()


async def test_a_phone_that_does_not_read_is_cut_without_waiting_for_it(
    port: int, live_game: LiveGame, caplog: pytest.LogCaptureFixture
) -> None:
    headers = {"Cookie": await sync_to_async(live_game.cookie)(1)}
    origin = Origin(f"http://127.0.0.1:{port}")
    address = f"ws://127.0.0.1:{port}/ws/phone/"
    async with connect(address, origin=origin, additional_headers=headers, proxy=None) as line:
        assert '"hello"' in str(await line.recv())
        [socket] = list(get_live_server().connections.everybody())
        get_live_server().connections.cut(socket)
        reading = asyncio.wait_for(read_to_the_end(line), PATIENCE_S)
        with pytest.raises(ConnectionClosedError):
            await reading
    await asyncio.sleep(0.05)
    assert list(get_live_server().connections.everybody()) == []
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
