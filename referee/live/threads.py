"""Threads for the database: the event loop never waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import InterfaceError, OperationalError, connection, connections

T = TypeVar("T")


class DatabaseThread:
    """One thread and its connection: a file database's is kept, a server's goes back to the pool after each work."""

    def __init__(self, name: str) -> None:
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"multiplo-{name}")

    async def run(self, work: Callable[[], T]) -> T:
        """Do the work in the thread and return its result. The work goes on when the waiting task is cancelled."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, _do, work)

    async def read(self, work: Callable[[], T]) -> T:
        """As `run`, tried again with a new connection when the old one was dead; for work that changes nothing."""
        try:
            return await self.run(work)
        except (InterfaceError, OperationalError):
            return await self.run(work)

    async def close(self) -> None:
        """Finish what was begun and give the connection back."""
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
