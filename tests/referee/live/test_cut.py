"""A line that is cut is really gone, with the server that we run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import uvicorn
from asgiref.sync import sync_to_async
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosedError
from websockets.typing import Origin

from referee.live.house import house
from referee.serving.server import configuration, listen
from tests.referee.live.evening import Evening, make_evening

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def evening(transactional_db: None) -> Evening:
    return await sync_to_async(make_evening)()


@pytest.fixture
async def port(evening: Evening) -> AsyncIterator[int]:
    """A server in this very event loop, so that the test can reach into its hub."""
    config = configuration()
    config.lifespan = "off"
    server, listener = uvicorn.Server(config), listen("127.0.0.1", 0)
    serving = asyncio.create_task(server._serve(sockets=[listener]))
    while not server.started:
        await asyncio.sleep(0.01)
    yield listener.getsockname()[1]
    server.should_exit = True
    await serving
    await house().close()


async def read_to_the_end(line: ClientConnection) -> None:
    while True:
        await line.recv()


async def test_a_phone_that_does_not_read_is_cut_without_waiting_for_it(
    port: int, evening: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    headers = {"Cookie": await sync_to_async(evening.cookie)(1)}
    origin = Origin(f"http://127.0.0.1:{port}")
    address = f"ws://127.0.0.1:{port}/ws/phone/"
    async with connect(address, origin=origin, additional_headers=headers, proxy=None) as line:
        assert '"hello"' in str(await line.recv())
        [socket] = list(house().hub.everybody())
        house().hub.cut(socket)
        reading = asyncio.wait_for(read_to_the_end(line), 5)
        with pytest.raises(ConnectionClosedError):
            await reading
    await asyncio.sleep(0.05)
    assert list(house().hub.everybody()) == []
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
