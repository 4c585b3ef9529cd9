"""The two databases that the program runs on."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import environ


def sqlite(path: Path) -> dict[str, Any]:
    """One file. An acknowledged slip must survive a pulled plug: hence synchronous=FULL, paid for by batched writes."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "CONN_MAX_AGE": None,  # each thread keeps its own: opening one costs as much as a small page
        "NAME": path,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
        },
        # Tests play whole nights over several connections, which an in-memory database would not share.
        "TEST": {"NAME": path.with_name(f"test-{os.getpid()}.sqlite3")},
    }


def server(url: str) -> dict[str, Any]:
    """A PostgreSQL, with a pool, because a connection for every phone would be too many."""
    return {
        **environ.Env.db_url_config(url),
        # Connections that died in the pool, with a server that was restarted, are thrown away before anybody has them.
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {"pool": {"min_size": 1, "max_size": 8}},
    }
