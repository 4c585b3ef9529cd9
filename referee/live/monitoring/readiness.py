"""Checks of `/readyz`: whether this process can serve players and judges now. None of them waits for long."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader

from referee.live.rooms.live_server import LiveServer
from referee.server import stopping
from referee.server.database_outage import SCARCE_BYTES, free_bytes
from tournaments.lexicons.engine_build import get_engine_build

LONGEST_CHECK_S = 1.0
OK = "ok"
_migrated = threading.Event()
"""Set once all migrations have been found: no other program takes them back while this one runs."""


async def check_readiness(live_server: LiveServer) -> dict[str, str]:
    """Return the result of each check: `ok`, or a short code of the fault (docs/operating.md)."""
    storage = live_server.storage_monitor.current_outage
    results = {
        "running": "stopping" if stopping.is_stopping() else OK,
        "database": storage or OK,
        "migrations": await _check_migrations(live_server, storage),
        "clock": OK if live_server.heartbeat.takes_slips else "wrong",
        "engine": _check_engine(),
        "disk": await _in_time(_check_disk),
    }
    if not settings.EMBEDDED:
        results["redis"] = live_server.redis_monitor.current_outage or OK
    return results


async def _check_migrations(live_server: LiveServer, storage: str | None) -> str:
    """Compare the migrations of the program with those of the database, until all have been applied."""
    if _migrated.is_set():
        return OK
    if storage is not None:
        return "unknown"
    try:
        missing = await asyncio.wait_for(live_server.reader.read(_count_missing_migrations), LONGEST_CHECK_S)
    except (DatabaseError, TimeoutError):
        return "unknown"
    if missing:
        return "missing"
    _migrated.set()
    return OK


def _count_missing_migrations() -> int:
    loader = MigrationLoader(connection)
    return len(set(loader.disk_migrations or ()) - set(loader.applied_migrations or ()))


def _check_engine() -> str:
    build = get_engine_build()
    if build is None:
        return OK
    return "not_compiled" if build.has_failed else "compiling"


def _check_disk() -> str:
    if free_bytes() < SCARCE_BYTES:
        return "full"
    return OK if os.access(settings.DATA_DIR, os.W_OK) else "read_only"


async def _in_time(check: Callable[[], str]) -> str:
    """Run a check of files, which may hang on a network drive, in a thread."""
    try:
        return await asyncio.wait_for(asyncio.to_thread(check), LONGEST_CHECK_S)
    except TimeoutError:
        return "no_answer"
