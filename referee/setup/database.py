"""Checks of the embedded database before Django opens it: integrity, and tables of this version."""

from __future__ import annotations

import contextlib
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

from engine.version import VERSION, is_newer, version_of_number
from referee.setup.faults import DATA_NOT_WRITABLE, SetupFault
from referee.setup.folders import Project, is_set
from referee.setup.messages import translate as _
from referee.setup.records import fingerprint


def is_ours() -> bool:
    """Return True if the database is the file in the data folder, not one of DATABASE_URL."""
    return not is_set("DATABASE_URL")


def complete_restore(project: Project) -> None:
    """Put a restored database in place if a crash has interrupted that. Raises OSError."""
    if not is_ours() or not (project.data / "restored" / "plan.json").exists():
        return
    from referee.server.data_lock import is_data_folder_locked
    from tournaments.backups.replacement import complete_replacement

    if not is_data_folder_locked(project.data):
        complete_replacement(project.data)


def refuse_damaged(path: Path) -> None:
    """Rename a damaged database with its journal files and raise SetupFault. Nothing is written into it."""
    reason = find_damage(path) if path.exists() else None
    if reason is None:
        return
    renamed = path.with_name(f"{path.name}.damaged-{datetime.now().astimezone():%Y%m%d-%H%M%S-%f}")
    for companion in ("", "-wal", "-shm", "-journal"):
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + companion).rename(renamed.with_name(renamed.name + companion))
    sentence = _(
        "The database {database} is damaged ({reason}) and is kept aside as {kept}: put a backup in its place, "
        "or run the same command again to begin with an empty one."
    )
    raise SetupFault(sentence.format(database=path, reason=reason, kept=renamed.name))


def find_damage(path: Path) -> str | None:
    """Return SQLite's message about a damaged file, None if it is sound or locked by a running program.

    Raises SetupFault for a file that cannot be opened, which says nothing about its content.
    """
    try:
        verdict = str(_read(path, "PRAGMA quick_check(1)")[0][0])
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            return None
        raise SetupFault(DATA_NOT_WRITABLE.format(folder=path, reason=error)) from error
    except sqlite3.DatabaseError as error:
        return str(error)
    return None if verdict == "ok" else verdict.splitlines()[-1]


def refuse_newer(project: Project) -> None:
    """Raise SetupFault if the database belongs to a newer program: by its version or by an unknown migration."""
    known = {path.stem for path in project.root.glob("tournaments/migrations/[0-9]*.py")}
    try:
        applied = _read(project.database, "SELECT name FROM django_migrations WHERE app = 'tournaments'")
        number = _read(project.database, "PRAGMA application_id")[0][0]
    except sqlite3.Error:
        return
    newer = version_of_number(int(str(number)))
    if is_newer(newer):
        sentence = _(
            "The data in {folder} belong to Multiplo {newer} and this is Multiplo {own}: run the newer one, or begin "
            "in an empty folder with the option --data FOLDER. Nothing was changed."
        )
    elif {name for (name,) in applied} - known:
        sentence = _(
            "The data in {folder} belong to a newer Multiplo than this one ({own}): run the newer one, or begin in an "
            "empty folder with the option --data FOLDER. Nothing was changed."
        )
    else:
        return
    raise SetupFault(sentence.format(folder=project.data, newer=newer, own=VERSION))


def upgrade_report(project: Project) -> str | None:
    """Return the sentence on the last upgrade of the data folder; None if there was none."""
    from tournaments.backups.upgrade_record import read_record

    record = read_record(project.data)
    sentence = _("The data were upgraded from Multiplo {old} to {new}. The backup from before is {backup}.")
    return None if record is None else sentence.format(old=record.old, new=record.new, backup=record.backup)


def list_missing_migrations(project: Project) -> set[str]:
    """Return the names of this program's migrations that a database file does not have yet."""
    known = {path.stem for path in project.root.glob("tournaments/migrations/0*.py")}
    try:
        return known - {
            str(name)
            for (name,) in _read(project.database, "SELECT name FROM django_migrations WHERE app = 'tournaments'")
        }
    except sqlite3.Error:
        return known


def is_migrated(project: Project) -> bool:
    """Return True if `migrate` has nothing to do. It is determined without Django.

    A database of DATABASE_URL is migrated by the command `migrate` only.
    """
    try:
        return not is_ours() or _read(project.database, "PRAGMA user_version") == [(_version(project.root),)]
    except sqlite3.Error:
        return False


def seal_migrated(project: Project) -> None:
    """Record in the database itself that it has the tables of this version, so that a copy carries the record."""
    with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(project.database)) as connection:
        connection.execute(f"PRAGMA user_version = {_version(project.root)}")


def newest_entry(path: Path) -> datetime | None:
    """Return the time of the newest entry in the ledger of a database file; None without one."""
    try:
        ((newest,),) = _read(path, "SELECT max(at) FROM tournaments_ledgerentry")
    except sqlite3.Error:
        return None
    return None if newest is None else datetime.fromisoformat(str(newest)).replace(tzinfo=UTC)


def _version(root: Path) -> int:
    """Return a number of 31 bits for the program, its migrations and the packages, which have their own."""
    return int(fingerprint(root, ("engine/version.py", "requirements.txt", "*/migrations/*.py"))[:8], 16) >> 1


def _read(path: Path, query: str) -> list[tuple[object, ...]]:
    # Read-only: closing a writable connection would merge the journal into a file that may be damaged.
    address = f"{path.absolute().as_uri()}?mode=ro"
    try:
        with contextlib.closing(sqlite3.connect(address, uri=True, timeout=5)) as connection:
            return connection.execute(query).fetchall()
    except UnicodeDecodeError as error:  # SQLite's message quotes a damaged name that is not UTF-8
        raise sqlite3.DatabaseError(str(error)) from error
