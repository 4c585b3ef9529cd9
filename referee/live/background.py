"""Work that goes on beside the sockets.

The loop itself keeps no strong reference to a task, which may so be collected in mid-work; here they are kept.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Generic, TypeVar

logger = logging.getLogger(__name__)
T = TypeVar("T")
LONGEST_PAUSE_S = 10.0


class Background:
    """The tasks of one event loop."""

    def __init__(self, pause_after_failure: float = 0.5) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._pause = pause_after_failure
        self._stopped = False

    def start(self, work: Coroutine[Any, Any, T], name: str) -> asyncio.Future[T]:
        """Run once. A failure is logged, also when nobody waits for the result. After `stop` nothing is begun."""
        if self._stopped:
            work.close()
            nothing: asyncio.Future[T] = asyncio.get_running_loop().create_future()
            nothing.cancel()
            return nothing
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def keep_running(self, work: Callable[[], Awaitable[None]], name: str) -> None:
        """Run for good: again after a pause when it fails or ends."""
        self.start(self._run_for_good(work, name), name)

    def repeat(self, work: Callable[[], Awaitable[None]], seconds: float, name: str) -> None:
        """Run every so often, whatever happens to a single run."""

        async def rounds() -> None:
            while True:
                await work()
                await asyncio.sleep(seconds)

        self.keep_running(rounds, name)

    async def stop(self) -> None:
        """End all tasks, wait for them, and begin no others."""
        self._stopped = True
        tasks = self._tasks - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run_for_good(self, work: Callable[[], Awaitable[None]], name: str) -> None:
        loop, failures = asyncio.get_running_loop(), 0
        while True:
            began = loop.time()
            try:
                await work()
            except Exception as error:
                failures = 1 if loop.time() - began > LONGEST_PAUSE_S else failures + 1
                logger.error("%s failed and is started again: %r", name, error, exc_info=failures == 1)
            await asyncio.sleep(min(LONGEST_PAUSE_S, self._pause * 2**failures))

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("%s failed", task.get_name(), exc_info=error)


class Coalesced(Generic[T]):
    """Something that is read anew when it went stale; many who ask meanwhile share one reading.

    `current()` never gives a value that was read before the last `stale()`.
    """

    def __init__(self, read: Callable[[], Awaitable[T]], background: Background, name: str) -> None:
        self._read = read
        self._background = background
        self._name = name
        self._version = 1
        self._read_version = 0
        self._value: T | None = None
        self._reading: asyncio.Future[None] | None = None

    @property
    def last(self) -> T | None:
        """What was read last, stale or not; None before the first reading."""
        return self._value

    @property
    def is_current(self) -> bool:
        """Whether nothing went stale since the last reading began."""
        return self._read_version == self._version

    def stale(self) -> None:
        """What has been read may no longer be true."""
        self._version += 1

    async def current(self) -> T:
        """The value as of now or later. Raises what the reading raised."""
        wanted = self._version
        while self._read_version < wanted:
            if self._reading is None:
                self._reading = asyncio.get_running_loop().create_future()
                self._background.start(self._run(self._reading), self._name)
            await asyncio.shield(self._reading)
        value: T = self._value  # type: ignore[assignment]
        return value

    async def _run(self, reading: asyncio.Future[None]) -> None:
        began = self._version
        try:
            self._value = await self._read()
            self._read_version = began
        except Exception as error:
            reading.set_exception(error)
            reading.exception()  # whoever asked may have left
        else:
            reading.set_result(None)
        finally:
            self._reading = None
            reading.cancel()
