"""Stored results of events. They are derived from the standings and replaced as a whole when these change."""

from __future__ import annotations

import logging
import threading
from collections.abc import Collection, Sequence
from datetime import date

from django.db import DatabaseError, transaction
from django.db.models import Count, Sum

from tournaments.models import Event, EventSummary, Game, OpenRating, PlayerResult, Room, Verdict
from tournaments.play.queries.phases import list_games_not_over
from tournaments.results.queries.event_results import EventRow, StandingsChoice, event_view
from tournaments.seasons.models import IN_PLAY
from tournaments.seasons.services.played_words import PlayerWords, find_words

logger = logging.getLogger(__name__)
_refreshing = threading.Lock()
_VERSION = 1
"""Part of the state, so that a new version of this module computes all stored results again."""


def refresh_summaries() -> int:
    """Store the results of all finished events that are new or have changed; return how many were computed.

    An event is finished when its games are over in every room. Rehearsals are left out. Five queries when nothing has
    changed.
    """
    with _refreshing:
        states = _states()
        stored = dict(EventSummary.objects.filter(event__isnull=False).values_list("event", "state"))
        if gone := stored.keys() - states.keys():
            _hide_results(gone)
        changed = [pk for pk, state in states.items() if stored.get(pk) != state]
        for event in Event.objects.filter(pk__in=changed).order_by("date", "pk"):
            store_summary(event, states[event.pk])
    return len(changed)


def try_refresh_summaries() -> None:
    """Refresh for a page that shows results.

    The page shows the stored ones if the database cannot be written now, or while another thread is at it, which can
    take long after the upgrade of an installation with many events.
    """
    if _refreshing.locked():
        return
    try:
        refresh_summaries()
    except DatabaseError:
        logger.exception("the results of finished events could not be stored for the seasons")


def _states() -> dict[int, str]:
    """Return the state of each finished event: a text that changes with everything its standings depend on.

    Each act that changes standings (a ruling, a disqualification, a handicap, a new series of a player …) counts up the
    `seq` of a game or of a room (`tournaments.signals.send_game_changed`).
    """
    not_over = list_games_not_over()
    games: dict[tuple[int, date, str], dict[int, int]] = {}
    rows = Game.objects.filter(event__is_rehearsal=False).values_list(
        "event", "event__date", "event__name", "pk", "seq"
    )
    for pk, day, name, game, seq in rows:
        games.setdefault((pk, day, name), {})[game] = seq
    rooms = dict(Room.objects.values("event").annotate(sum=Sum("seq")).values_list("event", "sum"))
    return {
        pk: f"{_VERSION}.{len(seqs)}.{sum(seqs.values())}.{rooms.get(pk, 0)}.{day:%Y%m%d}.{name}"
        for (pk, day, name), seqs in games.items()
        if seqs.keys().isdisjoint(not_over)
    }


def store_summary(event: Event, state: str) -> EventSummary:
    """Replace the stored results of an event.

    They are computed before the transaction begins, since slips of another event wait while it is open.
    """
    view = event_view(event, StandingsChoice())
    assert view is not None  # noqa: S101  the whole event always exists
    facts = {
        "name": event.name,
        "date": event.date,
        "state": state,
        "tops": sum(view.tops),
        "turns": Verdict.objects.filter(turn__game__event=event).aggregate(n=Count("turn", distinct=True))["n"],
        "games": len(view.games),
    }
    plain = event_view(event, StandingsChoice(), with_handicap=False) if view.with_handicap else view
    assert plain is not None  # noqa: S101  the whole event always exists
    games = {row.player.pk: _games(row, plain.tops) for row in plain.rows}
    words = find_words(event)
    with transaction.atomic():
        summary, _ = EventSummary.with_events_in_play.update_or_create(event=event, defaults=facts)
        summary.results.all().delete()
        PlayerResult.objects.bulk_create(_result(summary, row, games[row.player.pk], words) for row in view.rows)
    return summary


@transaction.atomic
def _hide_results(events: Collection[int]) -> None:
    """Remove the results of events that go on; what was decided by hand about these events stays."""
    PlayerResult.objects.filter(summary__event__in=events).delete()
    OpenRating.objects.filter(summary__event__in=events).delete()
    EventSummary.objects.filter(event__in=events).update(state=IN_PLAY)


def _result(
    summary: EventSummary, row: EventRow, games: list[dict[str, object]], words: dict[int, PlayerWords]
) -> PlayerResult:
    own = words.get(row.player.pk, PlayerWords())
    return PlayerResult(
        summary=summary,
        player=row.player,
        rank=row.line.rank,
        points=row.line.total,
        handicap=row.line.handicap,
        solos=row.line.solos,
        tops_found=row.line.tops_found,
        games=games,
        **own.as_fields(),
    )


def _games(row: EventRow, tops: Sequence[int]) -> list[dict[str, object]]:
    """Return the games of a row of the standings without handicap."""
    return [
        {
            "number": score.number,
            "points": score.points,
            "tops": sum_of_tops,
            "rank": score.rank,
            "presence": score.presence,
        }
        for score, sum_of_tops in zip(row.line.games, tops, strict=True)
    ]
