"""Restart of `serve` with a restored database, asked for by a page of the desk."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from django.conf import settings
from django.db import connection
from django.utils.translation import gettext as _

from referee.server.data_lock import is_data_folder_shared
from tournaments.backups.replacement import complete_replacement

ANSWER_S = 0.5  # in which the page that asked is sent
_servers: list[tuple[Callable[[], None], int | None]] = []
_requested = threading.Event()


def allow_restart(stop: Callable[[], None], lock: int | None) -> None:
    """Let pages restart this process: `stop` ends its server, `lock` is the lock of the data folder."""
    _servers.append((stop, lock))


def explain_no_restart() -> str:
    """Return why this process cannot restart with another database, and what to do instead; empty if it can."""
    if connection.vendor != "sqlite":
        return _("The data are in PostgreSQL: restore them with its own tools, as docs/operating.md says.")
    if not _servers or os.name == "nt" or is_data_folder_shared(_servers[-1][1]):
        return _(
            "This server cannot start itself again: stop it, run “%(command)s restore FILE”, and start it again."
        ) % {"command": settings.COMMAND}
    return ""


def request_restart() -> None:
    """End the server in a moment; `start_again` follows."""
    _requested.set()
    stop, _lock = _servers[-1]
    timer = threading.Timer(ANSWER_S, stop)
    timer.daemon = True
    timer.start()


def is_restarting() -> bool:
    """Tell if the server is about to end and to start again."""
    return _requested.is_set()


def start_again(port: int) -> NoReturn:
    """Put the restored database in place and replace this process by the same command on the same port.

    The server has ended. A fault of the disk is left to the next start, which completes the replacement or reports why
    it cannot.
    """
    with suppress(OSError):
        complete_replacement(Path(settings.DATA_DIR))
    sys.stdout.flush()
    sys.stderr.flush()
    line = [sys.executable, *sys.orig_argv[1:], "--port", str(port), "--no-browser"]
    os.execv(line[0], line)  # noqa: S606 - our own command, no shell wanted
