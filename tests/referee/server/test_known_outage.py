"""During an outage that the probe of PostgreSQL has found, pages do not wait for a connection."""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db.utils import ConnectionHandler
from psycopg_pool import PoolTimeout

from referee.environment.service_url import ServiceUrl
from referee.server.databases import postgresql_config
from referee.server.postgresql import base
from referee.server.postgresql.connections import Answers, answers
from tests.waiting import PATIENCE_S


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """A server that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as opened:
        opened.settimeout(PATIENCE_S)
        yield opened


@pytest.fixture
def database(listener: socket.socket) -> Iterator[base.DatabaseWrapper]:
    port = listener.getsockname()[1]
    settings = postgresql_config(ServiceUrl("postgresql", "multiplo", "", "127.0.0.1", str(port), "multiplo", {}))
    connection = ConnectionHandler({"default": {}, "away": settings})["away"]
    assert isinstance(connection, base.DatabaseWrapper)
    yield connection
    answers.forget()
    listener.close()
    connection.close_pool()


@pytest.mark.parametrize("kind", ["no_connection", "restarting"])
def test_no_connection_is_tried_while_the_database_is_known_to_be_away(
    database: base.DatabaseWrapper, listener: socket.socket, kind: str
) -> None:
    answers.note(kind)
    with pytest.raises(PoolTimeout, match="away"):
        database.connect()
    assert select.select([listener], [], [], 0)[0] == []


@pytest.mark.parametrize("kind", ["many_connections", "wrong_password", "disk_full", "no_answer"])
def test_an_outage_in_which_open_connections_may_work_keeps_no_page_from_trying(kind: str) -> None:
    found = Answers()
    found.note(kind)
    assert not found.is_away(), "an answer is late, but not by LONGEST_SILENCE_S"


def test_a_page_that_waits_is_refused_when_the_outage_becomes_known(
    database: base.DatabaseWrapper, listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "LONGEST_WAIT_S", 10 * PATIENCE_S)

    def connect() -> None:
        database.inc_thread_sharing()
        database.connect()

    with ThreadPoolExecutor(1) as thread:
        page = thread.submit(connect)
        listener.accept()[0].close()
        answers.note("no_connection")
        assert isinstance(page.exception(PATIENCE_S), PoolTimeout)


def test_the_probe_is_asked_again_so_that_the_first_page_after_the_outage_gets_a_connection() -> None:
    found = Answers()
    found.note("no_connection")

    def probe() -> None:
        found.wait_until_wanted(PATIENCE_S)
        found.note(None)

    thread = threading.Thread(target=probe)
    thread.start()
    found.is_away()
    thread.join(PATIENCE_S)
    assert not thread.is_alive()
    assert not found.is_away()
