"""Cards of events for the start page: players, turns, and the winner of a finished event."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Q

from tournaments.enums import GameState
from tournaments.models import Event, Game, Player
from tournaments.results.queries.event_results import event_places
from tournaments.results.queries.results import standings_rows


@dataclass(frozen=True, slots=True)
class EventCard:
    """An event with its number of players and placed turns; `winners` and their `total` once its last game is over."""

    event: Event
    players: int
    games: int
    turns: int
    is_over: bool
    winners: Sequence[str] = ()
    total: int = 0

    def is_ahead(self, today: date) -> bool:
        """True for an event of today or later whose last game is not over."""
        return not self.is_over and self.event.date >= today


def list_event_cards(events: Iterable[Event], *, with_winners: int) -> list[EventCard]:
    """Return a card for each event; the winners are read for the first `with_winners` finished ones."""
    listed = list(events)
    players = dict(
        Player.objects.filter(event__in=listed).values("event").annotate(n=Count("pk")).values_list("event", "n")
    )
    placed = Count("turns", filter=Q(turns__placed_at__isnull=False))
    games: dict[int, list[Game]] = {}
    for game in Game.objects.filter(event__in=listed).annotate(placed=placed).order_by("number"):
        games.setdefault(game.event_id, []).append(game)
    cards = []
    for event in listed:
        own = games.get(event.pk, [])
        is_over = bool(own) and own[-1].state == GameState.FINISHED
        winners, total = _winners(event, own[-1]) if is_over and with_winners > 0 else ((), 0)
        with_winners -= is_over
        turns = sum(game.placed for game in own)  # type: ignore[attr-defined]  # annotated above
        cards.append(EventCard(event, players.get(event.pk, 0), len(own), turns, is_over, winners, total))
    return cards


def _winners(event: Event, last: Game) -> tuple[Sequence[str], int]:
    """Return the names at the first place of the event and their points."""
    last.event = event
    rows = event_places(event) or standings_rows(last)
    first = [row for row in rows if row.rank == 1]
    return tuple(row.name for row in first), first[0].total if first else 0
