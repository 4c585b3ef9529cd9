"""Whether slips can be stored: when they cannot, the desks are told why and what to do, and when it is over."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from django.db import DatabaseError

from referee.live import alarms
from referee.outages import kind_of

LONG_S = 2.0
REMIND_S = 10.0


class Outage:
    """Watches the writes. `tell(kind, details)` sounds an alarm on the desks; `standing` is the kind that stands."""

    def __init__(self, tell: Callable[[str, alarms.Details], None]) -> None:
        self._tell = tell
        self._told_at = 0.0
        self.standing: str | None = None

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[None]:
        """Around one write: one that fails, or that is not done for long, is an outage until one succeeds."""
        waiting = asyncio.get_running_loop().call_later(LONG_S, self._begin, "locked")
        try:
            yield
        except DatabaseError as error:
            self._begin(kind_of(error))
            raise
        else:
            self._end()
        finally:
            waiting.cancel()

    def _begin(self, kind: str) -> None:
        now = asyncio.get_running_loop().time()
        if kind != self.standing or now - self._told_at > REMIND_S:
            self._told_at = now
            self._tell(kind, alarms.here())
        self.standing = kind

    def _end(self) -> None:
        if self.standing is not None:
            self.standing = None
            self._tell("stored_again", {})
