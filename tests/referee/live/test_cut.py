"""A line that is cut is really gone, with the server that we run."""

from __future__ import annotations

import asyncio

import pytest
from asgiref.sync import sync_to_async
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosedError
from websockets.typing import Origin

from referee.live.house import house
from tests.patience import PATIENCE_S
from tests.referee.live.evening import Evening

pytestmark = pytest.mark.django_db(transaction=True)


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
        reading = asyncio.wait_for(read_to_the_end(line), PATIENCE_S)
        with pytest.raises(ConnectionClosedError):
            await reading
    await asyncio.sleep(0.05)
    assert list(house().hub.everybody()) == []
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
