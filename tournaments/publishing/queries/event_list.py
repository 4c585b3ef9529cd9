"""The public list of events: names, dates and places, and the public pages that are on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Count, Max, Q

from tournaments.enums import GameState
from tournaments.models import Event, PublicPage

MOST_LISTED = 500


@dataclass(frozen=True, slots=True)
class ListedEvent:
    """An event of the list. `token` is that of its public page, "" if it is off; `finished_at` is the end of its last
    game, None while one is open. `is_ahead`: today or later, and not finished."""

    event: Event
    token: str
    finished_at: datetime | None
    is_ahead: bool


def list_events(today: date) -> list[ListedEvent]:
    """Return the newest events of the club, the latest first; rehearsals are left out. Two queries."""
    tokens = dict(PublicPage.objects.filter(is_on=True).values_list("event", "token"))
    events = Event.objects.filter(is_rehearsal=False).annotate(
        open_games=Count("games", filter=~Q(games__state=GameState.FINISHED)), last_end=Max("games__finished_at")
    )
    return [_listed(event, tokens.get(event.pk, ""), today) for event in events.order_by("-date", "-pk")[:MOST_LISTED]]


def _listed(event: Event, token: str, today: date) -> ListedEvent:
    is_open = event.open_games > 0  # type: ignore[attr-defined]  # annotated above
    finished_at: datetime | None = None if is_open else event.last_end  # type: ignore[attr-defined]
    return ListedEvent(event, token, finished_at, is_ahead=finished_at is None and event.date >= today)
