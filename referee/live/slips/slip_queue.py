"""Queue of submitted slips; one writer stores them in batches, one transaction each.

A slip carries the time its frame was read. Its callback is called after the commit, without a task or a future of its
own, because thousands of slips may arrive within a second.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from tournaments.now import utc_now
from tournaments.play.queries import live
from tournaments.play.services.slips import IncomingSlip, Receipt, store_slips

logger = logging.getLogger(__name__)

CAPACITY = 10_000
LARGEST_BATCH = 500
LINGER_S = 0.02
RETRY_PAUSES_S = (0.05, 0.2, 0.5, 1.0, 2.0)


@dataclass(frozen=True, slots=True)
class QueuedSlip:
    """A slip, and the room whose clock decides if it is in time."""

    slip: IncomingSlip
    room_id: int


Write = Callable[[Sequence[QueuedSlip]], Awaitable[list[Receipt]]]
ReceiptCallback = Callable[[Receipt | None], None]
"""Called once, with the receipt or with None if the slip could not be stored; must not raise."""
_QueueItem = tuple[QueuedSlip, ReceiptCallback]


class SlipQueueFull(Exception):
    """Error: the queue is full; the phone sends the slip again later."""


class NotStored(Exception):
    """Error: the slip could not be stored; the phone sends it again later."""


class SlipQueue:
    """The queue and its writer.

    `write` stores a batch in one transaction and returns the receipts in the same order. Its errors of the types
    `retry` are temporary: the batch is written again. `on_trouble` is called for each failed write.
    """

    def __init__(
        self,
        write: Write,
        *,
        retry: tuple[type[Exception], ...] = (),
        on_trouble: Callable[[], None] = lambda: None,
        capacity: int = CAPACITY,
    ) -> None:
        self._write = write
        self._retry = retry
        self._on_trouble = on_trouble
        self._capacity = capacity
        self._queue: deque[_QueueItem] = deque()
        self._filled = asyncio.Event()
        self._taken = self._settled = 0
        self._drains: deque[tuple[int, asyncio.Future[None]]] = deque()

    def put(self, slip: QueuedSlip, settle: ReceiptCallback) -> None:
        """Queue a slip; raises SlipQueueFull."""
        if len(self._queue) >= self._capacity:
            raise SlipQueueFull
        self._queue.append((slip, settle))
        self._taken += 1
        self._filled.set()

    def offer(self, slip: QueuedSlip) -> asyncio.Future[Receipt]:
        """Queue a slip; raises SlipQueueFull. The future gives the receipt or raises NotStored."""
        future: asyncio.Future[Receipt] = asyncio.get_running_loop().create_future()

        def settle(receipt: Receipt | None) -> None:
            if future.done():
                return  # the caller was cancelled
            if receipt is not None:
                future.set_result(receipt)
            else:
                future.set_exception(NotStored())

        self.put(slip, settle)
        return future

    async def drain(self) -> None:
        """Wait until all slips queued so far are stored or have failed."""
        if self._settled < self._taken:
            drained = asyncio.get_running_loop().create_future()
            self._drains.append((self._taken, drained))
            await drained

    async def write_forever(self) -> None:
        """Store queued slips in batches."""
        while True:
            await self._filled.wait()
            await asyncio.sleep(LINGER_S)
            while self._queue:
                await self._store(self._next_batch())
            self._filled.clear()

    def _next_batch(self) -> list[_QueueItem]:
        return [self._queue.popleft() for _ in range(min(LARGEST_BATCH, len(self._queue)))]

    async def _store(self, batch: list[_QueueItem]) -> None:
        try:
            receipts = await self._write_with_retries([slip for slip, _ in batch])
        except Exception:
            logger.exception("a batch of %d slips could not be stored", len(batch))
            await self._store_one_by_one(batch)
            return
        for (_slip, settle), receipt in zip(batch, receipts, strict=True):
            self._settle(settle, receipt)

    async def _store_one_by_one(self, batch: list[_QueueItem]) -> None:
        """Store slips singly, so that one that cannot be stored does not block the others."""
        for slip, settle in batch:
            try:
                [receipt] = await self._write_with_retries([slip])
            except Exception:
                logger.exception("a slip of player %d could not be stored", slip.slip.player_id)
                self._on_trouble()
                self._settle(settle, None)
            else:
                self._settle(settle, receipt)

    def _settle(self, settle: ReceiptCallback, receipt: Receipt | None) -> None:
        try:
            settle(receipt)
        except Exception:
            logger.exception("the callback of a slip failed")
        self._settled += 1
        while self._drains and self._drains[0][0] <= self._settled:
            _number, drained = self._drains.popleft()
            if not drained.done():
                drained.set_result(None)

    async def _write_with_retries(self, slips: Sequence[QueuedSlip]) -> list[Receipt]:
        for pause in RETRY_PAUSES_S:
            try:
                return await self._write(slips)
            except self._retry:
                logger.warning("the database is not available, %d slips wait", len(slips))
                self._on_trouble()
                await asyncio.sleep(pause)
        return await self._write(slips)


def store_batch(batch: Sequence[QueuedSlip]) -> list[Receipt]:
    """Write a batch in the writer's thread; the clocks stored in the database decide which slips are in time.

    Rooms that have closed already are judged by the next sweep of the live server, so that no receipt waits for it.
    """
    clocks = live.clocks_of({queued.slip.turn_id for queued in batch})

    def with_current_clock(queued: QueuedSlip) -> IncomingSlip:
        clock = clocks.get((queued.slip.turn_id, queued.room_id))
        return queued.slip.stamped(clock) if clock is not None else replace(queued.slip, in_time=False)

    return store_slips([with_current_clock(queued) for queued in batch], now=utc_now())
