"""The embedded database before Django sees it: is it whole, and are its tables those of this program?"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

from referee.setup import faults, pins
from referee.setup.environment import RUNTIME
from referee.setup.project import Project

_COMPANIONS = ("", "-wal", "-shm", "-journal")


def is_ours() -> bool:
    """Whether the database is the file in the data folder; with DATABASE_URL it is somebody else's."""
    return not os.environ.get("DATABASE_URL")


def refuse_damaged(path: Path) -> None:
    """Rename a damaged database, with what belongs to it, and raise SetupFault. Nothing is written into it."""
    reason = damage(path) if path.exists() else None
    if reason is None:
        return
    kept = _free_name(path)
    for companion in _COMPANIONS:
        part = path.with_name(path.name + companion)
        if part.exists():
            part.rename(kept.with_name(kept.name + companion))
    raise faults.SetupFault(faults.damaged_database(path, reason, kept))


def refuse_other_version(project: Project) -> None:
    """Raise SetupFault when migrations that this program does not have were applied to the database."""
    if not project.database.exists():
        return
    known = {path.stem for path in project.root.glob("tournaments/migrations/0*.py")}
    try:
        with closing(_read_only(project.database)) as connection:
            rows = connection.execute("SELECT name FROM django_migrations WHERE app = 'tournaments'").fetchall()
    except sqlite3.Error:
        return
    if {name for (name,) in rows} - known:
        raise faults.SetupFault(faults.data_of_other_version(project.data))


def _free_name(path: Path) -> Path:
    stamp = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    wanted = path.with_name(f"{path.name}.damaged-{stamp}")
    number = 1
    while wanted.exists():
        number += 1
        wanted = path.with_name(f"{path.name}.damaged-{stamp}-{number}")
    return wanted


def damage(path: Path) -> str | None:
    """What is wrong with a database file in SQLite's words; None when it is whole, or locked and so in use.

    Raises SetupFault for a file that cannot be opened at all: that says nothing about its content.
    """
    try:
        with closing(_read_only(path)) as connection:
            verdict = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            return None
        raise faults.SetupFault(faults.data_not_writable(path, str(error))) from error
    except sqlite3.DatabaseError as error:
        return str(error)
    return None if verdict == "ok" else verdict.splitlines()[-1]


def _read_only(path: Path) -> sqlite3.Connection:
    # Read-only: closing a writing connection would fold the journal into a file that may be damaged.
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=5)


def is_migrated(project: Project) -> bool:
    """Whether `migrate` has nothing to do. Found without Django; a foreign database is always left to Django."""
    if not (is_ours() and project.database.exists()):
        return False
    try:
        seal = json.loads(_seal_path(project).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(seal == _state(project))


def seal_migrated(project: Project) -> None:
    """Remember the state that `migrate` has just reached."""
    if is_ours():
        _seal_path(project).write_text(json.dumps(_state(project)), encoding="utf-8")


def _seal_path(project: Project) -> Path:
    return project.data / "migrated.json"


def _state(project: Project) -> dict[str, str]:
    """What the code asks for (its migrations, and Django's by their pins) and what the database says it has."""
    asked = hashlib.sha256(pins.fingerprint(project.root / RUNTIME).encode())
    for path in sorted(project.root.glob("*/migrations/*.py")):
        asked.update(str(path.relative_to(project.root)).encode() + path.read_bytes())
    return {"asked": asked.hexdigest(), "applied": _applied(project.database)}


def _applied(path: Path) -> str:
    try:
        with closing(_read_only(path)) as connection:
            rows = connection.execute("SELECT app, name FROM django_migrations ORDER BY id").fetchall()
    except sqlite3.Error:
        return ""
    return hashlib.sha256(repr(rows).encode()).hexdigest()
