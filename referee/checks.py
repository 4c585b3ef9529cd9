"""What `manage.py check --deploy` asks of this installation besides Django's own questions.

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

LEAST_OPEN_FILES = 8192  # a phone is one; five thousand, some twice, and what the program itself opens


def register_all() -> None:
    """Have Django ask for the checks of this module with --deploy."""
    for check in (origins, redis_options, open_files, write_ahead_log, backup_place):
        register(Tags.security, deploy=True)(check)


def origins(**_kwargs: Any) -> list[CheckMessage]:
    """Names are listed one by one, and with https no page may come by http."""
    return [Warning(text, hint=hint, id="referee.W001") for text, hint in _bad_origins()]


def _bad_origins() -> Iterator[tuple[str, str]]:
    named = _("Name each address under which the hall opens the program.")
    if any("*" in host for host in settings.ALLOWED_HOSTS):
        yield _("ALLOWED_HOSTS lets requests for any name in."), named
    for origin in settings.CSRF_TRUSTED_ORIGINS:
        if "*" in origin:
            yield _("CSRF_TRUSTED_ORIGINS trusts pages of a whole domain: %(origin)s") % {"origin": origin}, named
        elif settings.HTTPS and urlsplit(origin).scheme != "https":
            hint = _("Write it with https://, as the hall opens it.")
            yield _("A page that comes by plain http is trusted: %(origin)s") % {"origin": origin}, hint


def redis_options(**_kwargs: Any) -> list[CheckMessage]:
    """What was measured to keep news flowing: no time-out on a line that waits, and enough connections."""
    if settings.EMBEDDED:
        return []
    layer = settings.CHANNEL_LAYERS["default"]
    hosts = layer.get("CONFIG", {}).get("hosts", [{}])
    good = all(host.get("socket_timeout", 0) is None and host.get("max_connections", 0) >= 100 for host in hosts)
    if layer["BACKEND"] == "channels_redis.pubsub.RedisPubSubChannelLayer" and good:
        return []
    hint = _("Take CHANNEL_LAYERS from referee/settings.py: pub/sub, socket_timeout None, many connections.")
    return [Warning(_("Redis is not set up as the live hall needs it."), hint=hint, id="referee.W002")]


def open_files(**_kwargs: Any) -> list[CheckMessage]:
    """`serve` raises the limit as far as the system lets it; this is how far that is."""
    if sys.platform == "win32":
        return []
    import resource

    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if hard == resource.RLIM_INFINITY or hard >= LEAST_OPEN_FILES:
        return []
    text = _("The system lets a program open %(files)d files, and every phone is one.") % {"files": hard}
    hint = _("Raise the limit (ulimit -Hn, or LimitNOFILE of the service) to %(files)d.") % {"files": LEAST_OPEN_FILES}
    return [Warning(text, hint=hint, id="referee.W003")]


def write_ahead_log(**_kwargs: Any) -> list[CheckMessage]:
    """SQLite keeps a write-ahead log, which a network folder or some sticks cannot; a PostgreSQL has its own."""
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


def backup_place(**_kwargs: Any) -> list[CheckMessage]:
    """The folder for backups takes files."""
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
