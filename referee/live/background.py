"""Background tasks of an event loop.

asyncio holds only weak references to tasks, so a running task could be garbage-collected; here they are strong.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from typing import Any, Generic, TypeVar

logger = logging.getLogger(__name__)
K = TypeVar("K")
T = TypeVar("T")
LONGEST_PAUSE_S = 10.0


class Background:
    """The tasks of one event loop."""

    def __init__(self, pause_after_failure: float = 0.5) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._pause = pause_after_failure
        self._stopped = False

    def start(self, work: Coroutine[Any, Any, T], name: str) -> asyncio.Future[T]:
        """Run once. Failures are logged. After `stop`, nothing is started and the future is cancelled."""
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
        """Run `work` again after a pause whenever it ends or fails."""
        self.start(self._run_forever(work, name), name)

    def repeat(self, work: Callable[[], Awaitable[None]], seconds: float, name: str) -> None:
        """Run `work` every so many seconds; a failed run does not stop the repetition."""

        async def rounds() -> None:
            while True:
                await work()
                await asyncio.sleep(seconds)

        self.keep_running(rounds, name)

    async def stop(self) -> None:
        """Cancel all tasks and wait for them; no others are started."""
        self._stopped = True
        tasks = self._tasks - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run_forever(self, work: Callable[[], Awaitable[None]], name: str) -> None:
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


class CoalescedRun:
    """Work that is never done twice at the same time; a request during a run causes one more run after it."""

    def __init__(self, work: Callable[[], Awaitable[None]], background: Background, name: str) -> None:
        self._work = work
        self._background = background
        self._name = name
        self._running: asyncio.Future[None] | None = None
        self._run_again = False

    def request(self) -> None:
        """Start a run, or have one follow the present one."""
        if self._running is None:
            self._running = self._background.start(self._run(), self._name)
        else:
            self._run_again = True

    async def _run(self) -> None:
        try:
            await self._work()
        finally:
            self._running = None
            if self._run_again:
                self._run_again = False
                self.request()


class CoalescedReader(Generic[T]):
    """A value that is read again when stale; concurrent callers share one read.

    `current()` never returns a value read before the last `mark_stale()`.
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
        """The last value, stale or not; None before the first read."""
        return self._value

    @property
    def is_current(self) -> bool:
        """True if the last value is not stale."""
        return self._read_version == self._version

    def mark_stale(self) -> None:
        """Mark the last value as outdated."""
        self._version += 1

    def replace(self, value: T) -> None:
        """Replace the last value by one from elsewhere. A stale one stays stale and is read again all the same."""
        self._value = value

    async def current(self) -> T:
        """Return a value read now or later. Raises the errors of `read`."""
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
            reading.exception()  # mark as retrieved: the caller may have been cancelled
        else:
            reading.set_result(None)
        finally:
            self._reading = None
            reading.cancel()


class BatchedReader(Generic[K, T]):
    """Values by key; keys that are requested within `linger_s`, or while others are being read, are read together."""

    def __init__(
        self,
        read: Callable[[Collection[K]], Awaitable[Mapping[K, T]]],
        background: Background,
        name: str,
        linger_s: float = 0.0,
    ) -> None:
        self._read = read
        self._background = background
        self._name = name
        self._linger_s = linger_s
        self._requests: dict[K, asyncio.Future[T | None]] = {}
        self._is_reading = False

    async def get(self, key: K) -> T | None:
        """Return the value of a key, read now or later; None if there is none. Raises the errors of `read`."""
        answer = self._requests.get(key)
        if answer is None:
            answer = self._requests[key] = asyncio.get_running_loop().create_future()
        if not self._is_reading:
            self._is_reading = True
            self._background.start(self._run(), self._name)
        return await asyncio.shield(answer)

    async def _run(self) -> None:
        requests: dict[K, asyncio.Future[T | None]] = {}
        try:
            while self._requests:
                await asyncio.sleep(self._linger_s)
                requests, self._requests = self._requests, {}
                await self._answer(requests)
        finally:
            self._is_reading = False
            for answer in (*requests.values(), *self._requests.values()):
                answer.cancel()

    async def _answer(self, requests: Mapping[K, asyncio.Future[T | None]]) -> None:
        try:
            found = await self._read(tuple(requests))
        except Exception as error:
            for answer in requests.values():
                answer.set_exception(error)
                answer.exception()  # mark as retrieved: the caller may have been cancelled
        else:
            for key, answer in requests.items():
                answer.set_result(found.get(key))
