"""Keeps the data to the user who runs the program: folders 0700, files 0600."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

# All that the program itself puts into its data folder, but for the public files of the pages (static).
_OURS = (
    *("secret_key", "multiplo.sqlite3*", "migrated.json", "serving.lock"),
    *("lexicons", "editions", "documents", "backups", "tls", "rehearsal-*"),
)
_OTHERS = ("static", ".*", "lost+found")
# Commands that write into the checkout, whose files other users of the computer may read.
_FOR_THE_CHECKOUT = ("makemessages", "compilemessages", "makemigrations", "squashmigrations", "collectstatic")


def write_privately(command: str) -> None:
    """Let files that this process makes from now on be readable by its user alone."""
    if command not in _FOR_THE_CHECKOUT:
        os.umask(0o077)


def make_private(data: Path, *, is_usual: bool) -> None:
    """Close a data folder, and what an older version or the set-up has left open in it, to other users.

    A folder that holds other things too (`--data /tmp`) stays as it is, and only our files in it are closed;
    `is_usual` is for the folder `var`, which is always ours. What belongs to another user is left to that user.
    """
    with os.scandir(data) as entries:
        names = [entry.name for entry in entries]
    if is_usual or all(_is_one_of(name, _OURS + _OTHERS) for name in names):
        _close(data)
    for name in names:
        if _is_one_of(name, _OURS):
            for path in _tree(data / name):
                _close(path)


def _tree(path: Path) -> Iterator[Path]:
    """A file, or a folder with all that is in it; links are left out."""
    if path.is_symlink():
        return
    yield path
    for folder, folders, files in os.walk(path):
        yield from (here for name in (*folders, *files) if not (here := Path(folder, name)).is_symlink())


def _close(path: Path) -> None:
    with contextlib.suppress(PermissionError, FileNotFoundError):
        mode = path.stat().st_mode
        if mode & 0o077:
            path.chmod(mode & 0o700)


def _is_one_of(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatch(name, pattern) for pattern in patterns)
