"""When a slip that could not be stored at once was first read here: that moment decides whether it is in time."""

from __future__ import annotations

from datetime import datetime

from referee.live.slip_form import SlipForm

MOST_REMEMBERED = 20_000


class FirstSeen:
    """The slips that were sent back to their phones, to be sent again. The same slip is one without any change."""

    def __init__(self) -> None:
        self._seen: dict[tuple[int, SlipForm], datetime] = {}

    def remember(self, player_id: int, form: SlipForm, received_at: datetime) -> None:
        """This slip was read at this moment and not stored. Of very many the oldest are forgotten."""
        self._seen[player_id, form] = self.of(player_id, form, received_at)
        if len(self._seen) > MOST_REMEMBERED:
            del self._seen[next(iter(self._seen))]

    def of(self, player_id: int, form: SlipForm, received_at: datetime) -> datetime:
        """When this slip, which came at `received_at`, was read first."""
        if not self._seen:
            return received_at
        return min(received_at, self._seen.get((player_id, form), received_at))
