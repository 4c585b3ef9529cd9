"""The page of a season with its rankings, and the events behind the value of a member."""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods, require_safe

from engine.bounded_input import parse_whole_number
from engine.seasons.presets import PRESETS
from engine.seasons.ranking_rule import read_rule
from engine.seasons.rule_text import describe_rule
from engine.seasons.season_ranking import list_tie_values
from referee.desk.access import general_page, user_of
from referee.desk.registry import Access
from referee.desk.results.game_choice import Tab
from referee.desk.seasons.season_rows import (
    count_absences,
    event_rows,
    format_value,
    medals_of,
    season_groups,
    tie_rows,
    total_percent,
)
from referee.results.season_table import title_of_value
from tournaments.models import EventSummary, Member, Membership, Ranking, Season
from tournaments.seasons.queries.rankings import load_season_results, view_member_in_ranking, view_ranking
from tournaments.seasons.queries.seasons import find_season, propose_dates, propose_name
from tournaments.seasons.services.seasons import SeasonFields, create_season
from tournaments.seasons.services.summaries import try_refresh_summaries

ROWS = 50


@require_http_methods(["GET", "HEAD", "POST"])
@general_page("seasons", access=Access.ORGANISER)
def seasons(request: HttpRequest) -> HttpResponse:
    """Redirect to the chosen season or to that of today; without one, a POST creates the season that is proposed."""
    chosen = Season.objects.filter(pk=parse_whole_number(request.GET.get("season", "")) or 0).first()
    season = chosen or find_season(timezone.localdate())
    if season is not None:
        return redirect("desk:season", season.pk)
    try_refresh_summaries()
    starts, ends = propose_dates(timezone.localdate())
    fields, preset = SeasonFields(propose_name(starts, ends), starts, ends), PRESETS[0]
    if request.method == "POST":
        return redirect("desk:season", create_season(fields, [(_(preset.title), preset.rule)]).pk)
    context = {
        "season": fields,
        "rule": describe_rule(preset.rule, _),
        "events": EventSummary.objects.filter(date__range=(starts, ends)).count(),
        "page": "seasons",
    }
    return render(request, "desk/seasons/no_season.html", context)


@require_safe
@general_page("season", access=Access.ORGANISER)
@gzip_page
def season_page(request: HttpRequest, season: int) -> HttpResponse:
    """Show a ranking of a season, `ranking` or the first one, a page of members at a time."""
    stored = get_object_or_404(Season, pk=season)
    try_refresh_summaries()
    rankings = list(stored.rankings.all())
    ranking = _choose(rankings, request.GET.get("ranking", ""))
    context = {
        "season": stored,
        "seasons": Season.objects.only("name"),
        "rankings": _tabs(stored, rankings, ranking),
        "ranking": ranking,
        "page": "seasons",
    }
    if ranking is not None:
        context |= _ranking_context(ranking, parse_whole_number(request.GET.get("page", "")) or 1)
    return render(request, "desk/seasons/season.html", context)


@require_safe
@general_page("season-member", access=Access.ORGANISER)
def season_member(request: HttpRequest, season: int, ranking: int, member: int) -> HttpResponse:
    """Show the events behind the value of a member in a ranking, and the tie-breaks."""
    stored = get_object_or_404(Ranking.objects.select_related("season"), pk=ranking, season=season)
    person = get_object_or_404(Member, pk=member)
    try_refresh_summaries()
    events = load_season_results(stored.season)
    line, rule = view_member_in_ranking(stored, person, events), read_rule(stored.rule)
    if line is None:
        raise Http404
    ties = list_tie_values([event.for_ranking() for event in events], rule, person.pk)
    context = {
        "season": stored.season,
        "ranking": stored,
        "rule": rule,
        "member": person,
        "line": line,
        "value": format_value(line.line.value, rule),
        "value_title": title_of_value(rule),
        "without_bonus": format_value(line.line.value - line.line.bonus, rule),
        "percent": total_percent(line.results),
        "medals": medals_of(line.results),
        "events": event_rows(line, rule, _codes_of(user_of(request), [event.summary for event in events])),
        "played": len(line.results),
        "number_of_events": len(events),
        "absent": count_absences(line, events),
        "ties": tie_rows(ties, rule),
        "text": describe_rule(rule, _),
        "page": "seasons",
    }
    return render(request, "desk/seasons/member.html", context)


def _ranking_context(ranking: Ranking, number: int) -> dict[str, object]:
    """Return what a page of a ranking shows."""
    first = max(0, number - 1) * ROWS
    view = view_ranking(ranking, part=slice(first, first + ROWS))
    if not view.lines and view.members:
        first, view = 0, view_ranking(ranking, events=view.events, part=slice(ROWS))
    return {
        "view": view,
        "groups": season_groups(view),
        "value_title": title_of_value(view.rule),
        "text": describe_rule(view.rule, _),
        "pages": _pages(view.members, first // ROWS + 1),
    }


def _pages(members: int, number: int) -> Page[int]:
    return Paginator(range(members), ROWS).page(number)


def _choose(rankings: Collection[Ranking], asked: str) -> Ranking | None:
    number = parse_whole_number(asked)
    return next((each for each in rankings if each.pk == number), next(iter(rankings), None))


def _tabs(season: Season, rankings: Collection[Ranking], chosen: Ranking | None) -> list[Tab]:
    """Return a tab for each ranking, none if there is only one."""
    if len(rankings) < 2:
        return []
    address = reverse("desk:season", args=[season.pk])
    return [
        Tab(ranking.name, f"{address}?{urlencode({'ranking': ranking.pk})}", on=ranking == chosen)
        for ranking in rankings
    ]


def _codes_of(user: User, summaries: Collection[EventSummary]) -> set[str]:
    """Return the codes of the events whose standings this user may open."""
    listed = [summary.event_id for summary in summaries if summary.event_id is not None]
    return set(Membership.objects.filter(user=user, event__in=listed).values_list("event__code", flat=True))
