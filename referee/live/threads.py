"""Threads for database work, so that the event loop never blocks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import InterfaceError, OperationalError, connection, connections

T = TypeVar("T")


class DatabaseThread:
    """One thread with its connection; a PostgreSQL connection goes back to the pool after each call."""

    def __init__(self, name: str) -> None:
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"multiplo-{name}")

    async def run(self, work: Callable[[], T]) -> T:
        """Run `work` in the thread and return its result. It continues if the waiting task is cancelled."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, _do, work)

    async def read(self, work: Callable[[], T]) -> T:
        """Like `run`, with a second try on a new connection; for work without side effects."""
        try:
            return await self.run(work)
        except (InterfaceError, OperationalError):
            return await self.run(work)

    async def close(self) -> None:
        """Finish running work and close the connection."""
        await asyncio.get_running_loop().run_in_executor(self._executor, connections.close_all)
        self._executor.shutdown(wait=False)


def _do(work: Callable[[], T]) -> T:
    try:
        return work()
    except (InterfaceError, OperationalError):
        connection.close()
        raise
    finally:
        if connection.vendor != "sqlite":
            connection.close()
