"""Standings over the games of an event as pages, wall and phones ask for them."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from referee.views.hall import get_public_view
from referee.views.player import get_personal_views
from tests.tournaments.club_game import ClubGame, create_club_game, play_turn, seeded_random
from tournaments.events.services import events, options
from tournaments.models import Event
from tournaments.players.services import players
from tournaments.players.services.players import NewPlayer
from tournaments.results.queries.event_results import EventView, StandingsChoice, event_places, event_view, read_choice
from tournaments.results.queries.results import standings_of

FIVE = (
    NewPlayer(1, "Anna Rossi", "Torino", "A", "senior", "ITA", "Reds"),
    NewPlayer(2, "Bruno Verdi", "Torino", "B", "junior", "ITA", "Reds"),
    NewPlayer(3, "Carla Neri", "Milano", "B", "senior", "ESP", "Blues"),
    NewPlayer(17, "Dario Bianchi", "", "A", "", "ESP", "Blues"),
    NewPlayer(18, "Elio Bo"),
)


def next_game(club_game: ClubGame) -> None:
    club_game.game = events.add_game(event=club_game.event, by=club_game.judge, now=club_game.later(), seed=bytes(32))
    club_game.refresh()


def two_games(judge: User, turns: tuple[int, int] = (2, 1), **settings: object) -> ClubGame:
    """An event of two games; table 18 leaves during the first, table 19 comes for the second."""
    club_game, rng = create_club_game(judge, FIVE, **settings), seeded_random(11)
    for _ in range(turns[0]):
        play_turn(club_game, rng)
    players.leave_game(player=club_game.player(18), now=club_game.later(), by=club_game.judge)
    club_game.end()
    next_game(club_game)
    late = [NewPlayer(19, "Fosca Lana", "Asti", "B")]
    players.add_players(event=club_game.event, players=late, now=club_game.later(), by=club_game.judge)
    for _ in range(turns[1]):
        play_turn(club_game, rng)
    return club_game


def view_of(club_game: ClubGame, text: str = "event.all") -> EventView:
    choice = read_choice(text)
    assert choice is not None
    view = event_view(Event.objects.get(pk=club_game.event.pk), choice)
    assert view is not None
    return view


def totals(view: EventView) -> dict[int, int]:
    return {row.line.table: row.line.total for row in view.rows}


def test_the_event_adds_up_what_the_archives_of_its_games_say(judge: User) -> None:
    club_game = two_games(judge)
    games = list(club_game.event.games.all())
    expected: dict[int, int] = {}
    for game in games:
        for line in standings_of(game):
            expected[line.table] = expected.get(line.table, 0) + line.total
    view = view_of(club_game)
    assert totals(view) == expected
    assert (view.games, view.all_games) == ((1, 2), (1, 2))
    assert [row.rank for row in view.rows] == sorted(row.rank or 0 for row in view.rows)
    presence = {row.line.table: [score.presence for score in row.line.games] for row in view.rows}
    assert presence[1] == ["played", "played"]
    assert (presence[18], presence[19]) == (["played", "missed"], ["missed", "played"])


@pytest.mark.parametrize("number", [1, 2])
def test_one_game_alone_is_what_its_archive_says(judge: User, number: int) -> None:
    club_game = two_games(judge)
    archived = standings_of(club_game.event.games.get(number=number))
    shown = [(row.rank, row.line.table, row.line.total) for row in view_of(club_game, f"{number}.all").rows]
    assert shown == [(line.rank, line.table, line.total) for line in archived]


def test_groups_stand_one_after_the_other_with_ranks_of_their_own(judge: User) -> None:
    club_game = two_games(judge)
    overall = {row.line.table: row.rank or 0 for row in view_of(club_game).rows}
    view = view_of(club_game, "event.series")
    assert [row.group for row in view.rows] == ["A", "A", "B", "B", "B"]
    for row in view.rows:
        same = [other for other in view.rows if other.group == row.group]
        better = [other for other in same if overall[other.line.table] < overall[row.line.table]]
        assert (row.rank, row.line.rank) == (1 + len(better), overall[row.line.table])
    assert {row.group for row in view_of(club_game, "event.country").rows} == {"ITA", "ESP"}
    assert {row.line.table for row in view_of(club_game, "event.age_class").rows} == {1, 2, 3}
    assert view.groupings == ("series", "club", "age_class", "country", "team")


def test_teams_count_as_many_as_the_organiser_says(judge: User) -> None:
    club_game = two_games(judge)
    points = {row.line.table: [score.total for score in row.line.games] for row in view_of(club_game).rows}
    pairs = {"Reds": (1, 2), "Blues": (3, 17)}
    shown = {row.line.team: int(row.line.value) for row in view_of(club_game, "event.team").teams}
    assert shown == {team: sum(sum(points[table]) for table in tables) for team, tables in pairs.items()}
    options.set_teams(event=club_game.event, best=1, of_each_game=True, by=judge, now=club_game.later())
    shown = {row.line.team: int(row.line.value) for row in view_of(club_game, "event.team").teams}
    assert shown == {
        team: sum(max(points[table][game] for table in tables) for game in (0, 1)) for team, tables in pairs.items()
    }


def test_a_handicap_counts_in_the_event_and_not_in_the_game(judge: User) -> None:
    club_game = two_games(judge)
    before, single = totals(view_of(club_game)), totals(view_of(club_game, "2.all"))
    options.set_handicap(event=club_game.event, unit="points", series={"B": 20}, by=judge, now=club_game.later())
    after = totals(view_of(club_game))
    assert {table: after[table] - before[table] for table in after} == {1: 0, 2: 40, 3: 40, 17: 0, 18: 0, 19: 20}
    assert view_of(club_game).with_handicap
    assert totals(view_of(club_game, "2.all")) == single


def test_the_standings_follow_a_turn_that_is_taken_back(judge: User) -> None:
    club_game = two_games(judge)
    before = totals(view_of(club_game))
    club_game.undo()
    assert view_of(club_game).games == (1,)
    club_game.place()
    assert totals(view_of(club_game)) == before


def test_wall_and_phones_know_the_places_once_two_games_count(judge: User) -> None:
    club_game = two_games(judge, (1, 1))
    places = event_places(club_game.event)
    assert {place.table: place.total for place in places} == totals(view_of(club_game))
    assert get_public_view(club_game.refresh(), club_game.room, club_game.now).event_places == []
    personal = get_personal_views(club_game.refresh())[club_game.player(3).pk]
    assert personal.event_rank == next(place.rank for place in places if place.table == 3)
    assert personal.event_players == 6
    club_game.end()
    assert get_public_view(club_game.refresh(), club_game.room, club_game.now).event_places == places
    next_game(club_game)
    assert get_public_view(club_game.refresh(), club_game.room, club_game.now).event_places == places


def test_a_single_game_has_no_places_of_the_event(judge: User) -> None:
    club_game = create_club_game(judge, FIVE)
    play_turn(club_game, seeded_random(2))
    club_game.end()
    assert event_places(club_game.event) == []
    assert get_public_view(club_game.refresh(), club_game.room, club_game.now).event_places == []
    assert get_personal_views(club_game.game)[club_game.player(1).pk].event_rank is None


def test_where_ranking_points_rank_the_wall_shows_these(judge: User) -> None:
    club_game = two_games(judge, (1, 1), switches={"ranking": "ranking_points"})
    points = {row.line.table: row.line.ranking_points for row in view_of(club_game).rows}
    places = event_places(club_game.event)
    assert {place.table: (place.total, place.negative) for place in places} == {
        table: (number, None) for table, number in points.items()
    }


@pytest.mark.parametrize("text", ["", "event", "event.", "event.height", "x.all", "1.", "99999.all", "²3.all", "-1.a"])
def test_what_is_no_choice_is_none(text: str) -> None:
    assert read_choice(text) is None


@pytest.mark.parametrize("choice", [StandingsChoice(), StandingsChoice(2, "series"), StandingsChoice(None, "team")])
def test_a_choice_is_read_as_it_was_written(choice: StandingsChoice) -> None:
    assert read_choice(choice.text) == choice


def test_a_game_that_there_is_not_has_no_view(club_game: ClubGame) -> None:
    assert event_view(club_game.event, StandingsChoice(7)) is None


def test_queries_do_not_grow_with_players(judge: User) -> None:
    def queries(size: int) -> int:
        club_game = create_club_game(
            judge, [NewPlayer(table, f"Player {table}", "", "A", team="T") for table in range(1, size + 1)]
        )
        for number in (1, 2):
            club_game.begin_turn()
            club_game.close()
            club_game.place()
            club_game.end()
            if number == 1:
                next_game(club_game)
        with CaptureQueriesContext(connection) as captured:
            for text in ("event.all", "event.series", "event.team", "2.all"):
                view_of(club_game, text)
            event_places(club_game.event)
        return len(captured)

    assert queries(1) == queries(3)
