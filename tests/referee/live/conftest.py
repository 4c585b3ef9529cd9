from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import uvicorn
from asgiref.sync import sync_to_async
from django.db import connection

from referee.live.house import house
from referee.serving.server import configuration, listen
from tests.referee.live.evening import Evening, install_words, make_evening
from tests.referee.live.serving import Line, Served


@pytest.fixture(scope="module")
def served(django_db_setup: None) -> Iterator[Served]:
    """A server on the database of this test process, for all tests of a module."""
    with tempfile.TemporaryDirectory(prefix="multiplo-served-") as folder:
        install_words(Path(folder) / "lexicons")
        server = Served(data=Path(folder), database=str(connection.settings_dict["NAME"]))
        try:
            yield server.ready()
        finally:
            server.stop()
    said = "\n".join(server.said)
    assert "Traceback" not in said, said


@pytest.fixture
def lines() -> Iterator[list[Line]]:
    """Sockets to be closed at the end of the test."""
    opened: list[Line] = []
    yield opened
    for line in opened:
        line.close()


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
