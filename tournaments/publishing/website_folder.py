"""The folder of the website: only files that have changed are written, and only files of ours are removed.

The names of the files that were written are kept in `MANIFEST`, so that files of others stay as they are. Before a new
file is created, its name is added to `JOURNAL`; after a crash, the next run knows all files of the one that was
interrupted. Each file is written beside its place and then renamed, so none is ever half-written.
"""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation import gettext as _

from tournaments.errors import Refused

MANIFEST, JOURNAL = ".multiplo-website.json", ".multiplo-website.journal"
FORMAT = "multiplo-website-1"
_PATH = re.compile(r"(?:[a-z0-9][a-z0-9-]*/)*[a-z0-9][a-z0-9-]*[.](?:html|css|png|jpg|ics|atom)")
_UNFINISHED = ".multiplo-website.*.new"
_OLD_S = 3600
"""Seconds after which an unfinished file belongs to a run that has died."""
_FOR_EVERYBODY, _FOLDER_FOR_EVERYBODY = 0o644, 0o755


@dataclass(frozen=True, slots=True)
class WebsiteFile:
    """A file of the website; `path` is relative to its folder, with slashes."""

    path: str
    content: bytes


@dataclass(frozen=True, slots=True)
class WebsiteChanges:
    """Number of files of the website, of those that were written and of those that were removed."""

    files: int
    changed: int
    removed: int


def require_website_folder(folder: str | Path) -> Path:
    """Return the folder if the website may be written into it: a new or empty one, or that of an earlier website.

    Hidden files, such as those of git, do not count.
    """
    path = Path(folder)
    if path.exists() and not path.is_dir():
        raise Refused(_("%(folder)s is a file: choose a folder for the website.") % {"folder": path})
    try:
        foreign = [entry.name for entry in path.iterdir() if not entry.name.startswith(".")] if path.exists() else []
    except OSError as error:
        raise _unwritable(path, error) from None
    if foreign and not (path / MANIFEST).exists() and not (path / JOURNAL).exists():
        text = _(
            "The folder %(folder)s has files that are not of the website, such as %(file)s: choose an empty folder, "
            "or a new one."
        )
        raise Refused(text % {"folder": path, "file": min(foreign)})
    return path


def write_website(
    folder: str | Path, files: Iterable[WebsiteFile], report: Callable[[int], None] = lambda files: None
) -> WebsiteChanges:
    """Write the files that have changed, then remove those of an earlier website that it no longer has.

    `report` is called with the number of files that are done.
    """
    root = require_website_folder(folder)
    try:
        return _write_all(root, files, report)
    except OSError as error:
        raise _unwritable(root, error) from None


def _write_all(root: Path, files: Iterable[WebsiteFile], report: Callable[[int], None]) -> WebsiteChanges:
    _make_folder(root)
    _remove_unfinished(root)
    earlier = _read_names(root)
    names: set[str] = set()
    changed = 0
    for file in files:
        changed += _write_changed(root, file, is_ours=file.path in earlier)
        names.add(file.path)
        report(len(names))
    gone = sorted(earlier - names)
    for name in gone:
        _remove(root, name)
    manifest = json.dumps({"format": FORMAT, "files": sorted(names)}, indent=1).encode()
    if _read(root / MANIFEST) != manifest:
        _replace(root, MANIFEST, manifest)
    (root / JOURNAL).unlink(missing_ok=True)
    return WebsiteChanges(files=len(names), changed=changed, removed=len(gone))


def _write_changed(root: Path, file: WebsiteFile, *, is_ours: bool) -> bool:
    """Write a file if its content differs from that on the disk; tell if it did."""
    if not _PATH.fullmatch(file.path):
        raise ValueError(f"{file.path} is no name of a file of the website.")
    path = root / file.path
    if _read(path) == file.content:
        return False
    if not is_ours and path.exists():
        text = _("The website needs the name of the file %(file)s, which is not of the website: move it elsewhere.")
        raise Refused(text % {"file": path})
    if not is_ours:
        with (root / JOURNAL).open("a", encoding="utf-8") as journal:
            journal.write(f"{file.path}\n")
    _replace(root, file.path, file.content)
    return True


def _replace(root: Path, name: str, content: bytes) -> None:
    """Write a file beside its place, then rename it."""
    path = root / name
    _make_folder(path.parent)
    unfinished = root / f".multiplo-website.{os.getpid()}-{threading.get_ident()}.new"
    unfinished.write_bytes(content)
    unfinished.chmod(_FOR_EVERYBODY)
    unfinished.replace(path)


def _make_folder(path: Path) -> None:
    """Create a folder that every program of the computer may read, as a server of web pages has to."""
    if not path.is_dir():
        _make_folder(path.parent)
        path.mkdir(exist_ok=True)
        path.chmod(_FOLDER_FOR_EVERYBODY)


def _remove(root: Path, name: str) -> None:
    """Remove a file, and its folder if nothing else is in it."""
    path = root / name
    path.unlink(missing_ok=True)
    while (path := path.parent) != root and path.is_dir() and not any(path.iterdir()):
        path.rmdir()


def _remove_unfinished(root: Path) -> None:
    for path in root.glob(_UNFINISHED):
        if time.time() - path.stat().st_mtime > _OLD_S:
            path.unlink(missing_ok=True)


def _read_names(root: Path) -> set[str]:
    """Return the names of the files that earlier runs have written."""
    journal = (_read(root / JOURNAL) or b"").decode("utf-8", "replace").splitlines()
    manifest = _read(root / MANIFEST)
    return {name for name in [*journal, *_listed(manifest)] if _PATH.fullmatch(name)}


def _listed(manifest: bytes | None) -> list[str]:
    if manifest is None:
        return []
    try:
        stored = json.loads(manifest)
        if stored["format"] == FORMAT:
            return [str(name) for name in stored["files"]]
    except (ValueError, TypeError, LookupError):
        pass
    text = _("The list of the website's files (%(file)s) is damaged: empty the folder, then publish the website again.")
    raise Refused(text % {"file": MANIFEST})


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _unwritable(path: Path, error: OSError) -> Refused:
    text = _("The folder %(folder)s cannot be written (%(why)s): choose another one, or change its permissions.")
    return Refused(text % {"folder": path, "why": error.strerror or error})
