"""Puts a backup in the place of the present database, which is kept beside it and never deleted."""

from __future__ import annotations

import os
import shutil
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path, PurePosixPath

from django.db.migrations.loader import MigrationLoader
from django.utils.translation import gettext as _

from tournaments.backups import ABOUT, DATABASE, KEY, About, newer_program, open_bundle
from tournaments.errors import Refused
from tournaments.validators import one_line

_COMPANIONS = ("", "-wal", "-shm", "-journal")


def put_back(
    bundle: Path, *, data: Path, now: datetime, bring_up_to_date: Callable[[Path], None] = lambda database: None
) -> tuple[About, Path | None]:
    """Make the database, the key and the organiser's files of a backup those of a data folder that nobody uses.

    Gives what was restored, and where the database that was there is kept. `Refused` before anything is changed.
    The tables may be older than this program: `bring_up_to_date` migrates the unpacked database before it takes the
    place of the present one, and one that cannot be migrated is refused.
    """
    data.mkdir(parents=True, exist_ok=True)
    fresh, key = data / f"{DATABASE}.restoring", data / f"{KEY}.restoring"
    try:
        with open_bundle(bundle) as (about, packed):
            _extract(packed, DATABASE, fresh)
            _extract(packed, KEY, key)
            _demand_whole(bundle, fresh)
            _demand_known_tables(bundle, fresh)
            _demand_useful(bundle, fresh, bring_up_to_date)
            _put_own_files(packed, data)
        # Everything is written; from here on names are changed only.
        kept = _set_aside(data, now)
        _put_key(key, data, now)
        fresh.replace(data / DATABASE)
    finally:
        key.unlink(missing_ok=True)
        for companion in _COMPANIONS:
            fresh.with_name(fresh.name + companion).unlink(missing_ok=True)
    return about, kept


def _extract(packed: zipfile.ZipFile, name: str, target: Path) -> None:
    target.unlink(missing_ok=True)
    with packed.open(name) as source, open(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        shutil.copyfileobj(source, out)
        out.flush()
        os.fsync(out.fileno())


def _demand_whole(bundle: Path, database: Path) -> None:
    try:
        with closing(sqlite3.connect(database)) as base:
            verdict = base.execute("PRAGMA integrity_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        verdict = str(error)
    if verdict != "ok":
        raise Refused(
            _("The database in %(path)s is damaged (%(reason)s): take an older backup.")
            % {"path": bundle, "reason": verdict}
        )


def _demand_known_tables(bundle: Path, database: Path) -> None:
    try:
        with closing(sqlite3.connect(database)) as base:
            applied = set(base.execute("SELECT app, name FROM django_migrations WHERE app = 'tournaments'"))
    except sqlite3.Error:
        applied = set()
    if not applied:
        raise Refused(_("%(path)s is no backup of Multiplo.") % {"path": bundle})
    if not applied <= set(MigrationLoader(None).disk_migrations or ()):
        raise Refused(newer_program(bundle))


def _demand_useful(bundle: Path, database: Path, bring_up_to_date: Callable[[Path], None]) -> None:
    """Refuse a database whose tables are not those that its list of migrations promises."""
    try:
        bring_up_to_date(database)
    except Exception as error:  # a wrong table breaks a migration with whatever it finds there
        raise Refused(
            _("The database in %(path)s is damaged (%(reason)s): take an older backup.")
            % {"path": bundle, "reason": one_line(str(error))[:200]}
        ) from None


def _set_aside(data: Path, now: datetime) -> Path | None:
    """Rename the present database together with what belongs to it: its journal may hold the newest slips."""
    database = data / DATABASE
    if not database.exists():
        return None
    kept = _free(data, f"{DATABASE}.before-{now.astimezone():%Y%m%d-%H%M%S}")
    for companion in _COMPANIONS:
        part = database.with_name(database.name + companion)
        if part.exists():
            part.rename(kept.with_name(kept.name + companion))
    return kept


def _put_key(fresh: Path, data: Path, now: datetime) -> None:
    """The phones' seats are signed with it; another one that was here is kept, too."""
    path = data / KEY
    if path.exists() and path.read_bytes().strip() != fresh.read_bytes().strip():
        path.rename(_free(data, f"{KEY}.before-{now.astimezone():%Y%m%d-%H%M%S}"))
    fresh.replace(path)


def _put_own_files(packed: zipfile.ZipFile, data: Path) -> None:
    """Word lists and editions that are not here yet; what is here stays."""
    for name in packed.namelist():
        parts = PurePosixPath(name).parts
        own = len(parts) == 2 and parts[0] in ("lexicons", "editions") and ".." not in parts
        if not own or name in (ABOUT, KEY, DATABASE) or (data / name).exists():
            continue
        (data / parts[0]).mkdir(exist_ok=True)
        with suppress(FileExistsError):
            _extract(packed, name, data / name)


def _free(folder: Path, wanted: str) -> Path:
    path, number = folder / wanted, 1
    while path.exists():
        number += 1
        path = folder / f"{wanted}-{number}"
    return path
