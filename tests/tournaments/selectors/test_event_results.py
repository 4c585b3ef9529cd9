"""Standings over the games of an event as pages, wall and phones ask for them."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments.night import Night, begin, chance, play_turn
from tournaments.enums import EndReason
from tournaments.models import Event
from tournaments.selectors.event_results import Choice, EventView, event_places, event_view, read_choice
from tournaments.selectors.hall import hall_view
from tournaments.selectors.personal import personal_views
from tournaments.selectors.results import standings_of
from tournaments.services import ending, event_options, events, players
from tournaments.services.players import NewPlayer

FIVE = (
    NewPlayer(1, "Anna Rossi", "Torino", "A", "senior", "ITA", "Reds"),
    NewPlayer(2, "Bruno Verdi", "Torino", "B", "junior", "ITA", "Reds"),
    NewPlayer(3, "Carla Neri", "Milano", "B", "senior", "ESP", "Blues"),
    NewPlayer(17, "Dario Bianchi", "", "A", "", "ESP", "Blues"),
    NewPlayer(18, "Elio Bo"),
)


def end(night: Night) -> None:
    ending.end_game(game=night.refresh(), why=EndReason.JUDGE, by=night.judge, now=night.later())


def next_game(night: Night) -> None:
    night.game = events.add_game(event=night.event, by=night.judge, now=night.later(), seed=bytes(32))
    night.refresh()


def two_games(judge: User, turns: tuple[int, int] = (2, 1), **settings: object) -> Night:
    """An event of two games; table 18 leaves during the first, table 19 comes for the second."""
    night, rng = begin(judge, FIVE, **settings), chance(11)
    for _ in range(turns[0]):
        play_turn(night, rng)
    players.leave(player=night.player(18), now=night.later(), by=night.judge)
    end(night)
    next_game(night)
    late = [NewPlayer(19, "Fosca Lana", "Asti", "B")]
    players.add_players(event=night.event, players=late, now=night.later(), by=night.judge)
    for _ in range(turns[1]):
        play_turn(night, rng)
    return night


def view_of(night: Night, text: str = "event.all") -> EventView:
    choice = read_choice(text)
    assert choice is not None
    view = event_view(Event.objects.get(pk=night.event.pk), choice)
    assert view is not None
    return view


def totals(view: EventView) -> dict[int, int]:
    return {row.line.table: row.line.total for row in view.rows}


def test_the_event_adds_up_what_the_archives_of_its_games_say(judge: User) -> None:
    night = two_games(judge)
    games = list(night.event.games.all())
    expected: dict[int, int] = {}
    for game in games:
        for line in standings_of(game):
            expected[line.table] = expected.get(line.table, 0) + line.total
    view = view_of(night)
    assert totals(view) == expected
    assert (view.games, view.all_games) == ((1, 2), (1, 2))
    assert [row.rank for row in view.rows] == sorted(row.rank or 0 for row in view.rows)
    presence = {row.line.table: [score.presence for score in row.line.games] for row in view.rows}
    assert presence[1] == ["played", "played"]
    assert (presence[18], presence[19]) == (["played", "missed"], ["missed", "played"])


@pytest.mark.parametrize("number", [1, 2])
def test_one_game_alone_is_what_its_archive_says(judge: User, number: int) -> None:
    night = two_games(judge)
    archived = standings_of(night.event.games.get(number=number))
    shown = [(row.rank, row.line.table, row.line.total) for row in view_of(night, f"{number}.all").rows]
    assert shown == [(line.rank, line.table, line.total) for line in archived]


def test_groups_stand_one_after_the_other_with_ranks_of_their_own(judge: User) -> None:
    night = two_games(judge)
    overall = {row.line.table: row.rank or 0 for row in view_of(night).rows}
    view = view_of(night, "event.series")
    assert [row.group for row in view.rows] == ["A", "A", "B", "B", "B"]
    for row in view.rows:
        same = [other for other in view.rows if other.group == row.group]
        better = [other for other in same if overall[other.line.table] < overall[row.line.table]]
        assert (row.rank, row.line.rank) == (1 + len(better), overall[row.line.table])
    assert {row.group for row in view_of(night, "event.country").rows} == {"ITA", "ESP"}
    assert {row.line.table for row in view_of(night, "event.age_class").rows} == {1, 2, 3}
    assert view.groupings == ("series", "club", "age_class", "country", "team")


def test_teams_count_as_many_as_the_organiser_says(judge: User) -> None:
    night = two_games(judge)
    points = {row.line.table: [score.total for score in row.line.games] for row in view_of(night).rows}
    pairs = {"Reds": (1, 2), "Blues": (3, 17)}
    shown = {row.line.team: int(row.line.value) for row in view_of(night, "event.team").teams}
    assert shown == {team: sum(sum(points[table]) for table in tables) for team, tables in pairs.items()}
    event_options.set_teams(event=night.event, best=1, of_each_game=True, by=judge, now=night.later())
    shown = {row.line.team: int(row.line.value) for row in view_of(night, "event.team").teams}
    assert shown == {
        team: sum(max(points[table][game] for table in tables) for game in (0, 1)) for team, tables in pairs.items()
    }


def test_a_handicap_counts_in_the_event_and_not_in_the_game(judge: User) -> None:
    night = two_games(judge)
    before, single = totals(view_of(night)), totals(view_of(night, "2.all"))
    event_options.set_handicap(event=night.event, unit="points", series={"B": 20}, by=judge, now=night.later())
    after = totals(view_of(night))
    assert {table: after[table] - before[table] for table in after} == {1: 0, 2: 40, 3: 40, 17: 0, 18: 0, 19: 20}
    assert view_of(night).with_handicap
    assert totals(view_of(night, "2.all")) == single


def test_the_standings_follow_a_turn_that_is_taken_back(judge: User) -> None:
    night = two_games(judge)
    before = totals(view_of(night))
    night.undo()
    assert view_of(night).games == (1,)
    night.place()
    assert totals(view_of(night)) == before


def test_wall_and_phones_know_the_places_once_two_games_count(judge: User) -> None:
    night = two_games(judge, (1, 1))
    places = event_places(night.event)
    assert {place.table: place.total for place in places} == totals(view_of(night))
    assert hall_view(night.refresh(), night.room, night.now).event_places == []
    personal = personal_views(night.refresh())[night.player(3).pk]
    assert personal.event_rank == next(place.rank for place in places if place.table == 3)
    assert personal.event_players == 6
    end(night)
    assert hall_view(night.refresh(), night.room, night.now).event_places == places
    next_game(night)
    assert hall_view(night.refresh(), night.room, night.now).event_places == places


def test_a_single_game_has_no_places_of_the_event(judge: User) -> None:
    night = begin(judge, FIVE)
    play_turn(night, chance(2))
    end(night)
    assert event_places(night.event) == []
    assert hall_view(night.refresh(), night.room, night.now).event_places == []
    assert personal_views(night.game)[night.player(1).pk].event_rank is None


def test_where_ranking_points_rank_the_wall_shows_these(judge: User) -> None:
    night = two_games(judge, (1, 1), switches={"ranking": "ranking_points"})
    points = {row.line.table: row.line.ranking_points for row in view_of(night).rows}
    places = event_places(night.event)
    assert {place.table: (place.total, place.negative) for place in places} == {
        table: (number, None) for table, number in points.items()
    }


@pytest.mark.parametrize("text", ["", "event", "event.", "event.height", "x.all", "1.", "99999.all", "²3.all", "-1.a"])
def test_what_is_no_choice_is_none(text: str) -> None:
    assert read_choice(text) is None


@pytest.mark.parametrize("choice", [Choice(), Choice(2, "series"), Choice(None, "team")])
def test_a_choice_is_read_as_it_was_written(choice: Choice) -> None:
    assert read_choice(choice.text) == choice


def test_a_game_that_there_is_not_has_no_view(night: Night) -> None:
    assert event_view(night.event, Choice(7)) is None


def test_queries_do_not_grow_with_players(judge: User) -> None:
    def queries(size: int) -> int:
        night = begin(judge, [NewPlayer(table, f"Player {table}", "", "A", team="T") for table in range(1, size + 1)])
        for number in (1, 2):
            night.begin_turn()
            night.close()
            night.place()
            end(night)
            if number == 1:
                next_game(night)
        with CaptureQueriesContext(connection) as captured:
            for text in ("event.all", "event.series", "event.team", "2.all"):
                view_of(night, text)
            event_places(night.event)
        return len(captured)

    assert queries(1) == queries(3)
