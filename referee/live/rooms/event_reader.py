"""Reader of the rooms of one event: rooms that ask at the same time are read together."""

from __future__ import annotations

from collections.abc import Collection

from referee.live.background import Background, BatchedReader
from referee.live.rooms.snapshots import SlipCount, Snapshot, read_personal_views, read_slip_counts, read_snapshots
from referee.live.sockets.connections import ConnectionRegistry
from referee.live.threads import DatabaseThread
from referee.views.player import PersonalView

COUNT_LINGER_S = 0.1


class RoomChannelClosed(LookupError):
    """Error: the event, its game or its room no longer exists."""


class EventReader:
    """Snapshots, slip counts and personal views of an event's rooms. Raises RoomChannelClosed for a missing room."""

    def __init__(
        self, event_id: int, connections: ConnectionRegistry, reader: DatabaseThread, background: Background
    ) -> None:
        self._event_id = event_id
        self._connections = connections
        self._reader = reader
        self._snapshots = BatchedReader(self._read_snapshots, background, f"event {event_id}: rooms")
        self._slip_counts = BatchedReader(
            self._read_slip_counts, background, f"event {event_id}: counts", COUNT_LINGER_S
        )

    async def snapshot(self, room_id: int) -> Snapshot:
        """Return the snapshot of a room, read now or later."""
        snapshot = await self._snapshots.get(room_id)
        if snapshot is None:
            raise RoomChannelClosed(self._event_id, room_id)
        return snapshot

    async def slip_count(self, room_id: int) -> SlipCount | None:
        """Return the slip count of a room, read now or later; None before the rack is announced."""
        counts = await self._slip_counts.get(room_id)
        if counts is None:
            raise RoomChannelClosed(self._event_id, room_id)
        return counts[0]

    async def personal_views(
        self, room_id: int, language: str, only: Collection[int] | None
    ) -> dict[int, PersonalView]:
        """Return the views of all players of a room, or of `only`."""
        views = await self._reader.read(lambda: read_personal_views(self._event_id, room_id, language, only))
        if views is None:
            raise RoomChannelClosed(self._event_id, room_id)
        return views

    async def _read_snapshots(self, room_ids: Collection[int]) -> dict[int, Snapshot]:
        return await self._reader.read(lambda: read_snapshots(self._event_id, room_ids))

    async def _read_slip_counts(self, room_ids: Collection[int]) -> dict[int, tuple[SlipCount | None]]:
        """Return one-element tuples, as a room may exist and have no count."""
        desks = [room_id for room_id in room_ids if self._connections.count((self._event_id, room_id), "desk")]
        found = await self._reader.read(lambda: read_slip_counts(self._event_id, room_ids, desks))
        return {room_id: (count,) for room_id, count in found.items()}
