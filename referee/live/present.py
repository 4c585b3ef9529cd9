"""Which phones are connected to this process, for pages that are made in other threads than the hall's."""

from __future__ import annotations

from dataclasses import dataclass

from referee.live.house import houses


@dataclass(frozen=True, slots=True)
class PresentPhone:
    """A phone that is connected; `round_trip_ms` as it measured itself, None before it did."""

    player_id: int
    round_trip_ms: float | None


def phones_of_event(event_id: int) -> list[PresentPhone]:
    """The phones of an event that this process holds, whoever asks in whatever thread."""
    return [
        PresentPhone(socket.player_id, socket.round_trip_ms)
        for house in houses()
        for socket in house.hub.everybody()
        if socket.audience == "phone" and socket.stage[0] == event_id
    ]
