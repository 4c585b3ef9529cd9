"""Standings over several games: examples worked by hand, then what holds for every field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.profile import Profile, load_profile
from engine.standings.event import (
    EventLine,
    EventStandings,
    Handicap,
    PlayedGame,
    event_standings,
    group_ranks,
    round_half_up,
)
from engine.standings.game import TurnResult, standings

BOX = load_profile("it-box")
FISF = BOX.with_switches(ranking_ties=["last_game", "last_move_backwards"])
FISE = BOX.with_switches(ranking="average_percent", ranking_ties=["tops_found", "best_move"])
ROMANIAN = BOX.with_switches(ranking="ranking_points", ranking_ties=[])


def turns(*points: int, first: int = 1) -> list[TurnResult]:
    return [TurnResult(turn, number) for turn, number in enumerate(points, first)]


def game(number: int, results: Mapping[int, Sequence[int]], tops: Sequence[int], profile: Profile = BOX) -> PlayedGame:
    return PlayedGame(number, {table: turns(*points) for table, points in results.items()}, tops, profile)


def order(event: EventStandings) -> list[tuple[int | None, int]]:
    return [(line.rank, line.table) for line in event.lines]


def line_of(event: EventStandings, table: int) -> EventLine:
    return next(line for line in event.lines if line.table == table)


def test_the_games_are_added_up_and_equal_totals_share_the_rank() -> None:
    event = event_standings(
        [
            game(1, {1: [30, 20], 2: [40, 0], 3: [10, 10], 4: [60, 20]}, [60, 40]),
            game(2, {1: [10, 0], 2: [0, 20], 3: [50, 30], 4: [0, 10]}, [50, 30]),
        ]
    )
    assert order(event) == [(1, 3), (2, 4), (3, 1), (3, 2)]
    first = line_of(event, 3)
    assert (first.total, first.negative, first.percent) == (100, -80, Decimal("55.6"))
    assert [score.total for score in first.games] == [20, 80]
    assert [score.rank for score in first.games] == [4, 1]
    assert (event.games, event.tops) == ((1, 2), (100, 80))


def test_fisf_breaks_a_tie_by_the_last_game() -> None:
    """Source: FISF, abridged rules: the result of the last game played is looked at first."""
    event = event_standings(
        [
            game(1, {1: [50, 30], 2: [20, 20]}, [50, 40], FISF),
            game(2, {1: [10, 10], 2: [50, 10]}, [50, 40], FISF),
        ]
    )
    assert order(event) == [(1, 2), (2, 1)]


def test_fisf_then_goes_from_the_last_move_backwards() -> None:
    """Source: the same: then the last move of the last game, then the one before, and so on."""
    first = {1: [10, 30], 2: [30, 10], 3: [20, 20]}
    event = event_standings(
        [game(1, first, [50, 50], FISF), game(2, {1: [30, 0, 20], 2: [20, 10, 20], 3: [30, 0, 20]}, [50, 50, 50], FISF)]
    )
    # The last moves are equal; in the one before only table 2 has something. Tables 1 and 3 are equal in the whole last
    # game, so the last move of the first game decides.
    assert order(event) == [(1, 2), (2, 1), (3, 3)]


def test_who_scored_alike_in_every_move_shares_the_rank_even_in_fisf() -> None:
    event = event_standings([game(1, {1: [10, 20], 2: [10, 20], 3: [5, 5]}, [50, 50], FISF)])
    assert order(event) == [(1, 1), (1, 2), (3, 3)]


def test_fise_takes_the_mean_of_the_percents_so_that_a_short_game_weighs_as_much() -> None:
    """Game 1: 3 turns, 300 to be had; game 2: 1 turn, 50 to be had. Table 1: 150 + 50, that is 50 % and 100 %, mean
    75 %. Table 2: 240 + 10, that is 80 % and 20 %, mean 50 %, although it has 50 points more."""
    event = event_standings(
        [game(1, {1: [50, 50, 50], 2: [80, 80, 80]}, [100, 100, 100], FISE), game(2, {1: [50], 2: [10]}, [50], FISE)]
    )
    assert order(event) == [(1, 1), (2, 2)]
    assert [line.average_percent for line in event.lines] == [Decimal("75.00"), Decimal("50.00")]
    assert [line.percent for line in event.lines] == [Decimal("57.1"), Decimal("71.4")]


def test_fise_breaks_ties_by_tops_found_and_then_by_the_best_move() -> None:
    results = {1: [50, 10, 30], 2: [40, 20, 30], 3: [40, 30, 20], 4: [35, 30, 25]}
    event = event_standings([game(1, results, [50, 30, 40], FISE)])
    # One top each for 1 (50), 3 (30) and 4 (30), none for 2; best moves 50, 40, 35.
    assert order(event) == [(1, 1), (2, 3), (3, 4), (4, 2)]


def test_percents_that_are_shown_alike_still_rank_by_their_exact_value() -> None:
    event = event_standings([game(1, {1: [1000], 2: [1001]}, [9999], FISE)])
    assert order(event) == [(1, 2), (2, 1)]


def test_romanian_points_are_added_and_shared_places_get_the_average() -> None:
    """Ten participants. Game 1: tables 1 and 2 share the first place, (575 + 389) / 2 = 482. Game 2: table 2 is
    second, table 1 third, table 3 first."""
    first = {table: [100 if table <= 2 else 60 - table] for table in range(1, 11)}
    second = {table: [{3: 90, 2: 80, 1: 70}.get(table, 50 - table)] for table in range(1, 11)}
    event = event_standings([game(1, first, [100], ROMANIAN), game(2, second, [100], ROMANIAN)])
    points = {line.table: [score.ranking_points for score in line.games] for line in event.lines}
    assert (points[1], points[2], points[3]) == ([482, 312], [482, 389], [312, 575])
    assert order(event)[:3] == [(1, 3), (2, 2), (3, 1)]
    assert line_of(event, 3).ranking_points == 887


def test_players_who_were_not_there_have_nothing_and_their_line_says_why() -> None:
    first = PlayedGame(1, {1: turns(10, 10, 10), 2: turns(20, first=3), 3: turns(20, 5)}, [20, 20, 20], BOX)
    second = PlayedGame(2, {1: turns(5), 2: turns(5), 4: turns(15), 5: []}, [20], BOX)
    event = event_standings([first, second])
    presence = {line.table: [score.presence for score in line.games] for line in event.lines}
    assert presence == {
        1: ["played", "played"],
        2: ["late", "played"],
        3: ["left", "missed"],
        4: ["missed", "played"],
        5: ["missed", "late"],
    }
    assert [(line.table, line.total, line.negative) for line in event.lines] == [
        (1, 35, -45),
        (2, 25, -55),
        (3, 25, -55),
        (4, 15, -65),
        (5, 0, -80),
    ]


def test_who_missed_a_game_gets_neither_its_ranking_points_nor_a_better_mean() -> None:
    games = [game(1, {1: [50], 2: [40]}, [50], ROMANIAN), game(2, {1: [10]}, [50], ROMANIAN)]
    assert [score.ranking_points for score in line_of(event_standings(games), 2).games] == [389, 0]
    means = event_standings([game(1, {1: [50], 2: [40]}, [50], FISE), game(2, {1: [10]}, [50], FISE)])
    assert line_of(means, 2).average_percent == Decimal("40.00")


def test_a_game_that_has_not_begun_changes_nothing_but_who_is_there() -> None:
    begun = game(1, {1: [50], 2: [40]}, [50], FISF)
    event = event_standings([begun, PlayedGame(2, {1: [], 2: [], 3: []}, [], FISF)])
    assert event.games == (1,)
    assert order(event) == [(1, 1), (2, 2), (3, 3)]
    assert event_standings([begun]).lines == event.lines[:2]


def test_before_the_first_turn_all_are_first_with_nothing() -> None:
    event = event_standings([PlayedGame(1, {2: [], 1: []}, [], ROMANIAN)])
    shown = [(line.rank, line.table, line.total, line.ranking_points) for line in event.lines]
    assert shown == [(1, 1, 0, 0), (1, 2, 0, 0)]


def test_a_handicap_is_given_for_every_game_that_a_player_played() -> None:
    games = [game(1, {1: [50], 2: [40]}, [60]), game(2, {1: [50]}, [60])]
    event = event_standings(games, Handicap({2: 15, 1: 3}))
    assert [(line.table, line.total, line.handicap, line.negative) for line in event.lines] == [
        (1, 106, 6, -14),
        (2, 55, 15, -65),
    ]
    assert [score.rank for score in line_of(event, 2).games] == [1, None]


@pytest.mark.parametrize(
    ("amount", "tops", "points"), [(10, [60, 65], 13), (10, [60, 64], 12), (5, [30], 2), (5, [29], 1), (50, [1], 1)]
)
def test_a_handicap_in_percent_is_of_the_tops_half_up(amount: int, tops: list[int], points: int) -> None:
    event = event_standings([game(1, {1: [0] * len(tops)}, tops)], Handicap({1: amount}, in_percent=True))
    assert event.lines[0].handicap == points


def test_a_handicap_in_percent_is_of_the_turns_that_were_played() -> None:
    late = PlayedGame(1, {1: turns(0, first=2), 2: []}, [100, 30], BOX)
    event = event_standings([late], Handicap({1: 10, 2: 10}, in_percent=True))
    assert [line_of(event, table).handicap for table in (1, 2)] == [3, 0]


@pytest.mark.parametrize(
    ("exact", "decimals", "shown"),
    [(Fraction(1, 8), 2, "0.13"), (Fraction(25, 2), 0, "13"), (Fraction(2, 3), 1, "0.7"), (Fraction(0), 1, "0.0")],
)
def test_a_half_is_rounded_up(exact: Fraction, decimals: int, shown: str) -> None:
    assert str(round_half_up(exact, decimals)) == shown


def test_warnings_penalties_and_solos_are_counted_over_all_games() -> None:
    first = PlayedGame(1, {1: [TurnResult(1, 20, warnings=2, penalty=5)]}, [30], BOX)
    second = PlayedGame(2, {1: [TurnResult(1, 40, warnings=1, solo=True, bonus=10)]}, [30], BOX)
    (line,) = event_standings([first, second]).lines
    assert (line.warnings, line.penalties, line.solos, line.tops_found, line.best_move) == (3, 1, 1, 1, 30)


def test_a_hundred_and_more_in_one_game_rank_by_their_points_although_the_last_places_are_worth_nothing() -> None:
    event = event_standings([game(1, {table: [200 - table] for table in range(1, 131)}, [200], ROMANIAN)])
    assert order(event) == [(table, table) for table in range(1, 131)]
    assert (line_of(event, 10).ranking_points, line_of(event, 130).ranking_points) == (585, 0)


def test_the_rank_within_a_group_leaves_the_others_out() -> None:
    event = event_standings([game(1, {1: [90], 2: [80], 3: [80], 4: [70], 5: [60]}, [100])])
    groups = {1: "A", 2: "B", 3: "B", 4: "B", 5: ""}
    assert group_ranks(event.lines, groups) == {1: 1, 2: 1, 3: 1, 4: 3}


PROFILES = [BOX, FISF, FISE, ROMANIAN, BOX.with_switches(ranking="percent")]
FIELDS = st.lists(
    st.dictionaries(st.integers(1, 12), st.lists(st.integers(0, 3), min_size=2, max_size=2), min_size=1),
    min_size=1,
    max_size=3,
)


@given(FIELDS, st.sampled_from(PROFILES), st.randoms(use_true_random=False))
def test_ranks_are_one_more_than_the_number_of_better_players_whatever_the_order_of_the_input(
    fields: list[dict[int, list[int]]], profile: Profile, random: Random
) -> None:
    games = [game(number, results, [3, 3], profile) for number, results in enumerate(fields, 1)]
    event = event_standings(games)
    assert {line.table for line in event.lines} == {table for results in fields for table in results}
    overall = {line.table: line.rank or 0 for line in event.lines}
    for line in event.lines:
        assert line.rank == 1 + sum(rank < overall[line.table] for rank in overall.values())
        worse = [other for other in event.lines if overall[other.table] >= overall[line.table]]
        assert all(other.value <= line.value for other in worse)
    mixed = [random.sample(list(results.items()), len(results)) for results in fields]
    again = [game(number, dict(results), [3, 3], profile) for number, results in enumerate(mixed, 1)]
    assert event_standings(again) == event


@given(FIELDS, st.sampled_from(PROFILES), st.dictionaries(st.integers(1, 12), st.sampled_from("AB")))
def test_group_ranks_are_the_overall_order_with_the_others_left_out(
    fields: list[dict[int, list[int]]], profile: Profile, groups: dict[int, str]
) -> None:
    event = event_standings([game(number, results, [3, 3], profile) for number, results in enumerate(fields, 1)])
    ranks = group_ranks(event.lines, groups)
    members = [line for line in event.lines if line.table in groups]
    assert set(ranks) == {line.table for line in members}
    for line in members:
        same_group = [other for other in members if groups[other.table] == groups[line.table]]
        assert ranks[line.table] == 1 + sum((other.rank or 0) < (line.rank or 0) for other in same_group)


@given(
    st.dictionaries(st.integers(1, 12), st.lists(st.integers(0, 3), min_size=2, max_size=2), min_size=1),
    st.sampled_from(PROFILES),
)
def test_one_game_alone_stands_as_the_archive_has_it(results: dict[int, list[int]], profile: Profile) -> None:
    one = game(1, results, [3, 3], profile)
    archived = standings(one.results, one.tops, profile)
    told = [(line.rank, line.table, line.total, line.negative, line.percent) for line in event_standings([one]).lines]
    stored = [(line.rank, line.table, line.total, line.negative, line.percent) for line in archived]
    assert told == stored
