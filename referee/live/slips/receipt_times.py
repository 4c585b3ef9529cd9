"""First receipt times of slips that could not be stored; that time decides if a slip is in time."""

from __future__ import annotations

from datetime import datetime

from referee.live.slips.slip_form import SlipForm

MOST_REMEMBERED = 20_000


class ReceiptTimes:
    """First receipt times of refused slips that phones send again unchanged."""

    def __init__(self) -> None:
        self._seen: dict[tuple[int, SlipForm], datetime] = {}

    def remember(self, player_id: int, form: SlipForm, received_at: datetime) -> None:
        """Remember a slip that was not stored; beyond `MOST_REMEMBERED` the oldest are dropped."""
        self._seen[player_id, form] = self.of(player_id, form, received_at)
        if len(self._seen) > MOST_REMEMBERED:
            del self._seen[next(iter(self._seen))]

    def of(self, player_id: int, form: SlipForm, received_at: datetime) -> datetime:
        """Return the time of the slip's first receipt, at most `received_at`."""
        if not self._seen:
            return received_at
        return min(received_at, self._seen.get((player_id, form), received_at))
