"""The bench's desk and wall: let in by the throw-away server, shown changes, answered when they ask for the time."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from referee.rehearsal.onlookers import Onlooker
from referee.rehearsal.own_server import OwnServer
from referee.rehearsal.remote import Remote
from tests.patience import PATIENCE_S


def test_desk_and_wall_are_shown_the_game_and_are_answered(tmp_path: Path) -> None:
    server = OwnServer(tmp_path)
    try:
        hall = Remote(server.url).hall
        for path, cookie in ((server.desk, server.session), (server.wall, "")):
            assert asyncio.run(answered(Onlooker(hall, path, cookie))) > 0
        with pytest.raises(TimeoutError):
            asyncio.run(answered(Onlooker(hall, server.desk)))
    finally:
        server.stop()


async def answered(onlooker: Onlooker) -> float:
    """The milliseconds until a question is answered."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            await onlooker.connect()
            onlooker.ping()
            while not onlooker.trips_ms:
                await asyncio.sleep(0.02)
        return onlooker.trips_ms[0]
    finally:
        onlooker.hang_up()
        await asyncio.sleep(0.05)  # the transport goes away in the next round of the loop
