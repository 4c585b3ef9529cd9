"""The backups in a folder, described without checking them."""

from __future__ import annotations

import zipfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tournaments.backups.backup_file import DESCRIPTION, LARGEST_PART, READ_ERRORS, BackupInfo, read_info
from tournaments.backups.replacement import KEY
from tournaments.errors import Refused

MOST_LISTED = 20


@dataclass(frozen=True, slots=True)
class ListedBackup:
    """A backup file in a folder."""

    name: str
    about: BackupInfo


def list_backups(folder: Path) -> list[ListedBackup]:
    """The newest backups in a folder; files that are none are left out."""
    found: list[ListedBackup] = []
    with suppress(OSError):
        for path in folder.glob("*.zip"):
            with suppress(Refused, *READ_ERRORS):
                found.append(ListedBackup(path.name, _describe(path)))
    return sorted(found, key=lambda each: each.about.made_at, reverse=True)[:MOST_LISTED]


def _describe(path: Path) -> BackupInfo:
    with zipfile.ZipFile(path) as bundle:
        if any(part.file_size > LARGEST_PART for part in bundle.infolist() if part.filename in (DESCRIPTION, KEY)):
            raise zipfile.BadZipFile
        return read_info(path, bundle)
