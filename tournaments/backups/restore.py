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
    DESCRIPTION,
    BackupInfo,
    newer_version_sentence,
    open_bundle,
    open_database,
)
from tournaments.backups.replacement import (
    DATABASE,
    KEY,
    OWN_FOLDERS,
    complete_replacement,
    discard_staged,
    flush_folder,
    make_staging_folder,
    write_plan,
)
from tournaments.errors import Refused
from tournaments.validators import one_line

Prepare = Callable[[Path, BackupInfo], None]


def restore_backup(
    bundle: Path, *, data: Path, now: datetime, prepare: Prepare = lambda database, about: None
) -> tuple[BackupInfo, Path | None]:
    """Restore the database, the key and the organiser's files of a backup to a data folder that is not in use.

    Return the description of the backup and the path of the replaced database. `Refused` is raised before any change.
    """
    about = stage_backup(bundle, data=data, now=now, prepare=prepare)
    return about, complete_replacement(data)


def stage_backup(
    bundle: Path, *, data: Path, now: datetime, prepare: Prepare = lambda database, about: None
) -> BackupInfo:
    """Unpack and check a backup and plan the replacement, also while a server uses the data folder.

    If the tables are from an older version, `prepare` migrates the unpacked database; a database for which it fails is
    refused. `Refused` and OSError leave everything as it was.
    """
    data.mkdir(parents=True, exist_ok=True)
    staged = make_staging_folder(data)
    try:
        with open_bundle(bundle) as (about, packed):
            _extract(packed, DATABASE, staged / DATABASE)
            _extract(packed, KEY, staged / KEY)
            _require_intact(bundle, staged / DATABASE)
            _require_known_tables(bundle, staged / DATABASE)
            _require_prepared(bundle, staged / DATABASE, about, prepare)
            _extract_own_files(packed, data, staged)
        merge_journal(staged / DATABASE)
        write_plan(data, now)
    except BaseException:
        discard_staged(data)
        raise
    return about


def _extract(packed: zipfile.ZipFile, name: str, target: Path) -> None:
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
        raise _damaged_error(bundle, verdict)


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


def _require_prepared(bundle: Path, database: Path, about: BackupInfo, prepare: Prepare) -> None:
    """Refuse a database whose tables do not match its list of migrations."""
    try:
        prepare(database, about)
    except Exception as error:  # a wrong table can make a migration raise any exception
        raise _damaged_error(bundle, one_line(str(error))[:200]) from None


def _damaged_error(bundle: Path, reason: str) -> Refused:
    return Refused(
        _("The database in %(path)s is damaged (%(reason)s): take an older backup.")
        % {"path": bundle, "reason": reason}
    )


def _extract_own_files(packed: zipfile.ZipFile, data: Path, staged: Path) -> None:
    """Unpack missing word lists and editions."""
    for name in packed.namelist():
        parts = PurePosixPath(name).parts
        own = len(parts) == 2 and parts[0] in OWN_FOLDERS and ".." not in parts
        if not own or name in (DESCRIPTION, KEY, DATABASE) or (data / name).exists():
            continue
        (staged / parts[0]).mkdir(exist_ok=True)
        with suppress(FileExistsError):
            _extract(packed, name, staged / name)


def merge_journal(database: Path) -> None:
    """Bring all changes into the one file, and the file to the disk."""
    with open_database(database, "rw") as base:
        base.execute("PRAGMA journal_mode=DELETE")
    descriptor = os.open(database, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    flush_folder(database.parent)
