"""Ids of the present request and of its room, for log messages."""

from __future__ import annotations

from contextvars import ContextVar

request_id: ContextVar[str] = ContextVar("request_id", default="")
room_id: ContextVar[str] = ContextVar("room_id", default="")


def set_room(event_id: int, room: int) -> None:
    """Name the room, by the primary keys of the event and the room, to which the request or the WebSocket belongs."""
    room_id.set(f"{event_id}/{room}")
