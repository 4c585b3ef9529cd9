"""The benchmark's desk and wall sockets are accepted by the temporary server, get changes and answers to pings."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from referee.rehearsal.own_server import OwnServer
from referee.rehearsal.remote import Remote
from referee.rehearsal.watching_sockets import WatchingPhone
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.endurance


def test_desk_and_wall_are_shown_the_game_and_are_answered(tmp_path: Path) -> None:
    server = OwnServer(tmp_path)
    try:
        address = Remote(server.url).server
        for path, cookie in ((server.desk, server.session), (server.wall, "")):
            assert asyncio.run(answered(WatchingPhone(address, path, cookie))) > 0
        with pytest.raises(TimeoutError):
            asyncio.run(answered(WatchingPhone(address, server.desk)))
    finally:
        server.stop()


async def answered(socket: WatchingPhone) -> float:
    """Return the milliseconds until a ping is answered."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            await socket.connect()
            socket.ping()
            while not socket.trips_ms:
                await asyncio.sleep(0.02)
        return socket.trips_ms[0]
    finally:
        socket.hang_up()
        await asyncio.sleep(0.05)  # the transport goes away in the next round of the loop
