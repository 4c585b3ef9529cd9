"""PostgreSQL or Redis is away, hangs or has a full disk: judges and phones learn it soon, with the cause."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest

from referee.server.page_threads import THREADS
from tests.chaos import programs
from tests.chaos.programs import MissingProgram, Program, free_port
from tests.conftest import missing
from tests.referee.live.desk_client import DeskClient
from tests.referee.live.faults.small_disk import mount_small_disk
from tests.referee.live.install import Installation
from tests.referee.live.live_game import slip
from tests.referee.live.live_server import SocketClient
from tests.waiting import until

pytestmark = [pytest.mark.services, pytest.mark.endurance]
SOON_S = 5.0
"""Time in which judges and phones learn of an outage."""
PAGE_S = 3.0
ACK_S = 3.0
AT_ONCE_S = 1.0
SLACK_S = 10.0
"""Time that a busy machine may take on top."""


class ClusterGame:
    """A running turn on a server with a PostgreSQL and a Redis of its own."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.programs: dict[str, Program] = {}
        self.ports = {"postgres": free_port(), "redis": free_port()}
        folder.chmod(0o711)
        for name, make in (("postgres", programs.postgres), ("redis", programs.redis)):
            (folder / name).mkdir()
            self.programs[name] = make(folder / name, self.ports[name])
            stack.callback(self.programs[name].stop)
            stack.callback(self.resume, name)
            self.programs[name].start()
        variables = {
            "DATABASE_URL": self.database,
            "REDIS_URL": f"redis://127.0.0.1:{self.ports['redis']}/0",
        }
        self.installation = Installation(folder / "data", **variables)
        assert self.installation.run("migrate", "-v0").returncode == 0
        judge = self.installation.judge()
        self.event: dict[str, str] = judge.do("event")
        self.cookie = judge.do("cookie", 1)
        judge.leave()
        self.served = self.installation.serve()
        stack.callback(lambda: self.served.stop(signal.SIGKILL))
        self.served.ready()
        self.desk = DeskClient(self.served, self.event["code"], self.event["desk"])
        for action, fields in (("type-rack", {"rack": "CORNOAT"}), ("announce", {})):
            assert self.desk.act(action, **fields).status == 200
        self.watch = self.served.socket(f"/ws/desk/{self.event['code']}/", self.event["desk"])
        stack.callback(self.watch.close)
        self.watch.phase("running")
        self.phone = self.served.phone(self.cookie)
        stack.callback(self.phone.close)
        self.phone.phase("running")

    @property
    def database(self) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.ports['postgres']}/postgres"

    def suspend(self, name: str) -> None:
        """Let a program hang; a PostgreSQL with all its children."""
        self._signal(self._pids(name)[:1], signal.SIGSTOP)  # it starts no more children
        self._signal(self._pids(name)[1:], signal.SIGSTOP)

    def resume(self, name: str) -> None:
        if self.programs[name].is_alive:
            self._signal(self._pids(name), signal.SIGCONT)

    def ready(self) -> Any:
        began = time.monotonic()
        answer = self.served.request("GET", "/readyz")
        assert time.monotonic() - began < PAGE_S + SLACK_S
        return answer

    @staticmethod
    def _signal(pids: Sequence[int], number: int) -> None:
        for pid in pids:
            with suppress(ProcessLookupError):  # a child has just ended
                os.kill(pid, number)

    def _pids(self, name: str) -> list[int]:
        process = self.programs[name].process
        assert process is not None
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        return [process.pid, *map(int, children)]


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


@pytest.fixture
def cluster(stack: ExitStack) -> ClusterGame:
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="multiplo-outage-", ignore_cleanup_errors=True))
    try:
        return ClusterGame(Path(folder), stack)
    except MissingProgram as lacking:
        missing(str(lacking))


def time_of(work: Callable[[], object]) -> float:
    began = time.monotonic()
    work()
    return time.monotonic() - began


def outage_text(phone: SocketClient, seconds: float) -> str:
    return str(phone.until("outage", seconds)["text"])


