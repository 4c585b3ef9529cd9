"""Settings of the two supported databases."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from referee.environment.service_url import ServiceUrl

LONGEST_WAIT_S = 3
"""Seconds that a page waits for a connection to PostgreSQL."""
LOOK_AGAIN_S = 0.5
"""Seconds after which a waiting page looks whether the outage is known by now."""
LONGEST_BACK_OFF_S = 2.0
"""Time after which the pool gives a broken connection up; the next page that needs one asks for a new one at once."""


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


def postgresql_config(url: ServiceUrl) -> dict[str, Any]:
    """Return the settings of PostgreSQL with a connection pool, because one connection a phone would be too many.

    The options of the address are those of libpq, such as `sslmode` and `sslrootcert`.
    """
    from referee.server.postgresql.connections import (
        PooledConnection,  # psycopg is installed with the extra `federation` only
    )

    return {
        "ENGINE": "referee.server.postgresql",
        "USER": url.user,
        "PASSWORD": url.password,
        "HOST": url.host,
        "PORT": url.port,
        "NAME": url.name,
        # Connections that broke in the pool, as after a restart of the server, are replaced before use.
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {
            "connect_timeout": LONGEST_WAIT_S,
            "tcp_user_timeout": LONGEST_WAIT_S * 1000,  # ms: a network that takes the statement no more
            **url.options,
            "pool": {
                "min_size": 1,
                "max_size": 8,
                "timeout": LOOK_AGAIN_S,
                "reconnect_timeout": LONGEST_BACK_OFF_S,
                "connection_class": PooledConnection,
            },
        },
    }
