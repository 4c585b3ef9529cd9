from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import uvicorn
from asgiref.sync import sync_to_async
from django.db import connection

from referee.live.rooms.live_server import get_live_server
from referee.server.uvicorn_server import configuration, listen
from tests.referee.live.live_game import LiveGame, install_words, make_live_game
from tests.referee.live.live_server import ServerProcess, SocketClient


@pytest.fixture(scope="module")
def served(django_db_setup: None) -> Iterator[ServerProcess]:
    """A server on the database of this test process, for all tests of a module."""
    with tempfile.TemporaryDirectory(prefix="multiplo-served-") as folder:
        install_words(Path(folder) / "lexicons")
        server = ServerProcess(data=Path(folder), database=str(connection.settings_dict["NAME"]))
        try:
            yield server.ready()
        finally:
            server.stop()
    said = "\n".join(server.said)
    assert "Traceback" not in said, said


@pytest.fixture
def lines() -> Iterator[list[SocketClient]]:
    """Sockets to be closed at the end of the test."""
    opened: list[SocketClient] = []
    yield opened
    for line in opened:
        line.close()


@pytest.fixture
async def live_game(transactional_db: None) -> LiveGame:
    return await sync_to_async(make_live_game)()


@pytest.fixture
async def port(live_game: LiveGame) -> AsyncIterator[int]:
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
    await get_live_server().close()
