"""System checks of `manage.py check --deploy`.

Each fault is a warning with the remedy in its hint; ids are `referee.W0xx`.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register
from django.db import DatabaseError, connection
from django.utils.translation import gettext as _

LEAST_OPEN_FILES = 8192  # one for each of 5,000 phones, some with two sockets, and the program's own files


def register_all() -> None:
    """Register the checks of this module for --deploy."""
    for check in (check_origins, check_redis_options, check_open_files, check_write_ahead_log, check_backup_folder):
        register(Tags.security, deploy=True)(check)


def check_origins(**_kwargs: Any) -> list[CheckMessage]:
    """Require single host names, and https origins with https."""
    return [Warning(text, hint=hint, id="referee.W001") for text, hint in _bad_origins()]


def _bad_origins() -> Iterator[tuple[str, str]]:
    named = _("List every address under which players open the program.")
    if any("*" in host for host in settings.ALLOWED_HOSTS):
        yield _("ALLOWED_HOSTS lets requests for any name in."), named
    for origin in settings.CSRF_TRUSTED_ORIGINS:
        if "*" in origin:
            yield _("CSRF_TRUSTED_ORIGINS trusts pages of a whole domain: %(origin)s") % {"origin": origin}, named
        elif settings.HTTPS and urlsplit(origin).scheme != "https":
            hint = _("Write it with https://, as players open it.")
            yield _("A page that comes by plain http is trusted: %(origin)s") % {"origin": origin}, hint


def check_redis_options(**_kwargs: Any) -> list[CheckMessage]:
    """Require the measured Redis options: no time-out on waiting connections, and enough connections."""
    if settings.EMBEDDED:
        return []
    layer = settings.CHANNEL_LAYERS["default"]
    hosts = layer.get("CONFIG", {}).get("hosts", [{}])
    good = all(host.get("socket_timeout", 0) is None and host.get("max_connections", 0) >= 100 for host in hosts)
    if layer["BACKEND"] == "channels_redis.pubsub.RedisPubSubChannelLayer" and good:
        return []
    hint = _("Take CHANNEL_LAYERS from referee/settings.py: pub/sub, socket_timeout None, many connections.")
    return [Warning(_("Redis is not set up for live games."), hint=hint, id="referee.W002")]


def check_open_files(**_kwargs: Any) -> list[CheckMessage]:
    """Require a sufficient limit of open files, to which `serve` raises its own."""
    if sys.platform == "win32":
        return []
    import resource

    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if hard == resource.RLIM_INFINITY or hard >= LEAST_OPEN_FILES:
        return []
    text = _("The system lets a program open %(files)d files, and every phone is one.") % {"files": hard}
    hint = _("Raise the limit (ulimit -Hn, or LimitNOFILE of the service) to %(files)d.") % {"files": LEAST_OPEN_FILES}
    return [Warning(text, hint=hint, id="referee.W003")]


def check_write_ahead_log(**_kwargs: Any) -> list[CheckMessage]:
    """Require SQLite's write-ahead log, which network folders and some sticks do not support."""
    if connection.vendor != "sqlite" or not Path(connection.settings_dict["NAME"]).is_file():
        return []
    try:
        with connection.cursor() as cursor:
            mode = cursor.execute("PRAGMA journal_mode").fetchone()[0]
    except DatabaseError as error:
        mode = str(error)
    if mode == "wal":
        return []
    hint = _("Put the data folder on a disk of this computer (--data DIR).")
    return [
        Warning(
            _("The database cannot keep its log of changes: %(mode)s") % {"mode": mode}, hint=hint, id="referee.W004"
        )
    ]


def check_backup_folder(**_kwargs: Any) -> list[CheckMessage]:
    """Require a writable backup folder."""
    folder = str(settings.BACKUP_DIR)
    if not folder:
        return []
    try:
        os.makedirs(folder, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"\0" * 4096)
    except OSError as error:
        text = _("Backups cannot be written to %(folder)s: %(why)s") % {"folder": folder, "why": error.strerror}
        hint = _("Plug the stick in, or name another folder in BACKUP_DIR.")
        return [Warning(text, hint=hint, id="referee.W005")]
    return []
