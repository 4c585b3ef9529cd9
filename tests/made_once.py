"""Files that are expensive to make: one test process makes them, all processes of the run copy or read them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from referee.setup import lock

ROOT = Path(__file__).resolve().parent.parent


def made_once(name: str, make: Callable[[Path], object]) -> Path:
    """The folder `name` of this run; whoever comes first has `make` fill it, the others wait for that."""
    shared = Path(os.environ["TESTS_SHARED"])
    folder, locked = shared / name, shared / f"{name}.lock"
    locked.touch()
    with lock.hold_lock(locked, lambda: None):
        if not folder.exists():
            unfinished = shared / f"{name}.unfinished"
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir()
            make(unfinished)
            unfinished.rename(folder)
    return folder


def copy_migrated_database(data: Path) -> None:
    """Put a database with all tables and no row of ours into a data folder."""
    shutil.copy(made_once("migrated", _migrate) / "multiplo.sqlite3", data)


def _migrate(data: Path) -> None:
    variables = {"DATA_DIR": str(data), "DJANGO_SETTINGS_MODULE": "referee.settings", "DATABASE_URL": ""}
    command = [sys.executable, "-m", "django", "migrate", "-v0", "--skip-checks"]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "SECRET_KEY": "of the tests", **variables}, check=True)
    # What a last connection leaves beside the file is in it when that connection is closed; a copy needs no more.
    assert not (data / "multiplo.sqlite3-wal").exists() or not (data / "multiplo.sqlite3-wal").stat().st_size
