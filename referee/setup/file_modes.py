"""File modes that restrict the data to the user who runs the program: folders 0700, files 0600."""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path

# Names of what the program stores in its data folder except the public static files; other names that may be in it.
_OURS = re.compile(
    "secret_key|multiplo[.]sqlite3.*|serving[.]lock|lexicons|editions|documents|backups|tls|rehearsal-.*"
    "|restored|restore-offer[.]zip"
)
_OTHERS = re.compile("static|[.].*|lost[+]found")
# Commands that write into the checkout, which other users of the computer may read.
_FOR_THE_CHECKOUT = ("makemessages", "compilemessages", "makemigrations", "squashmigrations", "collectstatic")


def write_privately(command: str) -> None:
    """Make files that this process creates from now on readable by its user only."""
    if command not in _FOR_THE_CHECKOUT:
        os.umask(0o077)


def make_private(data: Path, *, is_usual: bool) -> None:
    """Restrict a data folder and the program's files in it to the current user.

    A folder that holds other things too (`--data /tmp`) keeps its mode; only the program's files in it are restricted.
    `is_usual` is True for the folder `var`, which belongs to the program. Files of other users are left alone.
    """
    entries = list(data.iterdir())
    ours = [path for path in entries if _OURS.fullmatch(path.name)]
    if is_usual or all(path in ours or _OTHERS.fullmatch(path.name) for path in entries):
        _close(data)
    for path in ours:
        for inside in () if path.is_symlink() else (path, *path.rglob("*")):
            _close(inside)


def _close(path: Path) -> None:
    with contextlib.suppress(PermissionError, FileNotFoundError):
        mode = path.stat().st_mode
        if mode & 0o077 and not path.is_symlink():
            path.chmod(mode & 0o700)
