"""Timer that closes turns after their deadline and grace period; the times are in the database."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from datetime import datetime

from referee.live.background import Background, CoalescedRun

_MARGIN_S = 0.002


class TurnTimer:
    """Timer for the next closing. `close` finds out itself what is due, so extra calls do no harm."""

    def __init__(self, close: Callable[[], Awaitable[None]], background: Background) -> None:
        self._closing = CoalescedRun(close, background, "closing")
        self._timer: asyncio.TimerHandle | None = None

    def arm(self, due: Collection[datetime], now: datetime) -> None:
        """Set the timer to the earliest of these times; anew each time, as the clock may have been corrected."""
        self.disarm()
        if due:
            loop = asyncio.get_running_loop()
            seconds = max(0.0, (min(due) - now).total_seconds()) + _MARGIN_S
            self._timer = loop.call_at(loop.time() + seconds, self.ring)

    def disarm(self) -> None:
        """Cancel the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def ring(self) -> None:
        """Close turns that are due; if a run is active, run again after it."""
        self._closing.request()
