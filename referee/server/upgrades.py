"""Upgrades of existing data to the tables of this program, and refusal of data of a newer one.

The database of a data folder is upgraded as a copy, which takes its place when all migrations have succeeded and a
backup from before is written. Until then nothing is changed.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.utils.translation import gettext as _

from engine.version import VERSION, is_newer, version_key
from referee.server.backup_scheduler import get_backup_folder
from referee.server.data_lock import is_data_folder_locked
from tournaments.backups.backup_file import copy_database, read_backup, write_backup
from tournaments.backups.data_version import read_version
from tournaments.backups.replacement import (
    DATABASE,
    DATABASE_SUFFIXES,
    complete_replacement,
    discard_staged,
    make_staging_folder,
    write_plan,
)
from tournaments.backups.restore import merge_journal
from tournaments.backups.upgrade_record import UpgradeRecord, write_record
from tournaments.errors import Refused
from tournaments.now import utc_now
from tournaments.validators import one_line

Migrate = Callable[[], object]
_LONGEST_REASON = 300
_MIGRATION_LOCK = int.from_bytes(b"migrate")


@dataclass(frozen=True, slots=True)
class DataState:
    """State of a database: the recorded version, and whether it has tables, unknown and missing migrations."""

    version: str
    is_empty: bool
    unknown: tuple[str, ...]
    is_behind: bool

    @property
    def is_newer(self) -> bool:
        """Return True for a database of a newer program."""
        return bool(self.unknown) or is_newer(self.version)

    @property
    def is_older(self) -> bool:
        """Return True for a database of an older program, which has to be upgraded."""
        return not self.is_empty and (self.is_behind or version_key(self.version) < version_key(VERSION))


def read_data_state(connection: BaseDatabaseWrapper) -> DataState:
    """Compare the migrations of a database with those of this program."""
    loader = MigrationLoader(connection)
    applied, known = set(loader.applied_migrations or ()), set(loader.disk_migrations or ())
    ours = {name for app, name in applied if app == "tournaments"}
    unknown = sorted(name for app, name in applied - known if app == "tournaments")
    return DataState(read_version(connection), not ours, tuple(unknown), is_behind=bool(known - applied))


def require_not_newer(state: DataState) -> None:
    """Refuse a database of a newer program."""
    if not state.is_newer:
        return
    words = {"newer": state.version, "own": VERSION, "migrations": ", ".join(state.unknown)}
    if is_newer(state.version):
        sentence = _("The data belong to Multiplo %(newer)s and this is Multiplo %(own)s: run the newer one.")
    else:
        sentence = _(
            "The data belong to a newer Multiplo (%(migrations)s is unknown) and this is Multiplo %(own)s: "
            "run the newer one."
        )
    raise Refused(sentence % words + " " + _("Nothing was changed."))


def is_of_data_folder(connection: BaseDatabaseWrapper) -> bool:
    """Return True for the database file of the data folder, False for copies, test databases and PostgreSQL."""
    return (
        connection.vendor == "sqlite"
        and Path(connection.settings_dict["NAME"]).absolute() == (Path(settings.DATA_DIR) / DATABASE).absolute()
    )


def upgrade_data_folder(migrate: Migrate, old: str) -> UpgradeRecord:
    """Upgrade a copy of the data folder's database, write a backup, and put the copy in its place.

    Raises `Refused` with the data as they were.
    """
    data = Path(settings.DATA_DIR)
    if is_data_folder_locked(data):
        raise Refused(
            _("An older Multiplo is running on the folder %(folder)s: stop it with Ctrl-C, then start this one.")
            % {"folder": data}
        )
    try:
        staged = make_staging_folder(data)
        try:
            return _upgrade_copy(data, staged, migrate, old)
        except BaseException:
            if (data / DATABASE).exists():  # else the replacement has begun, and the next start completes it
                discard_staged(data)
            raise
    except (OSError, sqlite3.Error) as error:
        raise _failure(old, error) from error


def _upgrade_copy(data: Path, staged: Path, migrate: Migrate, old: str) -> UpgradeRecord:
    os.close(os.open(staged / DATABASE, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    copy_database(data / DATABASE, staged / DATABASE)
    try:
        with use_database(staged / DATABASE):
            migrate()
    except Exception as error:  # a migration may raise anything
        raise _failure(old, error) from error
    merge_journal(staged / DATABASE)
    now = utc_now()
    record = UpgradeRecord(old, VERSION, now.isoformat(), str(_back_up(data)))
    connections.close_all()
    write_plan(data, now)
    replaced = complete_replacement(data)
    with suppress(OSError):
        write_record(data, record)
    if replaced is not None:
        for suffix in DATABASE_SUFFIXES:
            with suppress(OSError):  # the backup has the same content
                replaced.with_name(replaced.name + suffix).unlink(missing_ok=True)
    return record


def _back_up(data: Path) -> Path:
    """Write and check the backup from before the upgrade."""
    folder, now = get_backup_folder(), utc_now()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path = write_backup(
            folder,
            database=data / DATABASE,
            data=data,
            secret_key=settings.SECRET_KEY,
            now=now,
            name=f"multiplo-before-upgrade-to-{VERSION}-{now:%Y%m%d-%H%M%S}.zip",
        )
    except OSError as error:
        raise Refused(
            _(
                "The data are not upgraded, because the backup from before cannot be written to %(folder)s "
                "(%(reason)s): free some space, or name another folder in the variable BACKUP_DIR. Nothing was changed."
            )
            % {"folder": folder, "reason": error.strerror or error}
        ) from error
    read_backup(path)
    return path


def _failure(old: str, error: BaseException) -> Refused:
    words = {"old": old, "new": VERSION, "reason": _describe(error)}
    return Refused(
        _(
            "The data of Multiplo %(old)s could not be upgraded to %(new)s (%(reason)s): nothing was changed, so go on "
            "with Multiplo %(old)s and report this sentence."
        )
        % words
    )


def upgrade_server_database(migrate: Migrate, old: str) -> None:
    """Upgrade a database of DATABASE_URL, of which its owner has a copy. Raises `Refused`."""
    try:
        migrate()
    except Exception as error:  # a migration may raise anything
        words = {"old": old, "new": VERSION, "reason": _describe(error)}
        raise Refused(
            _(
                "The database of Multiplo %(old)s could not be upgraded to %(new)s (%(reason)s): put the copy made "
                "with pg_dump in its place, go on with Multiplo %(old)s and report this sentence."
            )
            % words
        ) from error


@contextmanager
def only_one_migrates(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Wait until no other process migrates this database of a server, and hold the others off."""
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [_MIGRATION_LOCK])
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [_MIGRATION_LOCK])


def require_upgraded(state: DataState) -> None:
    """Refuse a database of DATABASE_URL without the tables of this program; only `manage.py migrate` makes them."""
    if state.is_empty:
        raise Refused(
            _("The database has no tables yet: make them with %(command)s migrate") % {"command": settings.COMMAND}
        )
    if state.is_behind:
        raise Refused(
            _(
                "The database has the tables of Multiplo %(old)s and this is Multiplo %(own)s: stop all processes, "
                "make a copy with pg_dump, then run: %(command)s migrate"
            )
            % {"old": state.version, "own": VERSION, "command": settings.COMMAND}
        )


def _describe(error: BaseException) -> str:
    return f"{type(error).__name__}: {one_line(str(error))}"[:_LONGEST_REASON]


@contextmanager
def use_database(path: Path) -> Iterator[None]:
    """Use another SQLite file as the database of this process."""
    connections.close_all()
    settled = connections["default"].settings_dict
    present = settled["NAME"]
    settled["NAME"] = str(path)
    try:
        yield
    finally:
        connections.close_all()
        settled["NAME"] = present
