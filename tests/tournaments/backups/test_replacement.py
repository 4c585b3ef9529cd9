"""A replacement that is interrupted between any two steps leaves the old or the new database, and can be completed."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.server.data_lock import lock_data_folder
from referee.setup.environment import Environment
from referee.setup.folders import find_project
from referee.setup.start import _prepare
from tournaments.backups.replacement import complete_replacement, make_staging_folder, write_plan

pytestmark = pytest.mark.sqlite_file
OLD_KEY, NEW_KEY = "the old key " * 5, "the new key " * 5
ROOT = Path(__file__).resolve().parents[3]
NOW = datetime(2026, 11, 22, 20, 15, 30, tzinfo=UTC)
DIE_AT = """
import os, sys
from pathlib import Path
from tournaments.backups.replacement import complete_replacement

left = int(sys.argv[2])
def die(event, arguments):
    global left
    if event in ("os.rename", "os.remove", "os.rmdir"):
        if not left:
            os._exit(9)
        left -= 1
sys.addaudithook(die)
complete_replacement(Path(sys.argv[1]))
"""


def write_database(path: Path, word: str, *, in_journal: bool = False) -> None:
    base = sqlite3.connect(path)
    base.execute("CREATE TABLE words (word TEXT)")
    base.commit()
    if not in_journal:
        base.execute("INSERT INTO words VALUES (?)", [word])
        base.commit()
        base.close()
        return
    base.close()
    line = "import os, sqlite3, sys; base = sqlite3.connect(sys.argv[1]); base.execute('PRAGMA journal_mode=WAL');"
    line += "base.execute('INSERT INTO words VALUES (?)', [sys.argv[2]]); base.commit(); os._exit(0)"
    subprocess.run([sys.executable, "-c", line, str(path), word], check=True, timeout=60)
    assert path.with_name(f"{path.name}-wal").stat().st_size


def read_database(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as base:
        return [word for (word,) in base.execute("SELECT word FROM words")]


def plan(data: Path) -> None:
    """A data folder whose newest slip is in the journal, and a staged database with key and word list."""
    data.mkdir()
    write_database(data / "multiplo.sqlite3", "OLD", in_journal=True)
    (data / "secret_key").write_text(OLD_KEY)
    staged = make_staging_folder(data)
    write_database(staged / "multiplo.sqlite3", "NEW")
    (staged / "secret_key").write_text(NEW_KEY)
    (staged / "lexicons").mkdir()
    (staged / "lexicons" / "club.txt").write_text("CASA\n")
    write_plan(data, NOW)


def require_replaced(data: Path) -> None:
    assert read_database(data / "multiplo.sqlite3") == ["NEW"]
    [old] = [path for path in data.glob("multiplo.sqlite3.before-*") if not path.name.endswith(("-wal", "-shm"))]
    assert read_database(old) == ["OLD"]
    assert (data / "secret_key").read_text() == NEW_KEY
    assert [path.read_text() for path in data.glob("secret_key.before-*")] == [OLD_KEY]
    assert (data / "lexicons" / "club.txt").read_text() == "CASA\n"
    assert not (data / "restored" / "plan.json").exists()


def test_it_is_completed_after_a_crash_between_any_two_steps(tmp_path: Path) -> None:
    steps = 0
    while True:
        data = tmp_path / f"step-{steps}"
        plan(data)
        line = [sys.executable, "-c", DIE_AT, str(data), str(steps)]
        done = subprocess.run(line, cwd=ROOT, env={**os.environ}, timeout=60, check=False)
        planned = (data / "restored" / "plan.json").exists()
        assert planned or read_database(data / "multiplo.sqlite3") == ["NEW"]
        complete_replacement(data)
        require_replaced(data)
        if done.returncode == 0:
            break
        assert done.returncode == 9
        steps += 1
    assert steps > 8


def test_nothing_happens_without_a_plan(tmp_path: Path) -> None:
    write_database(tmp_path / "multiplo.sqlite3", "OLD")
    staged = make_staging_folder(tmp_path)
    write_database(staged / "multiplo.sqlite3", "HALF")
    assert complete_replacement(tmp_path) is None
    assert read_database(tmp_path / "multiplo.sqlite3") == ["OLD"]


def test_the_next_command_completes_it_unless_a_server_runs(tmp_path: Path) -> None:
    data = tmp_path / "data"
    plan(data)
    project, environment = find_project(ROOT, str(data)), Environment(Path(sys.prefix), ROOT, ours=False)
    held = lock_data_folder(data)
    assert held is not None
    _prepare(project, environment, ["backup"])
    assert (data / "restored" / "plan.json").exists()
    fcntl.flock(held, fcntl.LOCK_UN)
    os.close(held)
    _prepare(project, environment, ["backup"])
    require_replaced(data)


@pytest.mark.parametrize("name", ["multiplo.sqlite3", "secret_key"])
def test_a_second_replacement_in_the_same_second_keeps_what_the_first_kept(tmp_path: Path, name: str) -> None:
    data = tmp_path / "data"
    plan(data)
    complete_replacement(data)
    staged = make_staging_folder(data)
    write_database(staged / "multiplo.sqlite3", "THIRD")
    (staged / "secret_key").write_text("third key")
    write_plan(data, NOW)
    complete_replacement(data)
    assert len([path for path in data.glob(f"{name}.before-*") if not path.name.endswith(("-wal", "-shm"))]) == 2
