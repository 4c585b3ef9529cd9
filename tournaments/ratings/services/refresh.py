"""Stored ratings: they are computed again from the first day whose games have changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest

from django.db import transaction

from engine.ratings.open_rating import VERSION, Rating, rate_game
from tournaments.models import OpenRating, RatingRun
from tournaments.ratings.queries.rated_games import StoredGame, fingerprint_days, load_rated_games, read_state
from tournaments.seasons.services.summaries import refresh_summaries

_RUN = 1


def refresh_ratings() -> int:
    """Bring results and ratings up to date; return the number of games that were rated.

    A few queries when nothing has changed. Otherwise all results are read once, and the games from the first changed
    day on are rated again. The database is locked only while the new rows are written.
    """
    refresh_summaries()
    state = read_state()
    before, _created = RatingRun.objects.get_or_create(pk=_RUN)
    if before.state == state:
        return 0
    games = load_rated_games()
    days = fingerprint_days(games)
    first = _find_first_change(before.days, days)
    changed = [each for each in games if first is not None and each.game.date >= first]
    rows = _rate(changed, _load_ratings_before(first)) if first is not None else []
    with transaction.atomic():
        run = RatingRun.objects.select_for_update().filter(pk=_RUN, state=before.state).first()
        if run is None:
            return 0  # another process has computed them meanwhile
        if first is not None:
            OpenRating.objects.filter(summary__date__gte=first).delete()
            OpenRating.objects.bulk_create(rows, batch_size=500)
        run.state, run.days = state, days
        run.save()
    return len(changed)


def _find_first_change(before: Sequence[Sequence[str]], now: Sequence[Sequence[str]]) -> str | None:
    """Return the earliest date whose games are different, None if there is none."""
    for old, new in zip_longest(before, now):
        if old is None or new is None or list(old) != list(new):
            return str(min(day[0] for day in (old, new) if day is not None))
    return None


def _rate(games: Sequence[StoredGame], ratings: Mapping[int, Rating]) -> list[OpenRating]:
    """Rate these games after the given ratings; return a row for each event and member."""
    current = dict(ratings)
    rows: dict[tuple[int, int], OpenRating] = {}
    scores: dict[tuple[int, int], list[list[int]]] = defaultdict(list)
    for stored in games:
        after = rate_game(current, stored.game)
        current |= after
        for member, rating in after.items():
            key = stored.summary, member
            scores[key].append([stored.game.scores[member].points, stored.game.tops])
            rows[key] = _to_row(stored.summary, member, rating, scores[key])
    return list(rows.values())


def _load_ratings_before(day: str) -> dict[int, Rating]:
    """Return the last ratings of all members before this date."""
    earlier = OpenRating.objects.filter(summary__date__lt=day).order_by("games")
    fields = earlier.values_list("member", "mean", "deviation", "games")
    return {member: Rating(mean, deviation, games) for member, mean, deviation, games in fields}


def _to_row(summary: int, member: int, rating: Rating, scores: Iterable[list[int]]) -> OpenRating:
    return OpenRating(
        summary_id=summary,
        member_id=member,
        version=VERSION,
        mean=rating.mean,
        deviation=rating.deviation,
        games=rating.games,
        scores=scores,
    )
