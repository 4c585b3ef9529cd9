"""What a rehearsal asks about the game that it loads."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.models import Event, Game, Slip, TurnClock, Verdict
from tournaments.selectors.events import current_game


@dataclass(frozen=True, slots=True)
class Kept:
    """What is stored of a turn: the ids of its slips, one a row, how many players have one, how many verdicts."""

    ids: list[str]
    players: int
    verdicts: int
    closed_late_ms: float | None


def kept(event: Event, number: int) -> Kept:
    """What is stored of a turn of the event's present game."""
    slips = Slip.objects.filter(turn__game=current_game(event), turn__number=number)
    ids = [str(client_id) for client_id in slips.values_list("client_id", flat=True)]
    verdicts = Verdict.objects.filter(turn__game=current_game(event), turn__number=number).count()
    return Kept(ids, slips.values("player").distinct().count(), verdicts, _closed_late_ms(current_game(event), number))


def _closed_late_ms(game: Game, number: int) -> float | None:
    """How long after deadline and grace the first room's clock was closed; None while it is open."""
    clock = TurnClock.objects.filter(turn__game=game, turn__number=number).order_by("room").first()
    if clock is None or clock.closed_at is None or clock.deadline is None:
        return None
    return (clock.closed_at - clock.deadline).total_seconds() * 1000 - clock.grace_ms
