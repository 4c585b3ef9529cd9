"""Stored turns of a rehearsal, for its report."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.events.queries.events import current_game
from tournaments.models import Event, Game, Slip, TurnClock, Verdict


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """Stored data of a turn: the id of each slip row, the number of players with a slip, the number of verdicts."""

    ids: list[str]
    players: int
    verdicts: int
    closed_late_ms: float | None


def get_stored_turn(event: Event, number: int) -> StoredTurn:
    """Get the stored data of a turn of the event's current game."""
    slips = Slip.objects.filter(turn__game=current_game(event), turn__number=number)
    ids = [str(client_id) for client_id in slips.values_list("client_id", flat=True)]
    verdicts = Verdict.objects.filter(turn__game=current_game(event), turn__number=number).count()
    return StoredTurn(
        ids, slips.values("player").distinct().count(), verdicts, _closed_late_ms(current_game(event), number)
    )


def _closed_late_ms(game: Game, number: int) -> float | None:
    """Milliseconds from deadline and grace to the closing of the first room's clock; None while it is open."""
    clock = TurnClock.objects.filter(turn__game=game, turn__number=number).order_by("room").first()
    if clock is None or clock.closed_at is None or clock.deadline is None:
        return None
    return (clock.closed_at - clock.deadline).total_seconds() * 1000 - clock.grace_ms
