"""Phones connected to this process, for pages in other threads than the event loop."""

from __future__ import annotations

from dataclasses import dataclass

from referee.live.rooms.live_server import list_live_servers


@dataclass(frozen=True, slots=True)
class ConnectedPhone:
    """A connected phone; `round_trip_ms` is its own measurement, None before the first."""

    player_id: int
    round_trip_ms: float | None


def phones_of_event(event_id: int) -> list[ConnectedPhone]:
    """Return the phones of an event connected to this process; callable from any thread."""
    return [
        ConnectedPhone(socket.player_id, socket.round_trip_ms)
        for live_server in list_live_servers()
        for socket in live_server.connections.everybody()
        if socket.audience == "phone" and socket.room_key[0] == event_id
    ]
