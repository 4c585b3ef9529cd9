"""What is counted of a game: against the verdicts one by one, at any size with as many queries, and room by room."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from itertools import accumulate

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments.hall_of_rooms import three_rooms
from tests.tournaments.night import Night, begin, chance, play_turn
from tournaments.models import Turn, Verdict
from tournaments.selectors.analysis import analysis_of, player_line
from tournaments.selectors.own_sheet import own_sheet
from tournaments.selectors.results import results_of, standings_of
from tournaments.selectors.standings_then import standings_then
from tournaments.services.players import NewPlayer


@pytest.fixture
def played(night: Night) -> Night:
    rng = chance(4)
    for _turn in range(5):
        play_turn(night, rng)
    night.refresh()
    return night


def test_every_turn_counts_what_its_verdicts_say(played: Night) -> None:
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


def test_the_heat_counts_every_tile_that_was_laid(played: Night) -> None:
    analysis = analysis_of(played.game, played.room)
    first = analysis.turns[0]
    assert sum(map(sum, analysis_of(played.game, played.room, last=1).heat)) == sum(
        len(move.word) * move.players for move in first.words
    )
    assert sum(map(sum, analysis.heat)) > sum(map(sum, analysis_of(played.game, played.room, last=1).heat))


def test_words_that_are_no_move_are_not_told(night: Night) -> None:
    night.begin_turn("CORNOAT")
    night.phone(1, "PLANTEDWORD", "8H", 99)
    night.close()
    night.place()
    assert "PLANTEDWORD" not in repr(analysis_of(night.game, night.room))


def test_a_turn_counts_once_it_is_shown_and_no_more_when_it_is_taken_back(night: Night) -> None:
    night.begin_turn("CORNOAT")
    night.phone(1, "CORNO", "8D", 22)
    night.close()
    assert analysis_of(night.game, night.room).turns == ()
    night.place()
    assert len(analysis_of(night.game, night.room).turns) == 1
    night.undo()
    assert analysis_of(night.game, night.room).turns == ()


def test_a_room_that_is_behind_knows_of_no_later_turn_and_of_no_other_players(judge: User) -> None:
    evening = three_rooms(judge)
    night = evening.night
    night.begin_turn("CORNOAT")
    night.phone(1, "CORNO", "8D", 22)
    night.close()
    night.place()
    game = night.refresh()
    assert len(analysis_of(game, evening.room("A")).turns) == 1
    assert analysis_of(game, evening.room("B")).turns == ()
    assert analysis_of(game).turns == ()
    evening.play("B")
    shown = analysis_of(game, evening.room("B"))
    assert (shown.turns[0].players, shown.turns[0].words) == (4, ())
    assert analysis_of(game).turns == ()
    evening.play("C")
    assert analysis_of(game).turns[0].players == 12


def test_a_players_line_is_the_sum_of_his_points(played: Night) -> None:
    line = player_line(played.game, 2, played.room)
    results = results_of(played.game, played.room)
    assert list(line.own) == list(accumulate(result.points for result in results.by_table[2]))
    assert list(line.tops) == list(accumulate(results.tops))
    assert player_line(played.game, 99, played.room).own == (0, 0, 0, 0, 0)


def test_earlier_standings_are_those_that_stood_then(night: Night) -> None:
    rng, then = chance(4), []
    for _turn in range(4):
        play_turn(night, rng)
        then.append(standings_of(night.refresh(), night.room))
    assert [standings_then(night.game, night.room, turns=turn) for turn in (1, 2, 3, 4)] == then
    assert standings_then(night.game, night.room, turns=0) == []


def test_a_sheet_tells_each_turn_with_what_was_left_behind(played: Night) -> None:
    sheet = own_sheet(played.game, played.player(2), played.room)
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
    earlier = own_sheet(played.game, played.player(2), played.room, last=2)
    assert earlier is not None
    assert earlier.turns == sheet.turns[:2]


def test_percents_of_the_totals_count_everybody(played: Night) -> None:
    analysis = analysis_of(played.game, played.room)
    assert sum(each.players for each in analysis.totals) == 4
    lowest = min(line.percent for line in standings_of(played.game, played.room))
    assert analysis.totals[0].low <= lowest + Decimal("0.1")


@pytest.mark.parametrize("turns", [1, 3])
def test_as_many_queries_for_three_turns_and_twelve_players_as_for_one(judge: User, turns: int) -> None:
    many = [NewPlayer(table, f"Player {table}") for table in range(1, 4 * turns + 1)]
    night = begin(judge, players=many)
    for _turn in range(turns):
        night.begin_turn()
        night.close()
        night.place()
    game = night.refresh()
    with CaptureQueriesContext(connection) as queries:
        analysis_of(game, night.room)
    assert len(queries) == 14
    with CaptureQueriesContext(connection) as again:
        analysis_of(game, night.room)
    assert len(again) <= 4
