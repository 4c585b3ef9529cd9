"""Storage outages: alarms on the desks when slips cannot be stored, and when they can be again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from django.db import DatabaseError

from referee.live.monitoring import alarms
from referee.server.database_outage import outage_kind

SLOW_WRITE_S = 2.0
REMIND_S = 10.0


class StorageMonitor:
    """Monitor of database writes. `send_alarm(kind, details)` shows an alarm on the desks."""

    def __init__(self, send_alarm: Callable[[str, alarms.Details], None]) -> None:
        self._send_alarm = send_alarm
        self._alarm_at = 0.0
        self.current_outage: str | None = None

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[None]:
        """Watch one write: an outage lasts from a failed or slow write until the next that succeeds."""
        timer = asyncio.get_running_loop().call_later(SLOW_WRITE_S, self._begin, "locked")
        try:
            yield
        except DatabaseError as error:
            self._begin(outage_kind(error))
            raise
        else:
            self._end()
        finally:
            timer.cancel()

    def _begin(self, kind: str) -> None:
        now = asyncio.get_running_loop().time()
        if kind != self.current_outage or now - self._alarm_at > REMIND_S:
            self._alarm_at = now
            self._send_alarm(kind, alarms.get_data_folder_details())
        self.current_outage = kind

    def _end(self) -> None:
        if self.current_outage is not None:
            self.current_outage = None
            self._send_alarm("stored_again", {})
