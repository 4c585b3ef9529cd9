"""Cards that judges review now, shown on the other desks of the room and stored in memory only.

Each desk repeats its focus; one that is not repeated expires, so nothing remains of a closed desk or an ended process.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

PRESENCE_LIFETIME_S = 45.0
LONGEST_KEY = 64
RoomKey = tuple[int, int]
"""Primary keys of an event and of one of its rooms."""


@dataclass(frozen=True, slots=True)
class JudgeFocus:
    """Card that a desk's judge reviews: the judge, and the key of the card, "" for none."""

    room_key: RoomKey
    user_id: int
    name: str
    at: str


class JudgePresence:
    """Focus of all desks of all processes; times are of this event loop."""

    def __init__(self) -> None:
        self._focus_of_desk: dict[str, tuple[JudgeFocus, float]] = {}

    def note(self, desk: str, focus: JudgeFocus, now: float) -> bool:
        """Store a desk's focus. True if it has changed."""
        before = self._focus_of_desk.pop(desk, None)
        if focus.at:
            self._focus_of_desk[desk] = focus, now
        return (before[0] if before else None) != (focus if focus.at else None)

    def forget(self, now: float) -> set[RoomKey]:
        """Drop expired entries and return their rooms."""
        old = {desk: focus for desk, (focus, at) in self._focus_of_desk.items() if now - at > PRESENCE_LIFETIME_S}
        for desk in old:
            del self._focus_of_desk[desk]
        return {focus.room_key for focus in old.values()}

    def others(self, room_key: RoomKey, user_id: int) -> list[JudgeFocus]:
        """Return the focus of the room's other judges, without duplicates."""
        return list(dict.fromkeys(self._there(room_key, user_id)))

    def _there(self, room_key: RoomKey, user_id: int) -> Iterable[JudgeFocus]:
        return (
            focus
            for focus, _at in self._focus_of_desk.values()
            if focus.room_key == room_key and focus.user_id != user_id
        )
