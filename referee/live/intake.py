"""The road of a slip from the socket to the database: one bounded queue, one writer, many slips in a transaction.

Whoever puts a slip in has stamped it when its frame was read; he is told after the commit. No slip has a task or a
future of its own: a batch is answered in one go.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from engine.clock import in_time
from tournaments.now import utc_now
from tournaments.selectors import live
from tournaments.services.slips import Incoming, Receipt, hand_in_batch

logger = logging.getLogger(__name__)

CAPACITY = 10_000
LARGEST_BATCH = 500
LINGER_S = 0.02
PAUSES_S = (0.05, 0.2, 0.5, 1.0, 2.0)


@dataclass(frozen=True, slots=True)
class Stamped:
    """A slip and the room whose clock decides whether it is in time."""

    slip: Incoming
    room_id: int


Write = Callable[[Sequence[Stamped]], Awaitable[list[Receipt]]]
Settle = Callable[[Receipt | None], None]
"""Is called once, with the receipt, or with None when the slip could not be stored; it must not raise."""
_Waiting = tuple[Stamped, Settle]


class Busy(Exception):
    """More slips wait than can be stored soon; the phone keeps its slip and sends it again."""


class NotStored(Exception):
    """The database did not take the slip; the phone keeps it and sends it again."""


class Intake:
    """The queue and its writer.

    `write` stores a batch in one transaction and returns a receipt for each slip, in order; `retry` tells which of
    its errors mean that the database is out of reach for a moment, `on_trouble` is called when it is.
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
        self._queue: deque[_Waiting] = deque()
        self._filled = asyncio.Event()
        self._taken = self._settled = 0
        self._drains: deque[tuple[int, asyncio.Future[None]]] = deque()

    def put(self, slip: Stamped, settle: Settle) -> None:
        """Queue a slip; raises Busy when the queue is full."""
        if len(self._queue) >= self._capacity:
            raise Busy
        self._queue.append((slip, settle))
        self._taken += 1
        self._filled.set()

    def offer(self, slip: Stamped) -> asyncio.Future[Receipt]:
        """Queue a slip; raises Busy when the queue is full. The future gives the receipt, or raises NotStored."""
        future: asyncio.Future[Receipt] = asyncio.get_running_loop().create_future()

        def settle(receipt: Receipt | None) -> None:
            if future.done():
                return  # whoever asked has left
            if receipt is not None:
                future.set_result(receipt)
            else:
                future.set_exception(NotStored())

        self.put(slip, settle)
        return future

    async def drain(self) -> None:
        """Wait until everything offered so far is stored or given up. Slips are settled in the order they came in."""
        if self._settled < self._taken:
            drained = asyncio.get_running_loop().create_future()
            self._drains.append((self._taken, drained))
            await drained

    async def write_forever(self) -> None:
        """Store what waits, batch by batch."""
        while True:
            await self._filled.wait()
            await asyncio.sleep(LINGER_S)
            while self._queue:
                await self._store(self._next_batch())
            self._filled.clear()

    def _next_batch(self) -> list[_Waiting]:
        return [self._queue.popleft() for _ in range(min(LARGEST_BATCH, len(self._queue)))]

    async def _store(self, batch: list[_Waiting]) -> None:
        try:
            receipts = await self._write_patiently([slip for slip, _ in batch])
        except Exception:
            logger.exception("a batch of %d slips could not be stored", len(batch))
            await self._store_singly(batch)
            return
        for (_slip, settle), receipt in zip(batch, receipts, strict=True):
            self._settle(settle, receipt)

    async def _store_singly(self, batch: list[_Waiting]) -> None:
        """One slip that cannot be stored must not take the others with it."""
        for slip, settle in batch:
            try:
                [receipt] = await self._write_patiently([slip])
            except Exception:
                logger.exception("a slip of player %d could not be stored", slip.slip.player_id)
                self._on_trouble()
                self._settle(settle, None)
            else:
                self._settle(settle, receipt)

    def _settle(self, settle: Settle, receipt: Receipt | None) -> None:
        try:
            settle(receipt)
        except Exception:
            logger.exception("somebody could not be told what became of his slip")
        self._settled += 1
        while self._drains and self._drains[0][0] <= self._settled:
            _number, drained = self._drains.popleft()
            if not drained.done():
                drained.set_result(None)

    async def _write_patiently(self, slips: Sequence[Stamped]) -> list[Receipt]:
        for pause in PAUSES_S:
            try:
                return await self._write(slips)
            except self._retry:
                logger.warning("the database is out of reach, %d slips wait", len(slips))
                self._on_trouble()
                await asyncio.sleep(pause)
        return await self._write(slips)


def store(batch: Sequence[Stamped]) -> list[Receipt]:
    """Write a batch, for the writer's thread. In time or late is told by the clock as it stands in the database now."""
    clocks = live.clocks_of({stamped.slip.turn_id for stamped in batch})

    def judged(stamped: Stamped) -> Incoming:
        clock = clocks.get((stamped.slip.turn_id, stamped.room_id))
        early = clock is not None and in_time(clock, stamped.slip.received_at)
        return stamped.slip if stamped.slip.in_time == early else replace(stamped.slip, in_time=early)

    return hand_in_batch([judged(stamped) for stamped in batch], now=utc_now())
