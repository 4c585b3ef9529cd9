"""Replacement of the database by a restored one, in steps that the next start completes after a crash.

A restored database waits in a folder of its own until it is complete; the plan beside it is written last. From then on
all files are only renamed, and every step may be repeated. Standard library only: it runs before Django is loaded.
"""

from __future__ import annotations

import json
import os
import shutil
from contextlib import suppress
from datetime import datetime
from pathlib import Path

DATABASE, KEY = "multiplo.sqlite3", "secret_key"
OWN_FOLDERS = ("lexicons", "editions")
DATABASE_SUFFIXES = ("", "-wal", "-shm", "-journal")
_STAGED, _PLAN = "restored", "plan.json"


def make_staging_folder(data: Path) -> Path:
    """Return an empty folder for a database that is to replace the present one."""
    staged = data / _STAGED
    discard_staged(data)
    staged.mkdir(mode=0o700)
    return staged


def discard_staged(data: Path) -> None:
    """Remove a staged database; the present one stays."""
    (data / _STAGED / _PLAN).unlink(missing_ok=True)
    if (data / _STAGED).exists():
        shutil.rmtree(data / _STAGED)


def write_plan(data: Path, now: datetime) -> None:
    """Decide the replacement: all staged files are complete and on the disk."""
    staged, moment = data / _STAGED, f"before-{now.astimezone():%Y%m%d-%H%M%S}"
    names = {name: _find_free_name(data, f"{name}.{moment}").name for name in (DATABASE, KEY)}
    fresh = staged / f"{_PLAN}.part"
    with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        json.dump(names, file)
        file.flush()
        os.fsync(file.fileno())
    flush_folder(staged)
    fresh.replace(staged / _PLAN)
    flush_folder(staged)


def complete_replacement(data: Path) -> Path | None:
    """Put a planned database in the place of the present one; return the path to which that was renamed.

    Nothing happens without a plan. The caller knows that no server uses the folder. Raises OSError.
    """
    staged = data / _STAGED
    if not (staged / _PLAN).exists():
        return None
    names = json.loads((staged / _PLAN).read_text(encoding="ascii"))
    replaced = data / names[DATABASE]
    if (staged / DATABASE).exists():
        _move_present_database(data, replaced)
        _move_own_files(staged, data)
        _move_key(staged / KEY, data / KEY, data / names[KEY])
        flush_folder(data)
        (staged / DATABASE).replace(data / DATABASE)
        flush_folder(data)
    discard_staged(data)
    return replaced if replaced.exists() else None


def flush_folder(folder: Path) -> None:
    """Flush a folder to disk, so that its names persist; skipped if folders cannot be opened."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _move_present_database(data: Path, replaced: Path) -> None:
    """Rename the present database with its journal, which may hold the newest slips."""
    for suffix in DATABASE_SUFFIXES:
        part, target = data / f"{DATABASE}{suffix}", replaced.with_name(replaced.name + suffix)
        if part.exists():
            part.rename(target if not target.exists() else _find_free_name(data, target.name))


def _move_own_files(staged: Path, data: Path) -> None:
    """Add word lists and editions that are missing; existing files stay."""
    for name in OWN_FOLDERS:
        for path in sorted((staged / name).glob("*")):
            if not (data / name / path.name).exists():
                (data / name).mkdir(exist_ok=True)
                path.replace(data / name / path.name)


def _move_key(fresh: Path, present: Path, replaced: Path) -> None:
    """Replace the key that signs the phones' seats, and keep a different one."""
    if not fresh.exists():
        return
    if present.exists() and present.read_bytes().strip() != fresh.read_bytes().strip():
        present.rename(replaced)
    fresh.replace(present)


def _find_free_name(folder: Path, wanted: str) -> Path:
    path, number = folder / wanted, 1
    while path.exists():
        number += 1
        path = folder / f"{wanted}-{number}"
    return path
