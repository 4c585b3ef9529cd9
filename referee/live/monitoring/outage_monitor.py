"""Outages of a service (storage, Redis): alarms when it fails, and when it works again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import monotonic

from django.db import DatabaseError, connection

from referee.live.monitoring import alarms
from referee.server.database_outage import outage_kind

SLOW_WRITE_S = 2.0
REMIND_S = 10.0
PROBE = "probe"
"""Source whose cause is shown before all others, because it asks the service itself."""


class OutageMonitor:
    """Monitor of one service. `show_alarm(kind, details)` shows an alarm, of the kind `end_kind` when the outage ends.

    Several sources report outages; each ends when its own source reports success.
    """

    def __init__(self, show_alarm: Callable[[str, alarms.Details], None], end_kind: str) -> None:
        self._show_alarm, self._end_kind = show_alarm, end_kind
        self._kinds: dict[str, str] = {}
        self._shown: str | None = None
        self._alarm_at = 0.0

    @property
    def current_outage(self) -> str | None:
        """The kind of alarm of the current outage; None without one."""
        return self._kinds.get(PROBE) or next(iter(self._kinds.values()), None)

    def report(self, source: str, kind: str | None) -> None:
        """Store what a source has found: the kind of an outage, or None for success."""
        if kind is None:
            self._kinds.pop(source, None)
        else:
            self._kinds[source] = kind
        current, now = self.current_outage, monotonic()
        if current is None and self._shown is not None:
            self._show_alarm(self._end_kind, {})
        elif current is not None and (current != self._shown or now - self._alarm_at > REMIND_S):
            self._alarm_at = now
            self._show_alarm(current, alarms.get_storage_details())
        self._shown = current

    @asynccontextmanager
    async def watched(self, source: str) -> AsyncIterator[None]:
        """Watch one write: an outage lasts from a failed or slow write until the next of this source that succeeds."""
        slow = "locked" if connection.vendor == "sqlite" else "no_answer"
        timer = asyncio.get_running_loop().call_later(SLOW_WRITE_S, self.report, source, slow)
        try:
            yield
        except DatabaseError as error:
            self.report(source, outage_kind(error))
            raise
        else:
            self.report(source, None)
        finally:
            timer.cancel()
