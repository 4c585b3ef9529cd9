"""Advisory locks of rooms in PostgreSQL, held by one connection of this process.

The server frees them when the process ends. A process that hangs loses them too: each one queries at least every
second, and another one that wants a room ends the connection of an owner that has not for `LEASE_S`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import psycopg

LEASE_S = 2.0
_CLASS = 1_920_298_861
"""First key of the locks; the second one is the key of the room, modulo 2^31."""
_LONGEST_QUERY = "2s"
_TAKE = "SELECT room FROM unnest(%s::int[]) AS room WHERE pg_try_advisory_lock(%s, room)"
_FREE = "SELECT pg_advisory_unlock(%s, room) FROM unnest(%s::int[]) AS room"
_END_SILENT = """
SELECT pg_terminate_backend(pid) FROM (
    SELECT DISTINCT pid FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND classid = %s AND objid = ANY(%s::oid[]) AND objsubid = 2 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND state_change < clock_timestamp() - make_interval(secs => %s)
) AS silent"""


class RoomLocks:
    """The locks that this process holds. Its methods raise the errors of the connection, which is then opened anew."""

    def __init__(self, connect: Callable[[], psycopg.Connection[Any]]) -> None:
        self._connect = connect
        self._connection: psycopg.Connection[Any] | None = None
        self.held: frozenset[int] = frozenset()

    def renew(self, wanted: Collection[int], unwanted: Collection[int]) -> frozenset[int]:
        """Free the unwanted rooms and try to take the wanted ones; return those that are held."""
        try:
            return self._renew(frozenset(wanted) - self.held, self.held & frozenset(unwanted))
        except Exception:
            self.close()
            raise

    def close(self) -> None:
        """Close the connection, which frees all rooms."""
        opened, self._connection, self.held = self._connection, None, frozenset()
        if opened is not None:
            opened.close()

    def _renew(self, missing: frozenset[int], unwanted: frozenset[int]) -> frozenset[int]:
        opened = self._open()
        if unwanted:
            opened.execute(_FREE, [_CLASS, [_key(room) for room in unwanted]])
        opened.execute("SELECT 1")  # other processes see by it that this one does not hang
        taken = self._take(opened, missing)
        if missing - taken:
            opened.execute(_END_SILENT, [_CLASS, [_key(room) for room in missing - taken], LEASE_S])
        self.held = (self.held - unwanted) | taken
        return self.held

    @staticmethod
    def _take(opened: psycopg.Connection[Any], missing: frozenset[int]) -> frozenset[int]:
        if not missing:
            return frozenset()
        taken = {key for (key,) in opened.execute(_TAKE, [[_key(room) for room in missing], _CLASS])}
        return frozenset(room for room in missing if _key(room) in taken)

    def _open(self) -> psycopg.Connection[Any]:
        if self._connection is None:
            self._connection = self._connect()
            self._connection.execute(f"SET statement_timeout = '{_LONGEST_QUERY}'")
        return self._connection


def _key(room_id: int) -> int:
    return room_id % 2**31
