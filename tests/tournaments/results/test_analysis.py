"""Analysis of a game: equal to the single verdicts, with a constant number of queries, and by room."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from itertools import accumulate

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments.club_game import ClubGame, create_club_game, play_turn, seeded_random
from tests.tournaments.rooms_game import create_three_rooms
from tournaments.models import Turn, Verdict
from tournaments.players.services.players import NewPlayer
from tournaments.results.queries.analysis import analysis_of, player_line
from tournaments.results.queries.player_sheet import get_player_sheet
from tournaments.results.queries.results import results_of, standings_of
from tournaments.results.queries.standings_history import get_standings_after


@pytest.fixture
def played(club_game: ClubGame) -> ClubGame:
    rng = seeded_random(4)
    for _turn in range(5):
        play_turn(club_game, rng)
    club_game.refresh()
    return club_game


def test_every_turn_counts_what_its_verdicts_say(played: ClubGame) -> None:
    analysis = analysis_of(played.game, played.room)
    assert [turn.number for turn in analysis.turns] == [1, 2, 3, 4, 5]
    for figures, turn in zip(analysis.turns, Turn.objects.filter(game=played.game).order_by("number"), strict=True):
        rows = list(Verdict.objects.filter(turn=turn))
        moved = [row.points + row.penalty - row.bonus for row in rows]
        assert (figures.players, figures.top) == (len(rows), turn.top)
        assert figures.on_top == sum(points == turn.top for points in moved)
        assert figures.zeros == moved.count(0)
        laid = Counter((row.move_word, row.move_ref) for row in rows if row.result != "zero")
        assert {(move.word, move.ref): move.players for move in figures.words} == laid


def test_the_heat_counts_every_tile_that_was_laid(played: ClubGame) -> None:
    analysis = analysis_of(played.game, played.room)
    first = analysis.turns[0]
    assert sum(map(sum, analysis_of(played.game, played.room, last=1).heat)) == sum(
        len(move.word) * move.players for move in first.words
    )
    assert sum(map(sum, analysis.heat)) > sum(map(sum, analysis_of(played.game, played.room, last=1).heat))


def test_words_that_are_not_moves_are_left_out(club_game: ClubGame) -> None:
    club_game.begin_turn("CORNOAT")
    club_game.phone(1, "PLANTEDWORD", "8H", 99)
    club_game.close()
    club_game.place()
    assert "PLANTEDWORD" not in repr(analysis_of(club_game.game, club_game.room))


def test_a_turn_counts_once_it_is_shown_and_no_more_when_it_is_taken_back(club_game: ClubGame) -> None:
    club_game.begin_turn("CORNOAT")
    club_game.phone(1, "CORNO", "8D", 22)
    club_game.close()
    assert analysis_of(club_game.game, club_game.room).turns == ()
    club_game.place()
    assert len(analysis_of(club_game.game, club_game.room).turns) == 1
    club_game.undo()
    assert analysis_of(club_game.game, club_game.room).turns == ()


def test_a_room_that_is_behind_knows_of_no_later_turn_and_of_no_other_players(judge: User) -> None:
    live_game = create_three_rooms(judge)
    club_game = live_game.club_game
    club_game.begin_turn("CORNOAT")
    club_game.phone(1, "CORNO", "8D", 22)
    club_game.close()
    club_game.place()
    game = club_game.refresh()
    assert len(analysis_of(game, live_game.room("A")).turns) == 1
    assert analysis_of(game, live_game.room("B")).turns == ()
    assert analysis_of(game).turns == ()
    live_game.play("B")
    shown = analysis_of(game, live_game.room("B"))
    assert (shown.turns[0].players, shown.turns[0].words) == (4, ())
    assert analysis_of(game).turns == ()
    live_game.play("C")
    assert analysis_of(game).turns[0].players == 12


def test_a_players_line_is_the_sum_of_his_points(played: ClubGame) -> None:
    line = player_line(played.game, 2, played.room)
    results = results_of(played.game, played.room)
    assert list(line.own) == list(accumulate(result.points for result in results.by_table[2]))
    assert list(line.tops) == list(accumulate(results.tops))
    assert player_line(played.game, 99, played.room).own == (0, 0, 0, 0, 0)


def test_earlier_standings_are_those_that_stood_then(club_game: ClubGame) -> None:
    rng, then = seeded_random(4), []
    for _turn in range(4):
        play_turn(club_game, rng)
        then.append(standings_of(club_game.refresh(), club_game.room))
    assert [get_standings_after(club_game.game, club_game.room, turns=turn) for turn in (1, 2, 3, 4)] == then
    assert get_standings_after(club_game.game, club_game.room, turns=0) == []


def test_a_sheet_tells_each_turn_with_what_was_left_behind(played: ClubGame) -> None:
    sheet = get_player_sheet(played.game, played.player(2), played.room)
    assert sheet is not None
    place = next(line for line in standings_of(played.game, played.room) if line.table == 2)
    assert (sheet.total, sheet.negative, sheet.percent, sheet.rank) == (
        place.total,
        place.negative,
        place.percent,
        place.rank,
    )
    assert [turn.number for turn in sheet.turns] == [1, 2, 3, 4, 5]
    assert all(turn.loss == turn.top - turn.points for turn in sheet.turns if turn.points <= turn.top)
    assert sheet.turns[-1].total == sheet.total
    earlier = get_player_sheet(played.game, played.player(2), played.room, last=2)
    assert earlier is not None
    assert earlier.turns == sheet.turns[:2]


def test_percents_of_the_totals_count_everybody(played: ClubGame) -> None:
    analysis = analysis_of(played.game, played.room)
    assert sum(each.players for each in analysis.totals) == 4
    lowest = min(line.percent for line in standings_of(played.game, played.room))
    assert analysis.totals[0].low <= lowest + Decimal("0.1")


@pytest.mark.parametrize("turns", [1, 3])
def test_as_many_queries_for_three_turns_and_twelve_players_as_for_one(judge: User, turns: int) -> None:
    many = [NewPlayer(table, f"Player {table}") for table in range(1, 4 * turns + 1)]
    club_game = create_club_game(judge, players=many)
    for _turn in range(turns):
        club_game.begin_turn()
        club_game.close()
        club_game.place()
    game = club_game.refresh()
    with CaptureQueriesContext(connection) as queries:
        analysis_of(game, club_game.room)
    assert len(queries) == 14
    with CaptureQueriesContext(connection) as again:
        analysis_of(game, club_game.room)
    assert len(again) <= 4
