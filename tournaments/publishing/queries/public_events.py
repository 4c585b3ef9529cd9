"""Events as other programs may read them: what the public page of each would show, less the rack in play.

An event without a public page is read as if it had one without a delay. Its turns are told once every room, and every
other game of the same script, has been shown them, whatever the settings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Prefetch

from tournaments.models import Event, Game, PublicPage
from tournaments.results.queries.event_results import EventPlace
from tournaments.results.queries.public_game import PublicRow, PublicTurn


@dataclass(frozen=True, slots=True)
class ListedEvent:
    """An event in a list. `games` is their number; `page` is its public page if that is on."""

    event: Event
    games: int
    page: PublicPage | None


def get_public_page(event: Event) -> PublicPage:
    """Return the public page of an event, on or off; one that is not stored if the event has none."""
    page = PublicPage.objects.filter(event=event).first() or PublicPage(event=event, delay=0)
    page.event = event
    return page


def list_events(start: int, most: int) -> tuple[list[ListedEvent], int]:
    """(events from index `start`, newest first; number of all events). Rehearsals are left out."""
    events = Event.objects.filter(is_rehearsal=False).order_by("-date", "-pk")
    counted = events.annotate(number=Count("games")).prefetch_related(
        Prefetch("public_page", PublicPage.objects.filter(is_on=True))
    )
    found = [
        ListedEvent(event, event.number, getattr(event, "public_page", None)) for event in counted[start : start + most]
    ]
    return found, events.count()


def games_of(event: Event) -> Sequence[Game]:
    """Return the games of an event in their order, each with this event."""
    games = list(Game.objects.filter(event=event).order_by("number"))
    for game in games:
        game.event = event
    return games


def describe_turn(turn: PublicTurn) -> dict[str, Any]:
    """Return a published turn as other programs read it: docs/api.md explains the fields."""
    return {
        "number": turn.number,
        "rack": turn.rack,
        "rejected": list(turn.rejected),
        "top": turn.top,
        "tops": [{"word": word, "ref": ref} for word, ref in turn.tops],
        "more_tops": turn.more_tops,
        "word": turn.word,
        "ref": turn.ref,
        "score": turn.score,
        "solo": turn.solo or None,
    }


def describe_line(row: PublicRow | EventPlace) -> dict[str, Any]:
    """Return a line of standings as other programs read it."""
    return {
        "rank": row.rank,
        "table": row.table,
        "name": row.name,
        "club": row.club,
        "points": row.total,
        "negative": row.negative,
        "percent": float(row.percent),
    }
