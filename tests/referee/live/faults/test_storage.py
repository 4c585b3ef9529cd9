"""The disk is full, the folder cannot be written to, another program holds the database: nothing is lost."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.examples import representative
from tests.referee.live.desk_client import DeskClient
from tests.referee.live.faults.small_disk import SmallDisk, mount_small_disk
from tests.referee.live.faults.test_outages import answer_to
from tests.referee.live.install import Installation
from tests.referee.live.live_game import slip
from tests.referee.live.live_server import ROOT, ServerProcess, SocketClient
from tests.waiting import PATIENCE_S, until

pytestmark = [pytest.mark.sqlite_file, pytest.mark.endurance]

# Root may write everywhere; without this right it is a user as any other.
AS_ANYBODY = ("setpriv", "--bounding-set=-dac_override,-dac_read_search") if os.geteuid() == 0 else ()
PAGES = ("", "main/", "players/", "standings/", "log/", "words/", "backup/")


class GameOnOneServer:
    """A running turn on a server with a data folder of its own."""

    def __init__(self, data: Path, stack: ExitStack, *, prefix: tuple[str, ...] = (), **variables: str) -> None:
        self.installation = Installation(data, **variables).migrate()
        self.database = data / "multiplo.sqlite3"
        judge = self.installation.judge()
        self.event: dict[str, str] = judge.do("event")
        self.cookies = {table: judge.do("cookie", table) for table in (1, 2)}
        judge.leave()
        command = (*prefix, sys.executable, "-m", "django")
        self.served: ServerProcess = self.installation.serve(command=command)
        stack.callback(lambda: self.served.stop(signal.SIGKILL))
        self.served.ready()
        self.desk = DeskClient(self.served, self.event["code"], self.event["desk"])
        self.lines: list[SocketClient] = []
        stack.callback(self.hang_up)
        self.watch = self.watching()
        for action, fields in (("type-rack", {"rack": "CORNOAT"}), ("announce", {})):
            assert self.desk.act(action, **fields).status == 200

    def hang_up(self) -> None:
        for line in self.lines:
            line.close()

    def _line(self, line: SocketClient) -> SocketClient:
        self.lines.append(line)
        return line

    def watching(self) -> SocketClient:
        return self._line(self.served.socket(f"/ws/desk/{self.event['code']}/", self.event["desk"]))

    def phone(self, table: int) -> SocketClient:
        line = self._line(self.served.phone(self.cookies[table]))
        line.phase("running")
        return line

    def stored(self, query: str = "SELECT client_id, in_time FROM tournaments_slip ORDER BY id") -> list[Any]:
        with closing(sqlite3.connect(f"{self.database.as_uri()}?mode=ro", uri=True)) as base:
            return base.execute(query).fetchall()

    def ends_in(self, seconds: float) -> None:
        """Let the running clock end after so many seconds."""
        deadline = (datetime.now(UTC) + timedelta(seconds=seconds)).strftime("%Y-%m-%d %H:%M:%S.%f")
        with closing(sqlite3.connect(self.database, timeout=PATIENCE_S)) as base, base:
            base.execute("UPDATE tournaments_turnclock SET deadline = ?", (deadline,))

    def answered(self, message: dict[str, Any], line: SocketClient) -> bool:
        """Return True if this slip was acknowledged on this line."""
        return any('"ack"' in text and message["id"] in text for text in line.texts)


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


@pytest.fixture(params=representative(["limited files", "small file system"]))
def full(request: pytest.FixtureRequest, tmp_path: Path, stack: ExitStack) -> tuple[GameOnOneServer, SmallDisk, str]:
    """An evening, its disk, and the alarm that is due when it is full."""
    disk = tmp_path / "disk"
    if request.param == "small file system":
        if not stack.enter_context(mount_small_disk(disk)):
            pytest.skip("this user may not mount a file system; the same test ran with limited files")
        live_game = GameOnOneServer(disk / "data", stack, BACKUP_DIR=str(tmp_path / "stick"))
        return live_game, SmallDisk(disk, live_game.served.process.pid, is_mounted=True), "disk_full"
    live_game = GameOnOneServer(disk / "data", stack, BACKUP_DIR=str(tmp_path / "stick"))
    return live_game, SmallDisk(disk, live_game.served.process.pid, is_mounted=False), "not_stored"


def test_on_a_full_disk_slips_wait_on_the_phones_and_are_stored_once_when_there_is_room(
    full: tuple[GameOnOneServer, SmallDisk, str],
) -> None:
    live_game, disk, kind = full
    first, second = live_game.phone(1), live_game.phone(2)
    before, after = slip(1), slip(1, word="ORO")
    assert first.hand_in(before)["in_time"] is True
    disk.fill()
    second.send(after)
    told = live_game.watch.alarm(kind)
    assert "phones keep" in told
    assert live_game.watching().alarm(kind) == told, "a desk that is opened now is told, too"
    for page in PAGES:
        assert live_game.desk.page(page).status == 200, page
    refused = live_game.desk.act("close")
    assert refused.status == 503
    assert "phones keep" in refused.headers["hx-trigger"]
    second.drain(0.5)
    again = live_game.phone(2)  # a page whose slip is not answered comes back and sends it again
    again.send(after)
    again.drain(0.5)
    assert not live_game.answered(after, second)
    assert not live_game.answered(after, again)
    assert len(live_game.stored()) == 1
    disk.make_room()
    assert live_game.watch.alarm("stored_again") == ("Everything can be stored again; the phones send what has waited.")
    again.send(after)
    assert answer_to(again, after, time.monotonic() + PATIENCE_S)["in_time"] is True
    assert [(str(row[0]).replace("-", ""), row[1]) for row in live_game.stored()] == [
        (message["id"].replace("-", ""), 1) for message in (before, after)
    ]
    assert live_game.desk.act("close").status == 200
    assert "Traceback (most recent call last)" not in live_game.desk.page("main/").text


def test_a_slip_that_was_read_in_time_stays_in_time_though_the_disk_had_no_room_until_the_end(
    full: tuple[GameOnOneServer, SmallDisk, str],
) -> None:
    live_game, disk, kind = full
    first, second = live_game.phone(1), live_game.phone(2)
    in_time, late = slip(1), slip(1, word="ORO")
    live_game.ends_in(7)
    disk.fill()
    assert first.hand_in(in_time, 30)["why"] == "not_stored"
    live_game.watch.alarm(kind)
    first.drain(9)  # phones count down by themselves; the closing itself has to be stored, too
    disk.make_room()
    assert second.hand_in(late, 20)["in_time"] is False
    assert first.hand_in(in_time, 20)["in_time"] is True
    until(lambda: live_game.stored("SELECT state FROM tournaments_turnclock") == [("closed",)])
    assert sorted(row[1] for row in live_game.stored()) == [0, 1], "closing judges by the moment it was read, too"


def test_a_database_that_another_program_holds_is_told_and_waited_for(tmp_path: Path, stack: ExitStack) -> None:
    live_game = GameOnOneServer(tmp_path / "data", stack)
    phone, message = live_game.phone(1), slip(1)
    with closing(sqlite3.connect(live_game.database, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        phone.send(message)
        assert live_game.watch.alarm("locked").startswith("Another program holds the database in ")
        assert live_game.desk.page("main/").status == 200
        phone.drain(0.3)
        assert not live_game.answered(message, phone)
        other.execute("ROLLBACK")
    live_game.watch.alarm("stored_again")
    phone.send(message)
    assert answer_to(phone, message, time.monotonic() + PATIENCE_S)["in_time"] is True
    assert len(live_game.stored()) == 1
    assert live_game.desk.act("close").status == 200


@pytest.mark.skipif(os.geteuid() == 0 and shutil.which("setpriv") is None, reason="root may write everywhere")
def test_a_folder_that_becomes_read_only_in_mid_turn_loses_no_slip_and_is_told(stack: ExitStack) -> None:
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="multiplo-served-")))
    live_game = GameOnOneServer(folder / "data", stack, prefix=AS_ANYBODY, BACKUP_DIR=str(folder / "stick"))
    phone, message = live_game.phone(1), slip(1)
    files = list((folder / "data").glob("multiplo.sqlite3*"))
    for path in files:
        path.chmod(0o444)
    (folder / "data").chmod(0o555)
    try:
        phone.send(message)
        assert "cannot be written to" in live_game.watch.alarm("read_only")
        assert not live_game.answered(message, phone)
        refused = live_game.desk.act("close")
        assert refused.status == 503
        assert "cannot be written to" in refused.headers["hx-trigger"]
        typed = live_game.desk.act("paper", line="2 8D CORNO 22")
        assert typed.status == 503
        for page in PAGES:
            assert live_game.desk.page(page).status == 200, page
    finally:
        (folder / "data").chmod(0o755)
        for path in files:
            path.chmod(0o644)
    live_game.watch.alarm("stored_again")
    assert live_game.phone(1).hand_in(message)["in_time"] is True
    assert live_game.desk.act("paper", line="2 8D CORNO 22").status == 200
    assert live_game.desk.act("close").status == 200
    assert len(live_game.stored()) == 2


@pytest.mark.skipif(os.geteuid() == 0 and shutil.which("setpriv") is None, reason="root may write everywhere")
def test_a_start_on_a_read_only_folder_is_one_sentence(stack: ExitStack) -> None:
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="multiplo-served-")))
    folder.chmod(0o555)
    command = [*AS_ANYBODY, sys.executable, "manage.py", "serve", "--data", str(folder), "--no-browser"]
    variables = {**os.environ, "LANG": "C.UTF-8"}
    started = subprocess.run(
        command, cwd=ROOT, env=variables, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    folder.chmod(0o755)
    assert started.returncode == 2
    assert "cannot be written to" in started.stderr
    assert "--data DIR" in started.stderr
    assert "Traceback" not in started.stderr


def test_what_a_killed_server_leaves_in_its_journal_is_there_after_the_next_start(
    tmp_path: Path, stack: ExitStack
) -> None:
    live_game = GameOnOneServer(tmp_path / "data", stack)
    phone, message = live_game.phone(1), slip(1)
    assert phone.hand_in(message)["in_time"] is True
    live_game.served.stop(signal.SIGKILL)
    left = {path.name for path in (tmp_path / "data").glob("multiplo.sqlite3-*")}
    assert left == {"multiplo.sqlite3-wal", "multiplo.sqlite3-shm"}
    alone = tmp_path / "alone.sqlite3"
    shutil.copy(live_game.database, alone)
    with closing(sqlite3.connect(alone)) as base:
        assert not base.execute("SELECT name FROM sqlite_master WHERE name = 'tournaments_slip'").fetchall() or (
            base.execute("SELECT count(*) FROM tournaments_slip").fetchone() == (0,)
        ), "the slip has to be in the journal alone, or this test shows nothing"
    live_game.served.again()
    back = live_game.phone(1)
    assert back.hand_in(message)["in_time"] is True
    assert len(live_game.stored()) == 1
    with closing(sqlite3.connect(live_game.database, timeout=PATIENCE_S)) as base:
        assert base.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
        assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    shutil.copy(live_game.database, alone)
    with closing(sqlite3.connect(alone)) as base:
        assert base.execute("SELECT count(*) FROM tournaments_slip").fetchone() == (1,)
