"""Rows of a season's table and of the page of a member in a ranking, as texts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from django.utils.translation import gettext as _

from engine.seasons.ranking_rule import RankingRule, TieBreak
from engine.seasons.rule_text import TIE_NAMES
from engine.seasons.season_ranking import EventValue
from referee.charts.shapes import Drawing
from referee.charts.sparkline import sparkline
from referee.formats.season_values import Number, round_event_value, round_value
from referee.formats.texts import format_decimal, format_percent, format_sum
from tournaments.models import EventSummary, Member, Season
from tournaments.seasons.queries.rankings import RankedMember, RankingView, view_ranking
from tournaments.seasons.queries.results import EventResult, EventResults
from tournaments.seasons.queries.seasons import find_season

LAST_EVENTS = 10
MEDAL_RANKS = 3
MEDALS = ("gold", "silver", "bronze")


@dataclass(frozen=True, slots=True)
class Medal:
    """Number of first, second or third places."""

    kind: str
    title: str
    number: int


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A member in the table of a season; `apart` tells them from others of the same name."""

    member: Member
    apart: str
    rank: int | None
    value: str
    played: int
    percent: str
    chart: Drawing
    best_word: str
    best_points: int
    medals: Sequence[Medal]


@dataclass(frozen=True, slots=True)
class SeasonGroup:
    """Rows of a category, club or team, or of all members under an empty title."""

    title: str
    rows: Sequence[SeasonRow]


@dataclass(frozen=True, slots=True)
class TeaserPlace:
    """One of the first places of a season."""

    rank: int
    member: Member
    value: str

    @property
    def medal(self) -> str:
        """The class of the medal."""
        return MEDALS[self.rank - 1]


@dataclass(frozen=True, slots=True)
class SeasonTeaser:
    """The first places of a season, for the start page."""

    season: Season
    places: Sequence[TeaserPlace]


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event behind the value of a member. `code` is that of an event whose standings the user may open.

    `is_unknown`: it has no value, since its sum of tops is unknown.
    """

    summary: EventSummary
    code: str
    rank: int | None
    players: int
    points: str
    percent: str
    value: str
    counts: bool
    is_unknown: bool


def season_groups(view: RankingView) -> list[SeasonGroup]:
    """Return the rows of a ranking by group."""
    groups: dict[str, list[SeasonRow]] = {}
    last = [event.summary.pk for event in view.events[-LAST_EVENTS:]]
    for line in view.lines:
        groups.setdefault(line.group, []).append(_season_row(line, view.rule, last))
    return [SeasonGroup(title, rows) for title, rows in groups.items()]


def teaser_of(today: date) -> SeasonTeaser | None:
    """Return the first members of the season of this day; None without a season that has a ranking and results.

    A ranking of all members goes before those by category, club or team.
    """
    season = find_season(today)
    rankings = list(season.rankings.all()) if season is not None else []
    chosen = next((each for each in rankings if not each.rule.get("grouping")), None)
    if chosen is None:
        return None
    view = view_ranking(chosen, part=slice(MEDAL_RANKS))
    lines = [line for line in view.lines if line.line.rank is not None and line.line.rank <= MEDAL_RANKS]
    places = [TeaserPlace(line.line.rank or 0, line.member, format_value(line.line.value, view.rule)) for line in lines]
    return SeasonTeaser(chosen.season, places) if places else None


def event_rows(line: RankedMember, rule: RankingRule, codes: Collection[str]) -> list[EventRow]:
    """Return the events behind a member's value; `codes` are those of the events that the user may open."""
    pairs = zip(line.line.events, line.results, strict=True)
    return [_event_row(value, result, rule, codes) for value, result in pairs]


def format_value(value: Fraction, rule: RankingRule) -> str:
    """Return the value of a member as a text."""
    return _format(round_value(value, rule), rule)


def format_event_value(value: Fraction, rule: RankingRule) -> str:
    """Return the value of an event as a text."""
    return _format(round_event_value(value, rule), rule)


def tie_rows(values: Sequence[tuple[TieBreak, Fraction | None]], rule: RankingRule) -> list[tuple[str, str]]:
    """Return the tie-breaks of a rule with a member's values."""
    return [(_(TIE_NAMES[tie]), _format_tie(tie, value, rule)) for tie, value in values]


def _format_tie(tie: TieBreak, value: Fraction | None, rule: RankingRule) -> str:
    if value is None:
        return _("absent")
    if tie in ("best_event", "last_event"):
        return format_event_value(value, rule)
    return format_percent(float(value), 2) if tie == "percent" else format_sum(int(value))


def total_percent(results: Sequence[EventResult]) -> str:
    """Return the percent of the tops over all events whose tops are known."""
    known = [each for each in results if each.summary.tops]
    tops = sum(each.summary.tops for each in known)
    return format_percent(100 * sum(each.result.points for each in known) / tops if tops else None)


def count_absences(line: RankedMember, events: Sequence[EventResults]) -> int:
    """Return the number of counting events that the member missed."""
    return len(events) - len(line.results)


def medals_of(results: Sequence[EventResult]) -> list[Medal]:
    """Return the medals of a member: first, second and third places."""
    titles = (_("first places"), _("second places"), _("third places"))
    kinds = enumerate(zip(MEDALS, titles, strict=True), 1)
    counted = [(kind, title, sum(each.result.rank == rank for each in results)) for rank, (kind, title) in kinds]
    return [Medal(kind, title, number) for kind, title, number in counted if number]


def _season_row(line: RankedMember, rule: RankingRule, last: Sequence[int]) -> SeasonRow:
    by_event = {each.summary.pk: each for each in line.results}
    recent = [by_event[pk].percent if pk in by_event and by_event[pk].summary.tops else None for pk in last]
    best = max(line.results, key=lambda each: each.result.best_points).result
    return SeasonRow(
        member=line.member,
        apart=line.apart,
        rank=line.line.rank,
        value=format_value(line.line.value, rule),
        played=len(line.line.events),
        percent=total_percent(line.results),
        chart=sparkline(f"last-{line.member.pk}", recent),
        best_word=best.best_word,
        best_points=best.best_points,
        medals=medals_of(line.results),
    )


def _event_row(value: EventValue, result: EventResult, rule: RankingRule, codes: Collection[str]) -> EventRow:
    event = result.summary.event
    return EventRow(
        summary=result.summary,
        code=event.code if event is not None and event.code in codes else "",
        rank=result.result.rank,
        players=result.players,
        points=format_sum(result.result.points),
        percent=format_percent(result.percent) if result.summary.tops else "–",
        value=format_event_value(value.value, rule),
        counts=value.counts,
        is_unknown=rule.measure == "percent" and not result.summary.tops,
    )


def _format(number: Number, rule: RankingRule) -> str:
    if isinstance(number, int):
        return format_sum(number)
    decimals = -int(number.as_tuple().exponent)
    return format_percent(number, decimals) if rule.measure == "percent" else format_decimal(number, decimals)
