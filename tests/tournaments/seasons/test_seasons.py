"""Seasons and rankings: what can be stored, events that count by hand, and previews that come true."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from fractions import Fraction
from random import Random

import pytest

from engine.seasons.presets import PRESETS, RankingPreset
from engine.seasons.ranking_rule import RankingRule
from tests.tournaments.seasons.club_years import create_evenings, create_members, list_days
from tournaments.errors import Refused
from tournaments.models import Event, EventSummary, Member, PlayerResult, Ranking, Season
from tournaments.seasons.queries.rank_changes import RankingChange, preview_events, preview_rule
from tournaments.seasons.queries.rankings import view_ranking
from tournaments.seasons.queries.results import list_counting_events
from tournaments.seasons.queries.seasons import find_season, list_event_choices, propose_dates, propose_name
from tournaments.seasons.services import seasons
from tournaments.seasons.services.seasons import SeasonFields

pytestmark = pytest.mark.django_db
YEAR = SeasonFields("Season 2026–27", date(2026, 9, 1), date(2027, 8, 31))
Places = dict[int, tuple[str, int | None, Fraction]]


@pytest.fixture
def season() -> Season:
    """A year of six evenings with a ranking by each preset."""
    rng = Random(7)  # noqa: S311  the same rows in each run
    create_evenings(rng, create_members(rng, 12), list_days(2026, 6), 9)
    return seasons.create_season(YEAR, [(preset.title, preset.rule) for preset in PRESETS])


def places_of(ranking: Ranking) -> Places:
    return {
        line.member.pk: (line.group, line.line.rank, line.line.value)
        for line in view_ranking(Ranking.objects.get(pk=ranking.pk)).lines
    }


def apply_change(places: Places, change: RankingChange) -> Places:
    """Return the places as the preview says they will be."""
    after = dict(places)
    for each in change.changes:
        before = after.pop(each.member.pk, None)
        assert before == (None if each.before is None else (each.before.group, each.before.rank, each.before.value))
        if each.after is not None:
            after[each.member.pk] = (each.after.group, each.after.rank, each.after.value)
    return after


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (replace(YEAR, name=" \t"), "Give the season a name."),
        (replace(YEAR, name="x" * 101), "at most 100 fit"),
        (replace(YEAR, name="SEASON 2026–27 "), "There is a season named"),
        (replace(YEAR, name="New", ends=date(2026, 8, 31)), "ends before it starts"),
        (replace(YEAR, name="New", ends=date(2096, 8, 31)), "ten years at most"),
    ],
)
def test_a_season_with_a_bad_field_is_refused(fields: SeasonFields, sentence: str) -> None:
    seasons.create_season(YEAR)
    with pytest.raises(Refused, match=sentence):
        seasons.create_season(fields)
    assert Season.objects.count() == 1


def test_a_ranking_with_a_bad_rule_or_a_name_that_is_taken_is_refused(season: Season) -> None:
    with pytest.raises(Refused, match="Points by place need a table"):
        seasons.create_ranking(season, "Places", RankingRule(measure="place"))
    with pytest.raises(Refused, match="must not be more than those of the place before"):
        seasons.create_ranking(season, "Places", RankingRule(measure="place", table=(1, 2)))
    with pytest.raises(Refused, match="Give the ranking a name"):
        seasons.create_ranking(season, " ", RankingRule())
    with pytest.raises(Refused, match="has a ranking named"):
        seasons.create_ranking(season, PRESETS[0].title.upper(), RankingRule())
    assert season.rankings.count() == len(PRESETS)


def test_rankings_keep_the_order_in_which_they_are_put(season: Season) -> None:
    names = [ranking.name for ranking in season.rankings.all()]
    seasons.move_ranking(season.rankings.all()[3], 0)
    assert [each.name for each in season.rankings.all()] == [names[3], *names[:3], *names[4:]]
    seasons.delete_ranking(season.rankings.all()[1])
    seasons.create_ranking(season, "Last", RankingRule())
    assert [each.position for each in season.rankings.all()] == [*range(len(PRESETS))]
    assert season.rankings.last().name == "Last"  # type: ignore[union-attr]


@pytest.mark.parametrize("new", PRESETS[::3], ids=lambda preset: preset.code)
def test_a_ranking_is_after_the_change_of_its_rule_as_previewed(season: Season, new: RankingPreset) -> None:
    rule = new.rule
    for ranking in season.rankings.all():
        before, change = places_of(ranking), preview_rule(ranking, rule)
        assert places_of(ranking) == before
        seasons.change_ranking(ranking, ranking.name, rule)
        assert places_of(ranking) == apply_change(before, change)
        assert change.members == len(places_of(ranking))


def test_rankings_are_after_a_choice_of_events_as_previewed(season: Season) -> None:
    first, second, *_ = list_counting_events(season)
    before = {ranking.pk: places_of(ranking) for ranking in season.rankings.all()}
    choice = {first.pk: False, second.pk: True}
    changes = preview_events(season, exceptions=choice)
    assert len(list_counting_events(season)) == 6
    seasons.choose_events(season, choice)
    assert any(change.moved for change in changes)
    for change in changes:
        assert places_of(change.ranking) == apply_change(before[change.ranking.pk], change)


def test_rankings_are_after_other_dates_as_previewed(season: Season) -> None:
    before = {ranking.pk: places_of(ranking) for ranking in season.rankings.all()}
    fields = replace(YEAR, ends=list_days(2026, 6)[2])
    draft = Season(pk=season.pk)
    seasons.set_fields(draft, fields)
    changes = preview_events(draft, exceptions={})
    assert {ranking.pk: places_of(ranking) for ranking in season.rankings.all()} == before
    seasons.change_season(season, fields)
    assert len(list_counting_events(season)) == 3
    for change in changes:
        assert places_of(change.ranking) == apply_change(before[change.ranking.pk], change)


def test_an_event_counts_or_not_by_hand_whatever_the_dates_say(season: Season) -> None:
    outside = EventSummary.objects.create(name="Old evening", date=date(2020, 1, 1), source="old.xlsx")
    first = list_counting_events(season)[0]
    seasons.choose_events(season, {outside.pk: True, first.pk: False})
    counting = list_counting_events(season)
    assert outside in counting
    assert first not in counting
    exceptions = dict(season.exceptions.values_list("summary", "counts"))
    choices = {each.summary: each for each in list_event_choices(season, exceptions)}
    assert (choices[outside].counts, choices[outside].in_time, choices[outside].is_exception) == (True, False, True)
    assert (choices[first].counts, choices[first].in_time, choices[first].is_exception) == (False, True, True)
    seasons.choose_events(season, {outside.pk: False, first.pk: True})
    assert not season.exceptions.exists()
    with pytest.raises(Refused, match="was deleted"):
        seasons.choose_events(season, {outside.pk: True, 999_999: True})
    assert not season.exceptions.exists()


def test_only_events_with_the_name_count_in_whatever_case(season: Season) -> None:
    EventSummary.objects.filter(pk=list_counting_events(season)[0].pk).update(name="TROFEO D’AUTUNNO È QUI")
    seasons.change_season(season, replace(YEAR, name_contains="è qui"))
    assert [each.name for each in list_counting_events(season)] == ["TROFEO D’AUTUNNO È QUI"]


def test_groups_that_differ_in_capitals_are_one(season: Season) -> None:
    members = list(Member.objects.order_by("pk"))
    for at, member in enumerate(members):
        member.club = "TORINO" if at < 2 else "Torino"
    Member.objects.bulk_update(members, ["club"])
    view = view_ranking(seasons.create_ranking(season, "By club", RankingRule("points", grouping="club")))
    assert {line.group for line in view.lines} == {"Torino"}


def test_a_deleted_season_leaves_events_and_results(season: Season) -> None:
    results = PlayerResult.objects.count()
    seasons.delete_season(season)
    assert (Season.objects.count(), Ranking.objects.count()) == (0, 0)
    assert (Event.objects.count(), PlayerResult.objects.count()) == (6, results)


@pytest.mark.parametrize(
    ("today", "name"),
    [
        (date(2026, 9, 1), "Season 2026–27"),
        (date(2026, 8, 31), "Season 2025–26"),
        (date(1999, 12, 31), "Season 1999–00"),
    ],
)
def test_the_proposed_season_is_the_club_year_of_the_day(today: date, name: str) -> None:
    starts, ends = propose_dates(today)
    assert (starts <= today <= ends, propose_name(starts, ends)) == (True, name)


def test_the_next_year_is_proposed_and_the_season_of_the_day_is_found() -> None:
    assert find_season(date(2026, 11, 24)) is None
    old = seasons.create_season(SeasonFields("Old", date(2020, 1, 1), date(2020, 12, 31)))
    assert find_season(date(2026, 11, 24)) == old
    now = seasons.create_season(YEAR)
    seasons.create_season(SeasonFields("Next", date(2027, 9, 1), date(2028, 8, 31)))
    assert find_season(date(2026, 11, 24)) == now
    assert propose_dates(date(2026, 11, 24))[0] == date(2028, 9, 1)
