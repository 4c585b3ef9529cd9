from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection

from tests.referee.live.evening import install_words
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
