"""Ratings that are brought up to date are those of a full computation, whatever has changed."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from engine.ratings.open_rating import VERSION, rate_games
from tests.examples import examples
from tournaments.models import EventSummary, Member, OpenRating, PlayerResult, RatingRun
from tournaments.ratings.queries.rated_games import load_rated_games
from tournaments.ratings.queries.ratings import list_ratings
from tournaments.ratings.services.refresh import refresh_ratings

pytestmark = pytest.mark.django_db
START = date(2025, 9, 4)


def add_evening(day: int, members: list[Member], rng: Random) -> EventSummary:
    """An earlier evening of one game, imported from archives, in which these members played."""
    summary = EventSummary.objects.create(name="Club night", date=START + timedelta(days=day), tops=900)
    order = rng.sample(members, len(members))
    PlayerResult.objects.bulk_create(
        PlayerResult(
            summary=summary,
            member=member,
            rank=rank,
            points=900 - 20 * rank,
            games=[{"number": 1, "points": 900 - 20 * rank, "tops": 900, "rank": rank, "presence": "played"}],
        )
        for rank, member in enumerate(order, 1)
    )
    return summary


def stored() -> list[tuple[object, ...]]:
    rows = OpenRating.objects.order_by("summary", "member")
    return list(rows.values_list("summary", "member", "version", "mean", "deviation", "games", "scores"))


@examples(40)
@given(st.integers(0, 2**32), st.lists(st.sampled_from(["add", "delete", "move", "swap", "none"]), max_size=6))
def test_an_update_is_a_full_computation(seed: int, changes: list[str]) -> None:
    rng = Random(seed)  # noqa: S311  nothing secret is drawn with it
    EventSummary.objects.all().delete()
    members = [Member.objects.create(surname=f"Member {number}") for number in range(6)]
    for day in range(4):
        add_evening(day, members[: rng.randint(2, 6)], rng)
    refresh_ratings()
    for change in changes:
        chosen = rng.choice(list(EventSummary.objects.all()) or [add_evening(9, members, rng)])
        if change == "add":
            add_evening(rng.randint(0, 8), members, rng)
        elif change == "delete":
            chosen.delete()
        elif change == "move":
            EventSummary.objects.filter(pk=chosen.pk).update(date=START + timedelta(days=rng.randint(0, 8)))
        elif change == "swap":
            PlayerResult.objects.filter(pk=chosen.results.earliest("pk").pk).update(member=rng.choice(members))
        refresh_ratings()
    updated = stored()
    OpenRating.objects.all().delete()
    RatingRun.objects.all().delete()
    refresh_ratings()
    assert stored() == updated
    plain = rate_games(each.game for each in load_rated_games())
    assert {each.member.pk: each.rating for each in list_ratings()} == plain


def test_an_evening_at_the_end_rates_only_its_game_and_ratings_of_another_version_are_replaced() -> None:
    members = [Member.objects.create(surname=f"Member {number}") for number in range(4)]
    rng = Random(1)  # noqa: S311  nothing secret is drawn with it
    for day in range(3):
        add_evening(day, members, rng)
    assert refresh_ratings() == 3
    add_evening(5, members, rng)
    assert refresh_ratings() == 1
    assert set(OpenRating.objects.values_list("version", flat=True)) == {VERSION}


def test_evenings_from_spreadsheets_have_no_games_and_are_not_rated() -> None:
    summary = EventSummary.objects.create(name="Old", date=START, tops=900)
    PlayerResult.objects.create(summary=summary, member=Member.objects.create(surname="Rossi"), rank=1, points=800)
    assert refresh_ratings() == 0
    assert list_ratings() == []


def test_ten_seasons_are_read_with_two_queries_and_members_who_stopped_can_be_left_out(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    members = [Member.objects.create(surname=f"Member {number}") for number in range(5)]
    rng = Random(2)  # noqa: S311  nothing secret is drawn with it
    add_evening(0, members, rng)
    for day in (400, 407):
        add_evening(day, members[:4], rng)
    refresh_ratings()
    with django_assert_num_queries(2):
        assert len(list_ratings(games=2)) == 5
    assert {each.member for each in list_ratings(active_only=True)} == set(members[:4])
    assert {each.form.games for each in list_ratings(games=2) if each.form} == {1, 2}


@pytest.mark.endurance
def test_500_events_of_30_players_take_a_few_queries(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    members = [Member.objects.create(surname=f"Member {number}") for number in range(60)]
    rng = Random(3)  # noqa: S311  nothing secret is drawn with it
    for day in range(500):
        add_evening(7 * day, rng.sample(members, 30), rng)
    with django_assert_max_num_queries(200):
        assert refresh_ratings() == 500
