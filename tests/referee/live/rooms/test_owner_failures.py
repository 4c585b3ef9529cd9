"""Owners of rooms that end, hang or disagree, over PostgreSQL and Redis."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from referee.live.rooms.room_locks import RoomLocks
from tests.referee.live.actor import DatabaseProcess
from tests.referee.live.live_server import ROOT, ServerProcess, SocketClient
from tests.waiting import until

pytestmark = [pytest.mark.services, pytest.mark.endurance]
HOLDER = """
import sys, time, psycopg
from referee.live.rooms.room_locks import RoomLocks
locks = RoomLocks(lambda: psycopg.connect(sys.argv[1], autocommit=True))
while True:
    try:
        held = sorted(locks.renew([1, 2], []))
    except psycopg.Error:
        held = []
    print(held, flush=True)
    time.sleep(0.3)
"""
OWNERS = """
SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid)
WHERE locktype = 'advisory' AND objsubid = 2 AND granted AND datname = current_database()"""


@pytest.fixture
def locks(variables: dict[str, str]) -> Iterator[RoomLocks]:
    locks = RoomLocks(lambda: psycopg.connect(variables["DATABASE_URL"], autocommit=True))
    yield locks
    locks.close()


@pytest.fixture
def holder(variables: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """Another process, which owns rooms 1 and 2."""
    command = [sys.executable, "-c", HOLDER, variables["DATABASE_URL"]]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "[1, 2]\n"
    yield process
    process.kill()
    process.communicate()


def test_two_processes_never_own_the_same_room(locks: RoomLocks, variables: dict[str, str]) -> None:
    other = RoomLocks(lambda: psycopg.connect(variables["DATABASE_URL"], autocommit=True))
    try:
        assert locks.renew([1, 2], []) == {1, 2}
        assert other.renew([2, 3], []) == {3}
        assert locks.renew([1], [2]) == {1}
        assert other.renew([2, 3], []) == {2, 3}
    finally:
        other.close()
    until(lambda: locks.renew([1, 2, 3], []) == {1, 2, 3}, "the rooms of a closed connection")


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGSTOP])
def test_the_rooms_of_a_process_that_ends_or_hangs_are_taken(
    locks: RoomLocks, holder: subprocess.Popen[str], end: signal.Signals
) -> None:
    assert locks.renew([1, 2], []) == set()
    holder.send_signal(end)
    until(lambda: locks.renew([1, 2], []) == {1, 2}, "the rooms")
    if end is signal.SIGSTOP:
        holder.send_signal(signal.SIGCONT)
        told = holder.stdout
        assert told is not None
        # Renewed all the while, as the holder would end a connection that is silent for two seconds.
        until(lambda: locks.renew([1, 2], []) == {1, 2} and told.readline() == "[]\n", "the loss of the rooms")
        assert locks.renew([1, 2], []) == {1, 2}


@pytest.fixture
def servers(variables: dict[str, str], data: Path) -> Iterator[list[ServerProcess]]:
    started = [ServerProcess(data=data, database=None, environment=variables) for _ in range(2)]
    try:
        yield [server.ready() for server in started]
    finally:
        for server in started:
            server.process.send_signal(signal.SIGCONT)
            server.stop(signal.SIGKILL)


def find_owner(variables: dict[str, str], servers: list[ServerProcess]) -> ServerProcess | None:
    """The server that owns the room of the test."""
    with psycopg.connect(variables["DATABASE_URL"]) as connection:
        names = {name for (name,) in connection.execute(OWNERS)}
    return next((server for server in servers if any(str(server.process.pid) in name for name in names)), None)


def wait_for_owner(variables: dict[str, str], servers: list[ServerProcess]) -> ServerProcess:
    """The first owner; a moment later the room may be without one, as it passes to the other server."""
    found: list[ServerProcess] = []

    def is_found() -> bool:
        owner = find_owner(variables, servers)
        found.extend([owner] if owner is not None else [])
        return bool(found)

    until(is_found, "an owner")
    return found[0]


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGSTOP])
def test_another_server_closes_and_owns_the_room_of_an_owner_that_fails(
    variables: dict[str, str], servers: list[ServerProcess], lines: list[SocketClient], end: signal.Signals
) -> None:
    actor = DatabaseProcess({**os.environ, **variables})
    lines += [server.phone(actor.do("cookie", table)) for table, server in enumerate(servers, start=1)]
    actor.do("draw", "CORNOAT")
    actor.do("announce", 6.0)
    for line in lines:
        line.phase("running")
    owner = wait_for_owner(variables, servers)
    [(left, phone)] = [(server, line) for server, line in zip(servers, lines, strict=True) if server is not owner]
    owner.process.send_signal(end)
    phone.phase("closed")
    until(lambda: find_owner(variables, servers) is left, "the next owner")
    until(lambda: actor.do("facts")["points"], "the verdicts")
    assert actor.do("facts")["closings"] == 1
    actor.leave()


def test_the_versions_that_a_phone_is_shown_only_grow(
    variables: dict[str, str], servers: list[ServerProcess], lines: list[SocketClient]
) -> None:
    """Each server is the owner for a while, as the first one hangs and comes back."""
    actor = DatabaseProcess({**os.environ, **variables})
    lines += [server.phone(actor.do("cookie", table)) for table, server in enumerate(servers, start=1)]
    owner = wait_for_owner(variables, servers)
    for act in (("draw", "CORNOAT"), ("announce", 60.0), ("close",), ("place",)):
        actor.do(*act)
        owner.process.send_signal(signal.SIGSTOP if act[0] == "draw" else signal.SIGCONT)
    for line in lines:
        line.phase("placed")
        line.drain()
        versions = [message["seq"] for message in map(json.loads, line.texts) if message["t"] == "state"]
        assert versions == sorted(versions)
        assert len(set(versions)) > 1
    actor.leave()