@pytest.mark.parametrize(("fault", "kind"), [("stopped", "no_connection"), ("hanging", "no_answer")])
def test_an_outage_of_postgresql_is_told_with_its_cause_and_ends_by_itself(
    cluster: ClusterGame, fault: str, kind: str
) -> None:
    assert cluster.phone.hand_in(slip(1))["t"] == "ack"
    assert cluster.ready().status == 200
    if fault == "stopped":
        cluster.programs["postgres"].kill()
    else:
        cluster.suspend("postgres")
    began = time.monotonic()
    told = cluster.watch.alarm(kind, SOON_S + SLACK_S)
    assert "database server" in told
    assert "kept on this phone" in outage_text(cluster.phone, SOON_S + SLACK_S)
    assert time.monotonic() - began < SOON_S + SLACK_S
    began = time.monotonic()
    page = cluster.desk.page()
    assert time.monotonic() - began < PAGE_S + SLACK_S
    assert page.status == 503
    assert "database server" in page.text
    until(lambda: time_of(cluster.desk.page) < AT_ONCE_S, "a page that is refused at once")
    with ThreadPoolExecutor(2 * THREADS) as threads:
        assert time_of(lambda: list(threads.map(lambda _number: cluster.desk.page(), range(4 * THREADS)))) < 2 * PAGE_S
    unready = cluster.ready()
    assert (unready.status, unready.json["checks"]["database"]) == (503, kind)
    assert cluster.served.request("GET", "/livez").status == 200

    waiting = slip(1, word="ORO")
    cluster.phone.send(waiting)
    time.sleep(1.0)
    if fault == "stopped":
        cluster.programs["postgres"].start()
    else:
        cluster.resume("postgres")
    began = time.monotonic()
    assert cluster.desk.page().status == 200
    assert answer_to(cluster.phone, waiting, began + ACK_S + SLACK_S)["t"] == "ack"
    assert cluster.watch.alarm("stored_again", SOON_S + SLACK_S)
    is_told = any('"outage","text":""' in text for text in cluster.phone.texts)  # before or after the receipt
    assert is_told or outage_text(cluster.phone, SOON_S + SLACK_S) == ""
    until(lambda: cluster.ready().status == 200)
    assert cluster.desk.page().status == 200


def _is_filled(connection: psycopg.Connection[Any]) -> bool:
    try:
        connection.execute("INSERT INTO filler SELECT repeat(md5(n::text), 20) FROM generate_series(1, 500) n")
    except psycopg.errors.DiskFull:
        return True
    return False


def answer_to(phone: SocketClient, message: dict[str, Any], end: float) -> dict[str, Any]:
    """Return the acknowledgement of a slip, which is sent again as often as the server asks for it."""
    while True:
        answer = phone.receive(max(0.01, end - time.monotonic()))
        if answer.get("t") == "ack" and answer["id"] == message["id"]:
            return answer
        if answer.get("t") == "refused" and answer["id"] == message["id"]:
            assert "retry_ms" in answer
            time.sleep(answer["retry_ms"] / 1000)
            phone.send(message)


@pytest.mark.parametrize(("fault", "kind"), [("stopped", "redis_away"), ("hanging", "redis_no_answer")])
def test_an_outage_of_redis_is_told_while_the_game_goes_on(cluster: ClusterGame, fault: str, kind: str) -> None:
    if fault == "stopped":
        cluster.programs["redis"].kill()
    else:
        cluster.suspend("redis")
    assert "Redis" in cluster.watch.alarm(kind, SOON_S + SLACK_S)
    assert "slower" in outage_text(cluster.phone, SOON_S + SLACK_S)
    assert cluster.ready().json["checks"]["redis"] == kind
    assert cluster.phone.hand_in(slip(1), SOON_S + SLACK_S)["t"] == "ack"
    began = time.monotonic()
    assert cluster.desk.act("close").status == 200
    assert time.monotonic() - began < PAGE_S + SLACK_S
    cluster.phone.phase("closed", SOON_S + SLACK_S)
    if fault == "stopped":
        cluster.programs["redis"].start()
    else:
        cluster.resume("redis")
    assert cluster.watch.alarm("redis_again", SOON_S + SLACK_S)
    until(lambda: cluster.ready().status == 200)


def test_a_full_disk_of_postgresql_is_named(cluster: ClusterGame, stack: ExitStack) -> None:
    disk = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="multiplo-disk-", ignore_cleanup_errors=True)))
    disk.chmod(0o755)
    if not stack.enter_context(mount_small_disk(disk / "mounted")):
        missing("this user may not mount a file system")
    place = disk / "mounted" / "space"
    place.mkdir()
    subprocess.run(["chown", "-R", "postgres:postgres", str(place)], check=True)
    with psycopg.connect(cluster.database, autocommit=True) as connection:
        connection.execute(f"CREATE TABLESPACE small LOCATION '{place}'".encode())
        for table in ("tournaments_slip", "tournaments_slip_pkey"):
            kind = "INDEX" if table.endswith("pkey") else "TABLE"
            connection.execute(f"ALTER {kind} {table} SET TABLESPACE small".encode())
        connection.execute("CREATE TABLE filler (text text) TABLESPACE small")
        is_full = False
        while not is_full:
            is_full = _is_filled(connection)
    told = None
    for number in range(400):
        answer = cluster.phone.hand_in(slip(1, word="ORO" if number % 2 else "CORNO"))
        time.sleep(0.15)
        if answer["t"] == "refused" and answer["why"] == "not_stored":
            told = cluster.watch.alarm("disk_full", SOON_S + SLACK_S)
            break
        assert answer["t"] == "ack" or answer["why"] == "too_fast", answer
    assert told is not None
    assert "disk of the database server is full" in told
    assert "virus" not in told
    with psycopg.connect(cluster.database, autocommit=True) as connection:
        connection.execute("DROP TABLE filler")
    last = slip(1, word="CORNO")
    cluster.phone.send(last)
    assert answer_to(cluster.phone, last, time.monotonic() + 30)["t"] == "ack"
