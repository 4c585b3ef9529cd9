"""Ownership of rooms: which process closes a room's clocks, reads its snapshot and publishes it to the others."""

from __future__ import annotations

import logging
import os
from collections.abc import Collection
from time import monotonic
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import connection

from referee.live.rooms.room_locks import LEASE_S, RoomLocks
from referee.live.rooms.room_owners import RoomOwners
from referee.live.threads import DatabaseThread

if TYPE_CHECKING:
    import psycopg

logger = logging.getLogger(__name__)


def are_rooms_shared() -> bool:
    """True if several processes may serve an event; otherwise this one owns all rooms without any lock."""
    return not settings.EMBEDDED and connection.vendor == "postgresql"


def _connect() -> psycopg.Connection[Any]:
    """Open a connection of its own: one of the pool would be used by others while it holds the locks."""
    import psycopg

    name = f"Multiplo: rooms of process {os.getpid()}"
    return psycopg.connect(**{**connection.get_connection_params(), "application_name": name}, autocommit=True)


class Ownership:
    """The rooms that this process owns. Nothing depends on it but who works first: what an owner leaves undone is done
    by any process a moment later."""

    def __init__(self, process: str) -> None:
        self.is_shared = are_rooms_shared()
        self._owners = RoomOwners(process)
        self._locks = RoomLocks(_connect)
        self._thread = DatabaseThread("owner")
        self._held: frozenset[int] = frozenset()
        self._renewed_at = 0.0
        self._is_failing = False

    def owns(self, room: int) -> bool:
        """True if this process owns a room, and has not hung since it made sure."""
        return not self.is_shared or (room in self._held and monotonic() - self._renewed_at < LEASE_S)

    def list_owned_elsewhere(self) -> frozenset[int]:
        """Return the rooms that other processes report to own."""
        return self._owners.list_owned_elsewhere(monotonic())

    def publishes(self, room: int) -> bool:
        """True if the snapshots of a room that this process reads are to be published."""
        return self.is_shared and self.owns(room) and self._owners.is_watched_elsewhere(room, monotonic())

    def is_served_elsewhere(self, room: int) -> bool:
        """True if another process publishes the snapshots of a room."""
        return self.is_shared and not self.owns(room) and self._owners.is_served_elsewhere(room, monotonic())

    def hear(self, process: str, sockets: Collection[int], owned: Collection[int]) -> None:
        """Note the report of another process."""
        self._owners.hear(process, sockets, owned, monotonic())

    async def renew(self, playing: Collection[int], sockets: Collection[int]) -> dict[str, Any]:
        """Take and free rooms; return the report to the other processes, as JSON data.

        `playing` are the rooms with a running clock, `sockets` those in which this process has sockets.
        """
        now = monotonic()
        wanted = self._owners.divide({*playing, *sockets}, sockets, self._held, now)
        try:
            self._held = await self._thread.run(lambda: self._locks.renew(wanted, self._held - wanted))
        except Exception as error:
            if not self._is_failing:
                logger.warning("the locks of rooms were lost: %r", error)
            self._held, self._is_failing = frozenset(), True
        else:
            self._renewed_at, self._is_failing = now, False
        return {"sockets": sorted(sockets), "owned": sorted(self._held)}

    async def close(self) -> None:
        """Free all rooms."""
        await self._thread.run(self._locks.close)
        await self._thread.close()
