"""`deploy/backup` with a PostgreSQL of its own: after its files are lost, all acknowledged slips come back."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.chaos import programs
from tests.chaos.conftest import opened
from tests.chaos.hall import ServerGroup
from tests.chaos.programs import ROOT, Program, free_port
from tests.referee.live.actor import DatabaseProcess
from tests.referee.live.live_game import install_words, slip
from tests.waiting import PATIENCE_S, until

pytestmark = [pytest.mark.services, pytest.mark.endurance]
SCRIPTS = ROOT / "deploy" / "backup"
PHONES = 3


class BackupJob:
    """The backup job of a server, run by the server's user, with its files in `folder`."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.user = programs.POSTGRES_USER if os.geteuid() == 0 else None
        folder.mkdir()
        if self.user is not None:
            shutil.chown(folder, self.user, self.user)
        self.scripts = shutil.copytree(SCRIPTS, folder.with_name("scripts"))  # which that user can reach
        self.environment = {
            "BACKUPS": str(folder),
            "PATH": f"{programs.postgres_binaries()}:{os.environ['PATH']}",
            "PGHOST": "127.0.0.1",
            "PGPORT": str(port),
            "PGUSER": "postgres",
            "PGDATABASE": "postgres",
        }
        command = [str(self.scripts / "backup"), "run"]
        self.program = Program("backup", command, folder, self._is_healthy, self.environment, self.user)

    def run(self, script: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run one of the scripts to its end."""
        command = [str(self.scripts / script), *arguments]
        environment = {**os.environ, **self.environment, **variables}
        folder, user = self.folder, self.user
        return subprocess.run(command, env=environment, cwd=folder, user=user, capture_output=True, text=True)

    def _is_healthy(self) -> bool:
        return self.run("backup", "check").returncode == 0


@pytest.fixture
def hall() -> Iterator[ServerGroup]:
    with opened("postgres") as hall:
        install_words(hall.folder / "data" / "lexicons")
        yield hall


def test_slips_come_back_from_the_stream_from_a_moment_and_from_a_dump(hall: ServerGroup) -> None:
    port = urlsplit(hall.variables["DATABASE_URL"]).port or 0
    backup = BackupJob(hall.folder / "backups", port)
    with ExitStack() as until_the_end:
        phones = _phones(hall, until_the_end)
        before_copy = _submit_slips(phones)
        until_the_end.callback(backup.program.stop)
        backup.program.start()
        # From here on a transaction is confirmed only when the backup has it, too.
        _execute(port, "ALTER SYSTEM SET synchronous_standby_names = 'pg_receivewal'")
        _execute(port, "SELECT pg_reload_conf()")
        until(lambda: _execute(port, "SHOW synchronous_standby_names") == ["pg_receivewal"])
        before_moment = before_copy | _submit_slips(phones)
        moment = _wait_for_next_second()
        acknowledged = before_moment | _submit_slips(phones)
        hall.programs["postgres"].kill()
        shutil.rmtree(hall.folder / "postgres" / "data")

    with ExitStack() as until_the_end:
        from_stream = _restore_wal(backup, hall.folder / "from-stream", until_the_end)
        assert _slips(from_stream) == acknowledged
        [dump] = backup.folder.glob("dumps/*.dump")
        restored = backup.run("restore", "dump", str(dump), "from_dump", PGPORT=str(from_stream))
        assert restored.returncode == 0, restored.stderr
        assert _slips(from_stream, "from_dump") == before_copy
        assert _slips(_restore_wal(backup, hall.folder / "from-moment", until_the_end, moment)) == before_moment
        # The backup of the restored server begins a new log and makes a new copy.
        backup.environment["PGPORT"] = str(from_stream)
        backup.program.start()
        until_the_end.callback(backup.program.stop)
        assert len(list(backup.folder.glob("base/2*"))) == 2
        assert len(list(backup.folder.glob("wal.2*"))) == 1


def test_nothing_that_exists_is_overwritten(tmp_path: Path) -> None:
    backups, folder = tmp_path / "backups", tmp_path / "data"
    (backups / "base" / "20260101T000000Z").mkdir(parents=True)
    folder.mkdir()
    (folder / "PG_VERSION").touch()

    def restore(*arguments: str) -> str:
        command = [str(SCRIPTS / "restore"), "wal", *arguments]
        ended = subprocess.run(command, env={**os.environ, "BACKUPS": str(backups)}, capture_output=True, text=True)
        assert ended.returncode == 1
        return ended.stderr

    assert "is not empty" in restore(str(folder))
    assert "write the time as" in restore(str(tmp_path / "new"), "yesterday")
    assert "no copy from before" in restore(str(tmp_path / "new"), "2025-12-31 23:59:59")
    assert not (tmp_path / "new").exists()


def _phones(hall: ServerGroup, until_the_end: ExitStack) -> list[ClientConnection]:
    """Connected phones in a turn whose clock runs."""
    actor = DatabaseProcess({**os.environ, **hall.variables})
    cookies = [actor.do("cookie", 1 + number) for number in range(PHONES)]
    actor.do("draw", "CORNOAT")
    actor.do("announce")
    actor.leave()
    host = f"127.0.0.1:{hall.ports[0]}"
    origin = Origin(f"http://{host}")
    return [
        until_the_end.enter_context(
            connect(f"ws://{host}/ws/phone/", origin=origin, additional_headers={"Cookie": cookie}, proxy=None)
        )
        for cookie in cookies
    ]


def _submit_slips(phones: Sequence[ClientConnection]) -> set[str]:
    """Submit a slip from each phone; return their ids, which the server has acknowledged."""
    acknowledged = set()
    for phone in phones:
        sent = slip(1)
        phone.send(json.dumps(sent))
        message = {"t": ""}
        while message["t"] not in ("ack", "refused") or message["id"] != sent["id"]:
            message = json.loads(phone.recv(timeout=PATIENCE_S))
        assert message["t"] == "ack"
        acknowledged.add(sent["id"])
    return acknowledged


def _wait_for_next_second() -> str:
    """Return a whole second (UTC) that lies after everything so far and before everything to come."""
    second = int(time.time()) + 1
    time.sleep(max(0.0, second + 0.1 - time.time()))
    return time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(second))


def _restore_wal(backup: BackupJob, folder: Path, until_the_end: ExitStack, *moment: str) -> int:
    """Restore the server's files and start a server on them; return its port."""
    folder.mkdir()
    if backup.user is not None:
        shutil.chown(folder, backup.user, backup.user)
    restored = backup.run("restore", "wal", str(folder / "data"), *moment)
    assert restored.returncode == 0, restored.stderr
    port = free_port()
    server = programs.postgres(folder, port)
    until_the_end.callback(server.stop)
    server.start()
    # A change waits for the backup of this server, which is not there yet.
    _execute(port, "ALTER SYSTEM RESET synchronous_standby_names")
    _execute(port, "SELECT pg_reload_conf()")
    return port


def _slips(port: int, database: str = "postgres") -> set[str]:
    return set(_execute(port, "SELECT client_id::text FROM tournaments_slip", database))


def _execute(port: int, statement: str, database: str = "postgres") -> list[str]:
    """Run a statement; return the first column of its rows."""
    url = f"postgresql://postgres@127.0.0.1:{port}/{database}"
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(statement)
        return [row[0] for row in cursor] if cursor.description else []
