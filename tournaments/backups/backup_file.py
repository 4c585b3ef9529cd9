"""Backup files: the database and all other data that another computer needs to replace this one.

A backup is a zip with the database, the key that signs the phones' seats, the organiser's own word lists and editions,
and a description (`about.json`). Its holder can act as the judge, so only its owner may read it.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import struct
import time
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Required, TypedDict

from django.utils.translation import gettext as _

from engine.archive.json_shape import check_shape
from engine.archive.schema import read_timestamp
from engine.bounded_input import read_json
from engine.lexicon.sources import LANGUAGES
from engine.version import FIRST_VERSION, VERSION, is_newer, version_of_number
from tournaments.backups.replacement import DATABASE, KEY, flush_folder
from tournaments.errors import Refused
from tournaments.lexicons.list_files import LARGEST_FILE
from tournaments.validators import one_line

FORMAT = 1
FILES_TO_KEEP = 20
DESCRIPTION = "about.json"
LARGEST_PART = 1_000_000  # of an edition, the key and the description
SHORTEST_KEY, LONGEST_KEY = 20, 1_000
_SQLITE_HEAD = 100  # bytes
_STALE_S = 600
_LONGEST_VERSION = 20
READ_ERRORS = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError)
"""Exceptions of damaged zips; a wrong flag bit makes a zip look encrypted or of an unknown version."""
_COMPRESSION_LEVEL = 1  # level of compression: a backup must not take the processor from a running turn


@dataclass(frozen=True, slots=True)
class BackupInfo:
    """Description of a backup. `turn` is the last drawn one, 0 before the first; `event` is empty without events.

    `program` is the version of the program that made it.
    """

    made_at: datetime
    event: str = ""
    code: str = ""
    game: int = 0
    turn: int = 0
    placed: bool = False
    slips: int = 0
    program: str = FIRST_VERSION

    @property
    def file_name(self) -> str:
        """File name of a backup; a later backup of the same turn replaces the earlier one."""
        if not self.event:
            return "multiplo-empty.zip"
        return f"multiplo-{self.code}-game{self.game}-turn{self.turn:02}.zip"


class _BackupInfoEntry(TypedDict, total=False):
    event: str
    code: str
    game: int
    turn: int
    placed: bool
    slips: int
    program: str
    made_at: Required[str]


def write_backup(
    folder: Path,
    *,
    database: Path,
    data: Path,
    secret_key: str,
    now: datetime,
    keep: int = FILES_TO_KEEP,
    name: str | None = None,
) -> Path:
    """Back up the database into a folder, keep the newest `keep` files of its event, and return the new file.

    A backup with a `name` of its own is not deleted later. The copy is made while others read and write. It is checked
    on the target disk and renamed last, so older files are untouched if anything fails. Raises OSError and
    sqlite3.Error.
    """
    with _temporary_files(folder) as (copy, bundle):
        copy_database(database, copy)
        about = describe_database(copy, now)
        _write_bundle(bundle, about, copy, data, secret_key)
        target = folder / (name or about.file_name)
        bundle.replace(target)
    flush_folder(folder)
    _delete_older(folder, about, keep)
    return target


def copy_database(database: Path, copy: Path) -> None:
    """Copy a consistent snapshot of a database in use to `copy`; raises sqlite3.Error if it fails."""
    with open_database(database, "ro") as source, open_database(copy, "rw") as target:
        target.execute("PRAGMA synchronous=OFF")
        source.backup(target)
        target.execute("PRAGMA journal_mode=DELETE")
    with open_database(copy, "ro") as written:
        verdict = written.execute("PRAGMA quick_check(1)").fetchone()[0]
    if verdict != "ok":
        raise sqlite3.DatabaseError(verdict)


def describe_database(database: Path, now: datetime) -> BackupInfo:
    """Describe a database by its newest act. Raises sqlite3.Error for a database of another program."""
    with open_database(database, "ro") as base:
        program = version_of_number(base.execute("PRAGMA application_id").fetchone()[0])
        newest = base.execute(
            "SELECT e.name, e.code, g.id, g.number FROM tournaments_ledgerentry l "
            "JOIN tournaments_game g ON g.id = l.game_id JOIN tournaments_event e ON e.id = g.event_id "
            "ORDER BY l.at DESC, l.id DESC LIMIT 1"
        ).fetchone()
        if newest is None:
            return BackupInfo(made_at=now, program=program)
        event, code, game_id, game = newest
        turn = base.execute(
            "SELECT number, placed_at FROM tournaments_turn WHERE game_id = ? ORDER BY number DESC LIMIT 1", (game_id,)
        ).fetchone() or (0, None)
        slips = base.execute("SELECT count(*) FROM tournaments_slip").fetchone()[0]
    return BackupInfo(now, event, code, game, turn[0], turn[1] is not None, slips, program)


def read_backup(path: Path) -> BackupInfo:
    """Describe a backup; `Refused` if the file is not a backup, is damaged or is from a newer program version."""
    with open_bundle(path) as (about, _bundle):
        return about


@contextmanager
def open_bundle(path: Path) -> Iterator[tuple[BackupInfo, zipfile.ZipFile]]:
    """Open a backup and verify the checksum of each part; `Refused` as in `read`."""
    with _open_checked(path) as bundle:
        yield read_info(path, bundle), bundle


def find_newest(folder: Path) -> tuple[Path, float] | None:
    """The newest backup in a folder and its time of writing (Unix seconds); None if there is none."""
    found = []
    with suppress(OSError):
        for path in folder.glob("multiplo-*.zip"):
            with suppress(OSError):
                found.append((path, path.stat().st_mtime))
    return max(found, key=lambda one: one[1], default=None)


def newer_version_sentence(path: Path, program: str = "") -> str:
    """Sentence for a backup from a newer version of the program, which is named if it is known."""
    words = {"path": path, "newer": program, "own": VERSION}
    if program and is_newer(program):
        return _("%(path)s was made by Multiplo %(newer)s and this is Multiplo %(own)s: install the newer one.") % words
    return _("%(path)s was made by a newer Multiplo and this is Multiplo %(own)s: install the newer one.") % words


def _open_checked(path: Path) -> zipfile.ZipFile:
    try:
        bundle = zipfile.ZipFile(path)
    except FileNotFoundError:
        raise Refused(_("There is no file %(path)s.") % {"path": path}) from None
    except READ_ERRORS as error:
        raise Refused(_("%(path)s cannot be read as a backup: %(reason)s") % {"path": path, "reason": error}) from None
    try:
        _require_within_bounds(path, bundle)
        if not _is_intact(bundle):
            raise _damaged_error(path)
        return bundle
    except Refused:
        bundle.close()
        raise


def _require_within_bounds(path: Path, bundle: zipfile.ZipFile) -> None:
    """Refuse a zip whose unpacked size would fill the disk, before unpacking it."""
    sizes = {part.filename: part.file_size for part in bundle.infolist()}
    if DATABASE not in sizes:
        return  # _about reports it
    for name, size in sizes.items():
        if name != DATABASE and size > (LARGEST_FILE if name.startswith("lexicons/") else LARGEST_PART):
            raise Refused(_("%(path)s is no backup of Multiplo.") % {"path": path})
    if not _is_database(bundle, sizes[DATABASE]):
        raise _damaged_error(path)


def _is_database(bundle: zipfile.ZipFile, size: int) -> bool:
    """Return whether these first bytes belong to an SQLite database of this size."""
    try:
        with bundle.open(DATABASE) as part:
            head = part.read(_SQLITE_HEAD)
    except READ_ERRORS:
        return True  # damaged, which the checksums tell
    if len(head) < _SQLITE_HEAD or not head.startswith(b"SQLite format 3\0"):
        return False
    page_size, pages = int.from_bytes(head[16:18], "big"), int.from_bytes(head[28:32], "big")
    return size == pages * (65_536 if page_size == 1 else page_size)


def _is_intact(bundle: zipfile.ZipFile) -> bool:
    try:
        return bundle.testzip() is None
    except READ_ERRORS:
        return False


def _damaged_error(path: Path) -> Refused:
    return Refused(_("%(path)s is damaged: take an older backup, or another copy of this one.") % {"path": path})


def read_info(path: Path, bundle: zipfile.ZipFile) -> BackupInfo:
    newer, program = False, ""
    try:
        description: dict[str, Any] = read_json(bundle.read(DESCRIPTION))
        program = one_line(str(description.get("program", FIRST_VERSION)))[:_LONGEST_VERSION]
        newer = description.pop("format") > FORMAT or is_newer(program)
        missing = {*description.pop("parts", ())} - {*bundle.namelist()}
        if not missing:
            bundle.getinfo(DATABASE), bundle.getinfo(KEY)
            _require_key(bundle.read(KEY))
        about = _parse_info(description)
    except (KeyError, ValueError, TypeError, AttributeError):
        if newer:
            raise Refused(newer_version_sentence(path, program)) from None
        raise Refused(_("%(path)s is no backup of Multiplo.") % {"path": path}) from None
    if newer:
        raise Refused(newer_version_sentence(path, program))
    if missing:
        raise _damaged_error(path)
    return about


def _parse_info(description: dict[str, Any]) -> BackupInfo:
    """Parse `about.json`, without control characters in texts; raises TypeError or ValueError."""
    check_shape(description, _BackupInfoEntry)
    checked = {name: description[name] for name in BackupInfo.__slots__ if name in description}
    checked["made_at"] = read_timestamp(description["made_at"])
    for name in {"event", "code", "program"}.intersection(checked):
        checked[name] = one_line(checked[name])
    return BackupInfo(**checked)


def _require_key(key: bytes) -> None:
    """Raise ValueError if the settings could not read this as the secret key."""
    text = key.decode("ascii").strip()
    if not (SHORTEST_KEY <= len(text) <= LONGEST_KEY and text.isprintable()):
        raise ValueError("no key")


@contextmanager
def _temporary_files(folder: Path) -> Iterator[tuple[Path, Path]]:
    """Yield two temporary files and delete them afterwards, together with those of a killed process."""
    for left in folder.glob(".multiplo-*.part"):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > _STALE_S:
                left.unlink()
    paths = [folder / f".multiplo-{os.getpid()}-{kind}.part" for kind in ("database", "bundle")]
    try:
        for path in paths:
            path.unlink(missing_ok=True)
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        yield paths[0], paths[1]
    finally:
        for path in paths:
            with suppress(OSError):
                path.unlink(missing_ok=True)


def _write_bundle(bundle: Path, about: BackupInfo, copy: Path, data: Path, secret_key: str) -> None:
    parts = {DATABASE: copy, **{own.relative_to(data).as_posix(): own for own in _own_files(data)}}
    fields = {name: getattr(about, name) for name in BackupInfo.__slots__}
    fields |= {"made_at": about.made_at.isoformat(), "parts": [DESCRIPTION, KEY, *parts]}
    description = json.dumps({"format": FORMAT, **fields}, ensure_ascii=False)
    with bundle.open("wb") as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=_COMPRESSION_LEVEL) as packed:
            packed.writestr(DESCRIPTION, description)
            packed.writestr(KEY, secret_key)
            for name, part in parts.items():
                packed.write(part, name)
        file.flush()
        os.fsync(file.fileno())


def _own_files(data: Path) -> Iterator[Path]:
    """The organiser's own files, which another computer could not build."""
    yield from sorted((data / "editions").glob("*.toml"))
    for words in sorted((data / "lexicons").glob("*.txt")):
        if words.stem not in LANGUAGES:
            yield from (path for path in (words, words.with_name(f"{words.name}.json")) if path.exists())


def _delete_older(folder: Path, about: BackupInfo, keep: int) -> None:
    """Remove all but the newest files of this event; ignore files that cannot be removed."""
    ours = re.compile(rf"multiplo-{re.escape(about.code)}-game\d+-turn\d+\.zip")
    files = [path for path in folder.glob("multiplo-*.zip") if ours.fullmatch(path.name)]
    for path in sorted(files, key=lambda one: one.stat().st_mtime, reverse=True)[keep:]:
        with suppress(OSError):
            path.unlink()


@contextmanager
def open_database(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    """Open a database file in a mode of SQLite ("ro", "rw") and close it. Raises sqlite3.Error.

    If SQLite's message quotes a damaged name that is not UTF-8, Python raises UnicodeDecodeError instead.
    """
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=10)) as connection:
            yield connection
    except UnicodeDecodeError as error:
        raise sqlite3.DatabaseError(str(error)) from error
