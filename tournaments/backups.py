"""The file of a backup: the whole database with what another computer needs to take its place.

A zip with the database, the key that signs the phones' seats, the organiser's own word lists and editions, and
`about.json`, which says what it is. Whoever has it can act as the judge: it is readable for its owner only.
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

from engine.archive import read_moment
from engine.bounded_input import read_json
from engine.json_shape import check_shape
from engine.lexicon.sources import LANGUAGES
from tournaments.errors import Refused
from tournaments.list_files import LARGEST_FILE
from tournaments.validators import one_line

FORMAT = 1
KEEP = 20
DATABASE, KEY, ABOUT = "multiplo.sqlite3", "secret_key", "about.json"
LARGEST_PART = 1_000_000  # of an edition, the key and the description
SHORTEST_KEY, LONGEST_KEY = 20, 1_000
_SQLITE_HEAD = 100  # bytes
_STALE_S = 600
_UNREADABLE = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError)
"""What a zip with wrong bytes may raise; a lost bit of its flags makes it one with a password or of a later kind."""
_QUICK = 1  # level of compression: a backup must not take the processor from a running turn


@dataclass(frozen=True, slots=True)
class About:
    """What a backup holds. `turn` is the last one drawn, 0 before the first; `event` is empty without any event."""

    made_at: datetime
    event: str = ""
    code: str = ""
    game: int = 0
    turn: int = 0
    placed: bool = False
    slips: int = 0

    @property
    def file_name(self) -> str:
        """One name a turn: a later backup of the same turn takes the place of an earlier one."""
        if not self.event:
            return "multiplo-empty.zip"
        return f"multiplo-{self.code}-game{self.game}-turn{self.turn:02}.zip"


class _AboutEntry(TypedDict, total=False):
    event: str
    code: str
    game: int
    turn: int
    placed: bool
    slips: int
    made_at: Required[str]


def write(folder: Path, *, database: Path, data: Path, secret_key: str, now: datetime, keep: int = KEEP) -> Path:
    """Back the database up into a folder and keep the newest `keep` files of its event; gives the new file.

    The copy is made while others read and write, checked as it stands on that disk, and gets its name at last; when
    something fails the older files are untouched. Raises OSError and sqlite3.Error.
    """
    with _parts(folder) as (copy, bundle):
        copy_database(database, copy)
        about = describe(copy, now)
        _pack(bundle, about, copy, data, secret_key)
        target = folder / about.file_name
        bundle.replace(target)
    _flush(folder)
    _drop_older(folder, about, keep)
    return target


def copy_database(database: Path, copy: Path) -> None:
    """One moment of a database that is in use. `copy` is whole when this returns; raises sqlite3.Error otherwise."""
    with closing(_open(database, "ro")) as source, closing(_open(copy, "rw")) as target:
        target.execute("PRAGMA synchronous=OFF")
        source.backup(target)
        target.execute("PRAGMA journal_mode=DELETE")
    with closing(_open(copy, "ro")) as written:
        verdict = written.execute("PRAGMA quick_check(1)").fetchone()[0]
    if verdict != "ok":
        raise sqlite3.DatabaseError(verdict)


def describe(database: Path, now: datetime) -> About:
    """What a database holds, by its newest act. Raises sqlite3.Error for a database of something else."""
    with closing(_open(database, "ro")) as base:
        newest = base.execute(
            "SELECT e.name, e.code, g.id, g.number FROM tournaments_ledgerentry l "
            "JOIN tournaments_game g ON g.id = l.game_id JOIN tournaments_event e ON e.id = g.event_id "
            "ORDER BY l.at DESC, l.id DESC LIMIT 1"
        ).fetchone()
        if newest is None:
            return About(made_at=now)
        event, code, game_id, game = newest
        turn = base.execute(
            "SELECT number, placed_at FROM tournaments_turn WHERE game_id = ? ORDER BY number DESC LIMIT 1", (game_id,)
        ).fetchone() or (0, None)
        slips = base.execute("SELECT count(*) FROM tournaments_slip").fetchone()[0]
    return About(now, event, code, game, turn[0], turn[1] is not None, slips)


def read(path: Path) -> About:
    """What a backup holds; `Refused` with a sentence for a file that is none, is damaged or of a newer program."""
    with open_bundle(path) as (about, _bundle):
        return about


@contextmanager
def open_bundle(path: Path) -> Iterator[tuple[About, zipfile.ZipFile]]:
    """A backup and its parts, every one of them checked by its checksum; `Refused` as `read`."""
    with _opened(path) as bundle:
        yield _about(path, bundle), bundle


def newest_in(folder: Path) -> tuple[Path, float] | None:
    """The newest backup in a folder and when it was written (seconds since 1970); None without any."""
    found = []
    with suppress(OSError):
        for path in folder.glob("multiplo-*.zip"):
            with suppress(OSError):
                found.append((path, path.stat().st_mtime))
    return max(found, key=lambda one: one[1], default=None)


def newer_program(path: Path) -> str:
    """The sentence for a backup that this program cannot understand yet."""
    return _("%(path)s was made by a newer Multiplo: bring this program up to date.") % {"path": path}


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        bundle = zipfile.ZipFile(path)
    except FileNotFoundError:
        raise Refused(_("There is no file %(path)s.") % {"path": path}) from None
    except _UNREADABLE as error:
        raise Refused(_("%(path)s cannot be read as a backup: %(reason)s") % {"path": path, "reason": error}) from None
    try:
        _demand_within_bounds(path, bundle)
        if not _is_whole(bundle):
            raise _damaged(path)
        return bundle
    except Refused:
        bundle.close()
        raise


def _demand_within_bounds(path: Path, bundle: zipfile.ZipFile) -> None:
    """Refuse what would fill the disk, by the sizes alone and before anything is unpacked."""
    sizes = {part.filename: part.file_size for part in bundle.infolist()}
    if DATABASE not in sizes:
        return  # told by _about
    for name, size in sizes.items():
        if name != DATABASE and size > (LARGEST_FILE if name.startswith("lexicons/") else LARGEST_PART):
            raise Refused(_("%(path)s is no backup of Multiplo.") % {"path": path})
    if not _is_database(bundle, sizes[DATABASE]):
        raise _damaged(path)


def _is_database(bundle: zipfile.ZipFile, size: int) -> bool:
    """Whether the first bytes are those of an SQLite database that has this size."""
    try:
        with bundle.open(DATABASE) as part:
            head = part.read(_SQLITE_HEAD)
    except _UNREADABLE:
        return True  # damaged, which the checksums tell
    if len(head) < _SQLITE_HEAD or not head.startswith(b"SQLite format 3\0"):
        return False
    page_size, pages = int.from_bytes(head[16:18], "big"), int.from_bytes(head[28:32], "big")
    return size == pages * (65_536 if page_size == 1 else page_size)


def _is_whole(bundle: zipfile.ZipFile) -> bool:
    try:
        return bundle.testzip() is None
    except _UNREADABLE:
        return False


def _damaged(path: Path) -> Refused:
    return Refused(_("%(path)s is damaged: take an older backup, or another copy of this one.") % {"path": path})


def _about(path: Path, bundle: zipfile.ZipFile) -> About:
    newer = False
    try:
        told: dict[str, Any] = read_json(bundle.read(ABOUT))
        newer = told.pop("format") > FORMAT
        missing = {*told.pop("parts", ())} - {*bundle.namelist()}
        if not missing:
            bundle.getinfo(DATABASE), bundle.getinfo(KEY)
            _demand_key(bundle.read(KEY))
        about = _about_of(told)
    except (KeyError, ValueError, TypeError, AttributeError):
        if newer:
            raise Refused(newer_program(path)) from None
        raise Refused(_("%(path)s is no backup of Multiplo.") % {"path": path}) from None
    if newer:
        raise Refused(newer_program(path))
    if missing:
        raise _damaged(path)
    return about


def _about_of(told: dict[str, Any]) -> About:
    """The description in `about.json`, with texts that steer no terminal; TypeError or ValueError."""
    check_shape(told, _AboutEntry)
    checked = told | {"made_at": read_moment(told["made_at"])}
    for name in {"event", "code"}.intersection(checked):
        checked[name] = one_line(checked[name])
    return About(**checked)


def _demand_key(key: bytes) -> None:
    """ValueError for what the settings could not read as the secret key."""
    text = key.decode("ascii").strip()
    if not (SHORTEST_KEY <= len(text) <= LONGEST_KEY and text.isprintable()):
        raise ValueError("no key")


@contextmanager
def _parts(folder: Path) -> Iterator[tuple[Path, Path]]:
    """Two files for the work, which are gone afterwards, as are those that a killed program left."""
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


def _pack(bundle: Path, about: About, copy: Path, data: Path, secret_key: str) -> None:
    parts = {DATABASE: copy, **{own.relative_to(data).as_posix(): own for own in _own_files(data)}}
    fields = {name: getattr(about, name) for name in About.__slots__}
    fields |= {"made_at": about.made_at.isoformat(), "parts": [ABOUT, KEY, *parts]}
    told = json.dumps({"format": FORMAT, **fields}, ensure_ascii=False)
    with bundle.open("wb") as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=_QUICK) as packed:
            packed.writestr(ABOUT, told)
            packed.writestr(KEY, secret_key)
            for name, part in parts.items():
                packed.write(part, name)
        file.flush()
        os.fsync(file.fileno())


def _own_files(data: Path) -> Iterator[Path]:
    """What the organiser added: another computer could not build it."""
    yield from sorted((data / "editions").glob("*.toml"))
    for words in sorted((data / "lexicons").glob("*.txt")):
        if words.stem not in LANGUAGES:
            yield from (path for path in (words, words.with_name(f"{words.name}.json")) if path.exists())


def _drop_older(folder: Path, about: About, keep: int) -> None:
    """Of this event's files all but the newest; what cannot be removed stays."""
    ours = re.compile(rf"multiplo-{re.escape(about.code)}-game\d+-turn\d+\.zip")
    files = [path for path in folder.glob("multiplo-*.zip") if ours.fullmatch(path.name)]
    for path in sorted(files, key=lambda one: one.stat().st_mtime, reverse=True)[keep:]:
        with suppress(OSError):
            path.unlink()


def _flush(folder: Path) -> None:
    """Have the new name written down, too; where folders cannot be opened the system does it in its own time."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _open(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=10)
