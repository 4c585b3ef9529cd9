"""Stored results that may be shown: those of events that are over in every room."""

from __future__ import annotations

from django.db.models import QuerySet

from tournaments.models import EventSummary, PlayerResult
from tournaments.play.queries.phases import list_games_not_over


def list_results_to_show() -> QuerySet[PlayerResult]:
    """Return the results of imported events and of events whose games are over in every room.

    A game can be finished in the drawing room while a room that follows still plays it.
    """
    return PlayerResult.objects.exclude(summary__in=_list_events_in_play())


def _list_events_in_play() -> list[int]:
    return list(EventSummary.objects.filter(event__games__in=list_games_not_over()).values_list("pk", flat=True))
