"""Kinds of database outages, from the errors of SQLite, psycopg and its pool."""

from __future__ import annotations

import shutil

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection

OUTAGE_ERRORS = (OperationalError, InterfaceError)
SCARCE_BYTES = 256 * 1024
_BY_SQLITE = {
    "SQLITE_FULL": "disk_full",
    "SQLITE_READONLY": "read_only",
    "SQLITE_CANTOPEN": "read_only",
    "SQLITE_PERM": "read_only",
    "SQLITE_BUSY": "locked",
    "SQLITE_LOCKED": "locked",
}
_BY_POSTGRESQL = {
    "53100": "disk_full",
    "25006": "read_only",
    "55P03": "locked",
    "57014": "no_answer",
    "53300": "many_connections",
    "57P": "restarting",
    "28": "wrong_password",
    "08": "no_connection",
}
"""Kinds by SQLSTATE or its first characters (PostgreSQL, appendix A)."""
_REFUSALS = {
    "starting up": "restarting",
    "shutting down": "restarting",
    "recovery": "restarting",
    "authentication failed": "wrong_password",
    "pg_hba.conf": "wrong_password",
    "too many clients": "many_connections",
    "connection slots": "many_connections",
}
"""Kinds by a part of the message, which is all that libpq gives of a refused connection."""


def outage_kind(error: BaseException) -> str:
    """Return the kind of alarm (referee/live/monitoring/alarms.py) for a database error; `not_stored` if unknown."""
    cause = error.__cause__ or error
    if connection.vendor == "postgresql":
        return _postgresql_kind(cause)
    name = "_".join(str(getattr(cause, "sqlite_errorname", "")).split("_")[:2])
    return _BY_SQLITE.get(name) or ("disk_full" if free_bytes() < SCARCE_BYTES else "not_stored")


def _postgresql_kind(cause: BaseException) -> str:
    """Return the kind of an error of psycopg or of its pool, which knows only that there is no connection."""
    import psycopg
    from psycopg_pool import PoolTimeout

    from referee.server.postgresql.connections import answers

    if isinstance(cause, PoolTimeout):
        return answers.outage or "no_connection"
    if isinstance(cause, psycopg.errors.ConnectionTimeout):
        return "no_answer"
    state = getattr(cause, "sqlstate", None) or ""
    known = next((kind for start, kind in _BY_POSTGRESQL.items() if state.startswith(start)), None)
    if known is not None or state:
        return known or "not_stored"
    return next((kind for part, kind in _REFUSALS.items() if part in str(cause)), "no_connection")


def free_bytes() -> int:
    """Return the free space on the disk of the data folder; 0 if the folder is gone."""
    try:
        return shutil.disk_usage(settings.DATA_DIR).free
    except OSError:
        return 0
