"""The folder of the website: only files that have changed are written, and only files of ours are removed.

The names of the files that were written are kept in `MANIFEST`, so that files of others stay as they are. Before a new
file is created, its name is added to `JOURNAL`; after a crash, the next run knows all files of the one that was
interrupted. The journal also names the sections that a run makes again, so that none counts as whole before
it is. Each file is written beside its place and then renamed, so none is ever half-written.
"""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections.abc import Callable, Iterable, Mapping
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
class WebsiteSection:
    """The files in a folder of the website (`path` ends with a slash), made only if `state` differs from that of the
    files on the disk: a text that changes with everything they depend on."""

    path: str
    state: str
    make: Callable[[], Iterable[WebsiteFile]]


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
    folder: str | Path,
    content: Iterable[WebsiteFile | WebsiteSection],
    report: Callable[[int], None] = lambda files: None,
) -> WebsiteChanges:
    """Write the files that have changed, then remove those of an earlier website that it no longer has.

    `report` is called with the number of files that are done.
    """
    root = require_website_folder(folder)
    try:
        return _write_all(root, content, report)
    except OSError as error:
        raise _unwritable(root, error) from None


def _write_all(
    root: Path, content: Iterable[WebsiteFile | WebsiteSection], report: Callable[[int], None]
) -> WebsiteChanges:
    _make_folder(root)
    _remove_unfinished(root)
    earlier = _read_manifest(root)
    writer = _Writer(root, earlier, report)
    for each in content:
        if isinstance(each, WebsiteFile):
            writer.write(each)
        else:
            writer.write_section(each)
    gone = sorted(earlier.files - writer.files)
    for name in gone:
        _remove(root, name)
    manifest = {"format": FORMAT, "files": sorted(writer.files), "states": dict(sorted(writer.states.items()))}
    text = json.dumps(manifest, indent=1).encode()
    if _read(root / MANIFEST) != text:
        _replace(root, MANIFEST, text)
    (root / JOURNAL).unlink(missing_ok=True)
    return WebsiteChanges(files=len(writer.files), changed=writer.changed, removed=len(gone))


@dataclass(frozen=True, slots=True)
class _Manifest:
    """The files of earlier runs, and the states of the sections that are whole."""

    files: frozenset[str]
    states: Mapping[str, str]


class _Writer:
    """Writes the files of one run. `files` are those of the website so far, `states` those of its sections."""

    def __init__(self, root: Path, earlier: _Manifest, report: Callable[[int], None]) -> None:
        self._root, self._earlier, self._report = root, earlier, report
        self.files: set[str] = set()
        self.states: dict[str, str] = {}
        self.changed = 0

    def write(self, file: WebsiteFile) -> None:
        """Write a file if its content differs from that on the disk."""
        if not _PATH.fullmatch(file.path):
            raise ValueError(f"{file.path} is no name of a file of the website.")
        path = self._root / file.path
        if _read(path) != file.content:
            self._claim(file.path, path)
            _replace(self._root, file.path, file.content)
            self.changed += 1
        self.files.add(file.path)
        self._report(len(self.files))

    def write_section(self, section: WebsiteSection) -> None:
        """Keep the files of a section whose state is the same and which are all there; make the others again."""
        own = {name for name in self._earlier.files if name.startswith(section.path)}
        is_known = self._earlier.states.get(section.path) == section.state
        if is_known and own and all((self._root / name).is_file() for name in own):
            self.files |= own
            self._report(len(self.files))
        else:
            self._note(section.path)
            for file in section.make():
                self.write(file)
        self.states[section.path] = section.state

    def _claim(self, name: str, path: Path) -> None:
        """Note the name of a new file; refuse to replace a file of others."""
        if name in self._earlier.files:
            return
        if path.exists():
            text = _("The website needs the name of the file %(file)s, which is not of the website: move it elsewhere.")
            raise Refused(text % {"file": path})
        self._note(name)

    def _note(self, name: str) -> None:
        with (self._root / JOURNAL).open("a", encoding="utf-8") as journal:
            journal.write(f"{name}\n")


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


def _read_manifest(root: Path) -> _Manifest:
    """Return the files of earlier runs; a section that a run has begun to write has no state."""
    journal = (_read(root / JOURNAL) or b"").decode("utf-8", "replace").splitlines()
    names, states = _stored(root / MANIFEST)
    files = frozenset(name for name in [*journal, *names] if _PATH.fullmatch(name))
    return _Manifest(files, {path: state for path, state in states.items() if path not in journal})


def _stored(path: Path) -> tuple[list[str], dict[str, str]]:
    """Return the names and states in the manifest; none without one."""
    manifest = _read(path)
    if manifest is None:
        return [], {}
    try:
        stored = json.loads(manifest)
        if stored["format"] == FORMAT:
            return [str(name) for name in stored["files"]], {**stored["states"]}
    except (ValueError, TypeError, LookupError):
        pass
    text = _("The list of the website's files (%(file)s) is damaged: empty the folder, then publish the website again.")
    raise Refused(text % {"file": MANIFEST})


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _unwritable(path: Path, error: OSError) -> Refused:
    text = _("The folder %(folder)s cannot be written (%(why)s): choose another one, or change its permissions.")
    return Refused(text % {"folder": path, "why": error.strerror or error})
