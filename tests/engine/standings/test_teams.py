"""Teams and pairs: who counts, and what the team has; worked by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from engine.rules.profile import load_profile
from engine.standings.event import EventStandings, PlayedGame, event_standings
from engine.standings.game import TurnResult
from engine.standings.teams import TeamLine, team_standings

BOX = load_profile("it-box")
TEAMS = {1: "Reds", 2: "Reds", 3: "Reds", 4: "Blues", 5: "Blues", 6: ""}
FIRST = {1: 50, 2: 40, 3: 10, 4: 45, 5: 44, 6: 60}
SECOND = {1: 0, 2: 30, 3: 55, 4: 40, 5: 43, 6: 60}


def event(*games: Mapping[int, int], ranking: str = "total", tops: Sequence[int] = (60, 60)) -> EventStandings:
    profile = BOX.with_switches(ranking=ranking)
    played = [{table: [TurnResult(1, points)] for table, points in game.items()} for game in games]
    return event_standings([PlayedGame(at + 1, results, [tops[at]], profile) for at, results in enumerate(played)])


def results(lines: Sequence[TeamLine]) -> list[tuple[int, str, list[int], int]]:
    assert all(line.value.denominator == 1 for line in lines)
    return [(line.rank, line.team, [int(game) for game in line.games], int(line.value)) for line in lines]


def values(lines: Sequence[TeamLine]) -> list[tuple[str, int]]:
    return [(team, value) for _, team, _, value in results(lines)]


def test_the_best_two_of_each_game_count() -> None:
    """Reds: 50 + 40 and 55 + 30 = 175. Blues: 45 + 44 and 40 + 43 = 172. Table 6 has no team."""
    lines = team_standings(event(FIRST, SECOND), TEAMS, 2)
    assert results(lines) == [(1, "Reds", [90, 85], 175), (2, "Blues", [89, 83], 172)]
    assert lines[0].total == 175


def test_the_best_two_in_the_end_count() -> None:
    """Reds: tables 2 (70) and 3 (65) stand best = 135. Blues: 85 + 87 = 172."""
    lines = team_standings(event(FIRST, SECOND), TEAMS, 2, of_each_game=False)
    assert results(lines) == [(1, "Blues", [89, 83], 172), (2, "Reds", [50, 85], 135)]
    assert lines[1].members == (2, 3, 1)


def test_everybody_counts_when_no_number_is_set() -> None:
    lines = team_standings(event(FIRST, SECOND), TEAMS)
    assert values(lines) == [("Reds", 185), ("Blues", 172)]


def test_a_team_of_one_goes_on_with_what_it_has() -> None:
    lines = team_standings(event(FIRST, SECOND), {**TEAMS, 6: "Alone"}, 2)
    assert values(lines) == [("Reds", 175), ("Blues", 172), ("Alone", 120)]


def test_equal_teams_share_the_rank() -> None:
    lines = team_standings(event({1: 10, 2: 10, 3: 5}), {1: "B", 2: "A", 3: "C"}, 1)
    assert [(line.rank, line.team) for line in lines] == [(1, "A"), (1, "B"), (3, "C")]


def test_with_percents_a_team_has_the_mean_of_those_who_count() -> None:
    """Tops 60 and 30. Reds: 50/60 and 40/60 mean 75 %; 30/30 and 0 mean 50 %; together 62.5 %."""
    lines = team_standings(
        event({1: 50, 2: 40, 3: 10}, {1: 0, 2: 30, 3: 0}, ranking="average_percent", tops=(60, 30)), TEAMS, 2
    )
    assert (lines[0].games, lines[0].value) == ((Fraction(75), Fraction(50)), Fraction(125, 2))


def test_with_ranking_points_a_team_has_those_of_its_best() -> None:
    """Scale of ten: 575 389 312 254 205 163. Game 1: Reds on places 2 and 5, Blues on 3 and 4. Game 2: Reds on places 2
    and 5, Blues on 3 and 4 again; table 6 is first both times."""
    lines = team_standings(event(FIRST, SECOND, ranking="ranking_points"), TEAMS, 2)
    assert values(lines) == [("Reds", 2 * (389 + 205)), ("Blues", 2 * (312 + 254))]


@given(st.dictionaries(st.integers(1, 9), st.integers(0, 60), min_size=1), st.integers(1, 4))
def test_the_best_of_each_game_never_give_less_than_the_best_in_the_end(points: dict[int, int], best: int) -> None:
    other = {table: 60 - number for table, number in points.items()}
    teams = {table: "AB"[table % 2] for table in points}
    each = {line.team: line.value for line in team_standings(event(points, other), teams, best)}
    final = {line.team: line.value for line in team_standings(event(points, other), teams, best, of_each_game=False)}
    assert each.keys() == final.keys()
    assert all(each[team] >= final[team] for team in each)
