"""Closes turns at their deadline plus grace. The time stands in the database; here only the alarm clock is set."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from datetime import datetime

from referee.live.background import Background

_MARGIN_S = 0.002


class Closer:
    """An alarm clock for the next closing. `close` looks for itself what is due, so it may be called too often."""

    def __init__(self, close: Callable[[], Awaitable[None]], background: Background) -> None:
        self._close = close
        self._background = background
        self._alarm: asyncio.TimerHandle | None = None
        self._closing: asyncio.Future[None] | None = None
        self._once_more = False

    def arm(self, due: Collection[datetime], now: datetime) -> None:
        """Set the alarm for the earliest of these moments; anew each time, because `now` may have been corrected."""
        self.disarm()
        if due:
            loop = asyncio.get_running_loop()
            seconds = max(0.0, (min(due) - now).total_seconds()) + _MARGIN_S
            self._alarm = loop.call_at(loop.time() + seconds, self.ring)

    def disarm(self) -> None:
        """Forget the alarm."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def ring(self) -> None:
        """Close what is due now; while that is under way, once more after it."""
        if self._closing is not None:
            self._once_more = True
            return
        self._closing = self._background.start(self._run(), "closing")

    async def _run(self) -> None:
        try:
            await self._close()
        finally:
            self._closing = None
            if self._once_more:
                self._once_more = False
                self.ring()
