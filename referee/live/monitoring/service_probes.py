"""Probes of the services of a cluster: PostgreSQL and Redis. An installation on SQLite has none."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from typing import cast

from django.conf import settings
from django.db import connection

from referee.live.background import Background
from referee.live.monitoring.outage_monitor import PROBE, OutageMonitor

ASK_EVERY_S = 1.0
LONGEST_PING_S = 2.0


class ServiceProbes:
    """Probes that report to the monitors of storage and Redis."""

    def __init__(self, storage: OutageMonitor, redis: OutageMonitor) -> None:
        self._redis = redis
        self._database = None
        if connection.vendor == "postgresql":
            from referee.live.monitoring.database_probe import DatabaseProbe

            self._database = DatabaseProbe(self._report_database)
        self._storage, self._loop = storage, asyncio.get_running_loop()

    def start(self, background: Background) -> None:
        """Start asking."""
        if self._database is not None:
            self._database.start()
        if not settings.EMBEDDED:
            background.keep_running(self._ask_redis_forever, "probe of Redis")

    def stop(self) -> None:
        """Stop the thread; the tasks end with their background."""
        if self._database is not None:
            self._database.stop()

    def _report_database(self, outage: str | None) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._storage.report, PROBE, outage)

    async def _ask_redis_forever(self) -> None:
        from redis.asyncio import Redis
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff
        from redis.exceptions import RedisError

        client = Redis.from_url(settings.REDIS_URL, socket_timeout=LONGEST_PING_S, retry=Retry(NoBackoff(), 1))
        try:
            while True:
                try:
                    async with asyncio.timeout(LONGEST_PING_S):
                        await cast(Awaitable[bool], client.ping())
                except TimeoutError:
                    self._redis.report(PROBE, "redis_no_answer")
                except (RedisError, OSError):
                    self._redis.report(PROBE, "redis_away")
                else:
                    self._redis.report(PROBE, None)
                await asyncio.sleep(ASK_EVERY_S)
        finally:
            await client.aclose()
