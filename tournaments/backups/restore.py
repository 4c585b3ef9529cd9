"""Restoring of a backup in place of the present database, which is renamed and never deleted."""

from __future__ import annotations

import os
import shutil
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path, PurePosixPath

from django.db.migrations.loader import MigrationLoader
from django.utils.translation import gettext as _

from tournaments.backups.backup_file import (
    DATABASE,
    DESCRIPTION,
    KEY,
    BackupInfo,
    newer_version_sentence,
    open_bundle,
    open_database,
)
from tournaments.errors import Refused
from tournaments.validators import one_line

_DATABASE_SUFFIXES = ("", "-wal", "-shm", "-journal")


def restore_backup(
    bundle: Path, *, data: Path, now: datetime, bring_up_to_date: Callable[[Path], None] = lambda database: None
) -> tuple[BackupInfo, Path | None]:
    """Restore the database, the key and the organiser's files of a backup to a data folder that is not in use.

    Return the description of the backup and the path of the replaced database. `Refused` is raised before any change.
    If the tables are from an older version, `bring_up_to_date` migrates the unpacked database before it replaces the
    present one; a database that cannot be migrated is refused.
    """
    data.mkdir(parents=True, exist_ok=True)
    fresh, key = data / f"{DATABASE}.restoring", data / f"{KEY}.restoring"
    try:
        with open_bundle(bundle) as (about, packed):
            _extract(packed, DATABASE, fresh)
            _extract(packed, KEY, key)
            _require_intact(bundle, fresh)
            _require_known_tables(bundle, fresh)
            _require_migratable(bundle, fresh, bring_up_to_date)
            _install_own_files(packed, data)
        # All files are written; from here on they are only renamed.
        replaced = _rename_present_database(data, now)
        _install_key(key, data, now)
        fresh.replace(data / DATABASE)
    finally:
        key.unlink(missing_ok=True)
        for companion in _DATABASE_SUFFIXES:
            fresh.with_name(fresh.name + companion).unlink(missing_ok=True)
    return about, replaced


def _extract(packed: zipfile.ZipFile, name: str, target: Path) -> None:
    target.unlink(missing_ok=True)
    with packed.open(name) as source, open(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        shutil.copyfileobj(source, out)
        out.flush()
        os.fsync(out.fileno())


def _require_intact(bundle: Path, database: Path) -> None:
    try:
        with open_database(database, "rw") as base:
            verdict = base.execute("PRAGMA integrity_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        verdict = str(error)
    if verdict != "ok":
        raise Refused(
            _("The database in %(path)s is damaged (%(reason)s): take an older backup.")
            % {"path": bundle, "reason": verdict}
        )


def _require_known_tables(bundle: Path, database: Path) -> None:
    try:
        with open_database(database, "rw") as base:
            applied = set(base.execute("SELECT app, name FROM django_migrations WHERE app = 'tournaments'"))
    except sqlite3.Error:
        applied = set()
    if not applied:
        raise Refused(_("%(path)s is no backup of Multiplo.") % {"path": bundle})
    if not applied <= set(MigrationLoader(None).disk_migrations or ()):
        raise Refused(newer_version_sentence(bundle))


def _require_migratable(bundle: Path, database: Path, bring_up_to_date: Callable[[Path], None]) -> None:
    """Refuse a database whose tables do not match its list of migrations."""
    try:
        bring_up_to_date(database)
    except Exception as error:  # a wrong table can make a migration raise any exception
        raise Refused(
            _("The database in %(path)s is damaged (%(reason)s): take an older backup.")
            % {"path": bundle, "reason": one_line(str(error))[:200]}
        ) from None


def _rename_present_database(data: Path, now: datetime) -> Path | None:
    """Rename the present database with its journal, which may hold the newest slips."""
    database = data / DATABASE
    if not database.exists():
        return None
    replaced = _find_free_name(data, f"{DATABASE}.before-{now.astimezone():%Y%m%d-%H%M%S}")
    for companion in _DATABASE_SUFFIXES:
        part = database.with_name(database.name + companion)
        if part.exists():
            part.rename(replaced.with_name(replaced.name + companion))
    return replaced


def _install_key(fresh: Path, data: Path, now: datetime) -> None:
    """Restore the key that signs the phones' seats; keep a replaced key."""
    path = data / KEY
    if path.exists() and path.read_bytes().strip() != fresh.read_bytes().strip():
        path.rename(_find_free_name(data, f"{KEY}.before-{now.astimezone():%Y%m%d-%H%M%S}"))
    fresh.replace(path)


def _install_own_files(packed: zipfile.ZipFile, data: Path) -> None:
    """Restore missing word lists and editions; existing files stay."""
    for name in packed.namelist():
        parts = PurePosixPath(name).parts
        own = len(parts) == 2 and parts[0] in ("lexicons", "editions") and ".." not in parts
        if not own or name in (DESCRIPTION, KEY, DATABASE) or (data / name).exists():
            continue
        (data / parts[0]).mkdir(exist_ok=True)
        with suppress(FileExistsError):
            _extract(packed, name, data / name)


def _find_free_name(folder: Path, wanted: str) -> Path:
    path, number = folder / wanted, 1
    while path.exists():
        number += 1
        path = folder / f"{wanted}-{number}"
    return path
