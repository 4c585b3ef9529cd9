"""Settings of the two supported databases."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote

LONGEST_WAIT_S = 3
"""Seconds that a page waits for a connection to PostgreSQL."""
LONGEST_BACK_OFF_S = 2.0
"""Time after which the pool gives a broken connection up; the next page that needs one asks for a new one at once."""

# A password may contain "@", "/" and "?": the last "@" that a host follows ends it.
_POSTGRESQL_URL = re.compile(
    r"postgres(?:ql)?://(?:(?P<USER>[^:@/]*)(?::(?P<PASSWORD>.*))?@)?"
    r"(?P<HOST>[^@/:?\[\]]*|\[[0-9A-Fa-f:.]+\])(?::(?P<PORT>[0-9]{1,5}))?"
    r"/(?P<NAME>[^/?@]+)(?:\?(?P<OPTIONS>.*))?"
)


def sqlite_config(path: Path) -> dict[str, Any]:
    """Return the settings of SQLite. synchronous=FULL, so that acknowledged slips survive a power failure."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "CONN_MAX_AGE": None,  # opening a connection costs as much as a small page
        "NAME": path,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
        },
        # Tests use several connections, which an in-memory database would not share.
        "TEST": {"NAME": path.with_name(f"test-{os.getpid()}.sqlite3")},
    }


def read_postgresql_url(url: str) -> dict[str, Any] | None:
    """Return the settings of `postgresql://user:password@host:port/name?option=value`; None for another text.

    The options are those of libpq, such as `sslmode` and `sslrootcert`.
    """
    found = _POSTGRESQL_URL.fullmatch(url.strip())
    if found is None:
        return None
    parts = {name: unquote(value or "") for name, value in found.groupdict().items() if name != "OPTIONS"}
    return {**parts, "HOST": parts["HOST"].strip("[]"), "OPTIONS": dict(parse_qsl(found["OPTIONS"] or ""))}


def postgresql_config(url: str) -> dict[str, Any]:
    """Return the settings of PostgreSQL with a connection pool, because one connection a phone would be too many."""
    from referee.server.postgresql import PooledConnection  # psycopg is installed with the extra `federation` only

    parts = read_postgresql_url(url) or {"OPTIONS": {}}
    return {
        **parts,
        "ENGINE": "django.db.backends.postgresql",
        # Connections that broke in the pool, as after a restart of the server, are replaced before use.
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {
            "connect_timeout": LONGEST_WAIT_S,
            "tcp_user_timeout": LONGEST_WAIT_S * 1000,  # ms: a network that takes the statement no more
            **parts["OPTIONS"],
            "pool": {
                "min_size": 1,
                "max_size": 8,
                "timeout": LONGEST_WAIT_S,
                "reconnect_timeout": LONGEST_BACK_OFF_S,
                "connection_class": PooledConnection,
            },
        },
    }
