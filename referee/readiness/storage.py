"""Checks of the folders and the database."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

from referee.readiness.finding import Finding
from referee.server.backup_scheduler import LOW_MB
from referee.setup import database
from referee.setup.faults import SetupFault
from referee.setup.folders import Project

NEEDED_MB = 1000


def check_disk(name: str, folder: Path) -> Finding:
    """Check the free space on the disk of a folder; one that does not exist yet lies on the disk of its parent."""
    present = next(path for path in (folder, *folder.parents) if path.exists())
    free_mb = shutil.disk_usage(present).free // 1_000_000
    said = {"mb": free_mb, "folder": folder}
    if free_mb >= NEEDED_MB:
        return Finding(name, "ok", _("%(mb)d MB are free on the disk of %(folder)s.") % said)
    text = _("Only %(mb)d MB are free on the disk of %(folder)s.") % said
    remedy = _("Delete or move files from this disk until 1 GB is free.")
    return Finding(name, "fault" if free_mb < LOW_MB else "warning", text, remedy)


def check_data_folder(folder: Path) -> Finding:
    """Check that the data folder is writable and that other users of the computer cannot read it."""
    said = {"folder": folder}
    if not folder.exists():
        return Finding("data-folder", "ok", _("%(folder)s does not exist yet: the first start makes it.") % said)
    if fault := find_write_fault(folder):
        text = _("The folder %(folder)s cannot be written to (%(reason)s).") % {**said, "reason": fault}
        remedy = _("Make it writable, or keep the data in another folder with --data DIR.")
        return Finding("data-folder", "fault", text, remedy)
    if os.name != "nt" and any(stat.S_IMODE(path.stat().st_mode) & 0o077 for path in _private_files(folder)):
        text = _("Other users of this computer can read the data in %(folder)s.") % said
        remedy = _("Start Multiplo once more: the start closes the folder again.")
        return Finding("data-folder", "warning", text, remedy)
    return Finding("data-folder", "ok", _("%(folder)s can be written to, and only you can read it.") % said)


def check_backup_folder(folder: Path, *, is_chosen: bool) -> Finding:
    """Check that backups can be written; the folder beside the database is made when it is needed."""
    said = {"folder": folder}
    if not folder.exists() and not is_chosen:
        return Finding("backup-folder", "ok", _("Backups go to %(folder)s, beside the data.") % said)
    if folder.exists() and not (fault := find_write_fault(folder)):
        return Finding("backup-folder", "ok", _("Backups go to %(folder)s.") % said)
    reason = fault if folder.exists() else _("it does not exist")
    text = _("Backups cannot be written to %(folder)s: %(why)s") % {**said, "why": reason}
    return Finding("backup-folder", "fault", text, _("Plug the stick in, or name another folder in BACKUP_DIR."))


def find_write_fault(folder: Path) -> str:
    """Write a probe into a folder; return the system's reason if that fails, else an empty text."""
    try:
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"\0" * 4096)
            probe.flush()
    except OSError as error:
        return error.strerror or str(error)
    return ""


def check_database(project: Project) -> Finding:
    """Check that the database of the data folder is sound and has the tables of this version."""
    if not project.database.exists():
        return Finding("database", "ok", _("There are no data yet: the first start makes the database."))
    try:
        damage = database.find_damage(project.database)
        if damage is None:
            database.refuse_newer(project)
    except SetupFault as fault:
        return Finding("database", "fault", fault.sentence)
    if damage is not None:
        text = _("The database %(file)s is damaged (%(reason)s).") % {"file": project.database, "reason": damage}
        remedy = _("Restore the newest backup: %(command)s restore FILE. The damaged file is kept aside.") % {
            "command": settings.COMMAND
        }
        return Finding("database", "fault", text, remedy)
    if database.list_missing_migrations(project):
        text = _("The database is of an older version of Multiplo.")
        return Finding(
            "database", "warning", text, _("Make a backup, then start Multiplo: it brings the data up to date.")
        )
    return Finding("database", "ok", _("The database is sound and up to date."))


def _private_files(folder: Path) -> list[Path]:
    """List what only the user of the program may read: the key, the database, and a data folder of its own."""
    own = [folder] if folder == Path(settings.BASE_DIR) / "var" else []
    return own + [path for name in ("secret_key", "multiplo.sqlite3") if (path := folder / name).exists()]
