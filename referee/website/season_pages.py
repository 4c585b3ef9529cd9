"""Pages of seasons: the rankings with their rules, and the evenings that count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from engine.seasons.rule_text import describe_rule
from referee.formats.season_values import Number, round_value
from referee.results.season_table import title_of_value
from referee.website.pages import Site, render_page, render_parts
from tournaments.models import Ranking, Season
from tournaments.publishing.queries.public_names import is_named, public_name
from tournaments.publishing.queries.published_events import FIRST_ROWS, PublishedEvent
from tournaments.publishing.website_folder import WebsiteFile
from tournaments.seasons.queries.rankings import RankedMember, RankingView, load_season_results, view_ranking
from tournaments.seasons.queries.results import EventResults

MOST_EVENINGS = 100


@dataclass(frozen=True, slots=True)
class RankingRow:
    """A member in a ranking; `name` is "" for one who is not named, and `page` is the number of the member's page.
    `apart` tells a named member from others of the same name."""

    rank: int | None
    group: str
    name: str
    apart: str
    page: int | None
    value: Number
    events: int


@dataclass(frozen=True, slots=True)
class PublishedRanking:
    """A ranking with its rule in plain words and the title of the value by which it ranks."""

    ranking: Ranking
    rule: str
    title: str
    rows: Sequence[RankingRow]

    @property
    def shown(self) -> Sequence[RankingRow]:
        """The first rows, for the page of the season."""
        return self.rows[:FIRST_ROWS]


@dataclass(frozen=True, slots=True)
class PublishedSeason:
    """A season of the website, with the results of the events that count."""

    season: Season
    events: Sequence[EventResults]
    rankings: Sequence[PublishedRanking]


def list_published_seasons() -> list[PublishedSeason]:
    """Return the seasons in which an event counts, the newest first."""
    return [published for season in Season.objects.all() if (published := _publish(season)).events]


def season_pages(
    site: Site, seasons: Sequence[PublishedSeason], events: Sequence[PublishedEvent]
) -> Iterator[WebsiteFile]:
    """Render the list of seasons and the pages of each."""
    if not seasons:
        return
    yield render_page(site, "seasons/index.html", "seasons.html", {"seasons": seasons})
    own = {published.event.pk for published in events}
    for published in seasons:
        folder = f"seasons/{published.season.pk}/"
        evenings = [each.summary for each in published.events if each.summary.event_id in own][::-1][:MOST_EVENINGS]
        context = {"season": published, "evenings": evenings, "first": FIRST_ROWS}
        yield render_page(site, f"{folder}index.html", "season.html", context)
        for ranking in published.rankings:
            if len(ranking.rows) > FIRST_ROWS:
                path = f"{folder}ranking-{ranking.ranking.pk}.html"
                yield from render_parts(
                    site, path, "ranking.html", ranking.rows, {"season": published, "ranking": ranking}
                )


def _publish(season: Season) -> PublishedSeason:
    events = load_season_results(season)
    rankings = [_publish_ranking(ranking, events) for ranking in season.rankings.all()] if events else []
    return PublishedSeason(season, events, rankings)


def _publish_ranking(ranking: Ranking, events: Sequence[EventResults]) -> PublishedRanking:
    view = view_ranking(ranking, events)
    rows = [_row(line, view) for line in view.lines]
    return PublishedRanking(ranking, describe_rule(view.rule, gettext), title_of_value(view.rule), rows)


def _row(line: RankedMember, view: RankingView) -> RankingRow:
    return RankingRow(
        rank=line.line.rank,
        group=line.group,
        name=public_name(line.member),
        apart=line.apart if is_named(line.member) else "",
        page=line.member.pk if is_named(line.member) else None,
        value=round_value(line.line.value, view.rule),
        events=len(line.line.events),
    )
