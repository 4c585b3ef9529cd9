"""First ranking of a season as the wall of an event shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from tournaments.models import Event, Ranking
from tournaments.seasons.queries.rankings import RankedMember, RankingView, view_ranking


@dataclass(frozen=True, slots=True)
class WallRanking:
    """A ranking with the lines that the wall shows, and the number of ranked members who are not named."""

    view: RankingView
    lines: Sequence[RankedMember]
    unnamed: int


def find_first_ranking(day: date) -> Ranking | None:
    """Return the first ranking of the season that has this day; of several seasons, of the one that began last."""
    rankings = Ranking.objects.filter(season__starts__lte=day, season__ends__gte=day).select_related("season")
    return rankings.order_by("-season__starts", "-season", "position", "pk").first()


def get_wall_ranking(event: Event) -> WallRanking | None:
    """Return the first ranking of the season of an event; None if there is none.

    It is computed from stored results, so an event counts once every room has seen its last turn. Members without a
    rank, and members who have not agreed to be named in public, are left out.
    """
    ranking = find_first_ranking(event.date)
    if ranking is None:
        return None
    view = view_ranking(ranking)
    ranked = [line for line in view.lines if line.line.rank is not None]
    named = [line for line in ranked if line.member.may_be_published and line.member.anonymised_at is None]
    return WallRanking(view, named, len(ranked) - len(named))
