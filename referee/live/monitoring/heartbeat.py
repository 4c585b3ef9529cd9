"""Heartbeats of this process, and its clock."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from time import monotonic
from typing import Protocol

from django.db import DatabaseError, connection

from referee.live.monitoring.clock_monitor import ALARM_MS, ClockMonitor
from referee.live.monitoring.health import PeerReports
from referee.live.monitoring.outage_monitor import OutageMonitor
from referee.live.threads import DatabaseThread
from tournaments.backups.services import heartbeats
from tournaments.database_clock import DatabaseClock
from tournaments.now import timeline, utc_now
from tournaments.play.queries import live
from tournaments.players.services.reversible_acts import delete_expired

logger = logging.getLogger(__name__)
HEARTBEAT_S = 2.0
_TIMEOUT = timedelta(seconds=HEARTBEAT_S + 1)


class AlarmDesks(Protocol):
    """Shows an alarm of a kind at the desks."""

    def __call__(self, kind: str, **details: int | str) -> None: ...


class Heartbeat:
    """Records that this process is alive and how long it was not, and follows the clock of the computer or database.

    `thread` writes the records, `reader` tells whether a turn is under way.
    """

    def __init__(
        self,
        thread: DatabaseThread,
        reader: DatabaseThread,
        storage: OutageMonitor,
        peers: PeerReports,
        alarm: AlarmDesks,
    ) -> None:
        self._thread, self._reader, self._storage, self._peers, self._alarm = thread, reader, storage, peers, alarm
        self._clock = ClockMonitor(timeline, DatabaseClock() if connection.vendor == "postgresql" else None)
        self._has_begun = self._start_recorded = False

    @property
    def takes_slips(self) -> bool:
        """True if slips can be judged by the time of this process: it is right, or all processes share it."""
        return self._clock.is_ready or self._clock.has_database_step(self._peers.clock_errors_ms(monotonic()))

    @property
    def clock_off_ms(self) -> int:
        """Milliseconds by which the clock that is followed is ahead of the time of this process."""
        return timeline.off_ms()

    async def begin(self) -> None:
        """Record a downtime before the start. It comes first, because any other write would count as a heartbeat."""
        try:
            await self._thread.run(self._resume)
            self._start_recorded = True
        except DatabaseError as error:
            logger.error("the time of the last turn could not be read: %r", error)
        self._has_begun = True

    async def beat(self) -> None:
        """Record a heartbeat, or the start if that has failed."""
        await self.notice_pause()
        first, self._start_recorded = not self._start_recorded, True
        async with self._storage.watched("heartbeat"):
            await self._thread.run(self._clock.read_database_clock)
            await self._thread.run(_record_start if first else _record_heartbeat)

    async def notice_pause(self) -> None:
        """Record a pause (a laptop's sleep) before turns that expired during it are closed."""
        paused_at = self._clock.paused_at()
        if paused_at is not None and self._has_begun:
            logger.warning("nothing ran here since %s", paused_at)
            self._start_recorded = False  # the next heartbeat records it if the database fails now
            await self._thread.run(lambda: _record_start(paused_at))
            self._start_recorded = True

    async def check_clock(self) -> None:
        """Follow a changed computer clock between turns; a running turn keeps its time."""
        await self.notice_pause()
        if abs(self._clock.error_ms) > ALARM_MS:
            self._alarm("server_clock", ms=self._clock.error_ms, takes_slips=int(self.takes_slips))
        step_ms = self._clock.step_ms()
        if step_ms is None and not self._clock.is_off:
            return
        under_way = await self._reader.read(lambda: live.is_turn_under_way(utc_now()))
        if not under_way:
            self._clock.follow_wall()
        if step_ms is not None:
            logger.warning("the clock was set by %d ms", step_ms)
            of_database = int(connection.vendor == "postgresql")
            self._alarm("clock_step", ms=step_ms, turn=int(under_way), database=of_database)

    def _resume(self) -> None:
        self._clock.read_database_clock()
        if connection.vendor != "postgresql":
            heartbeats.continue_timeline(timeline)
        _record_start()


def _record_heartbeat() -> None:
    steady_us = timeline.steady_us()
    heartbeats.record_heartbeat(now=timeline.at(steady_us), steady_us=steady_us)
    delete_expired(timeline.at(steady_us))


def _record_start(paused_at: datetime | None = None) -> None:
    """Record the start. Unless another process is alive, the downtime is recorded for the judge."""
    steady_us, last = timeline.steady_us(), live.last_beat()
    now = timeline.at(steady_us)
    if last is not None and now - last < _TIMEOUT:
        _record_heartbeat()
    else:
        heartbeats.record_start(now=now, steady_us=steady_us, alive_at=paused_at)
