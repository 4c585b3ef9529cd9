"""Counting slips, and verdicts that depend on the whole turn or on earlier turns."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine.archive.replay import verify
from engine.archive.schema import check_archive
from referee.views.desk import list_tops
from tests.tournaments.club_game import FOUR_PLAYERS, ClubGame, create_club_game
from tournaments.judging.services import rulings
from tournaments.judging.services.judge_slips import counting_slips, judge_turn
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.lexicons import word_lists
from tournaments.models import Slip, Turn, Verdict
from tournaments.players.services.players import NewPlayer
from tournaments.results.queries.archive import export_game


def test_the_newest_slip_in_time_counts_and_a_late_one_only_alone(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "CASA", "8H", 10)
    club_game.phone(1, "CARTE", "8H", 18)
    club_game.phone(1, "RETI", "8H", 10, after=500)
    club_game.phone(2, "RETI", "8H", 10)
    words = {slip.player.table: slip.word for slip in counting_slips(club_game.turn).values()}
    assert words == {1: "CARTE", 2: "RETI"}
    club_game.close()
    assert (club_game.verdict(1).points, club_game.verdict(2).reason) == (18, "late")


def test_everybody_with_a_place_in_the_turn_has_one_verdict(club_game: ClubGame) -> None:
    club_game.begin_turn()
    club_game.close()
    assert [row.reason for row in Verdict.objects.all()] == ["no_slip"] * 4
    judge_turn(turn=club_game.turn)
    assert Verdict.objects.count() == 4


def test_identical_slips_are_one_group(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "CARTE", "8H", 18)
    club_game.phone(2, "CARTE", " 8 h ", 18)
    club_game.paper("3 CARTE 8H 18")
    club_game.phone(17, "CARTE", "8H", 17)
    club_game.close()
    groups = {table: club_game.verdict(table).group for table in (1, 2, 3, 17)}
    assert groups[1] == groups[2] == groups[3] != groups[17]


def test_warnings_of_earlier_turns_are_counted(judge: User) -> None:
    club_game = create_club_game(judge, switches={"wrong_score": "warn", "free_warnings": 1})
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "CARTE", "8H", 99)
    club_game.close()
    assert (club_game.verdict(1).points, club_game.verdict(1).warnings, club_game.verdict(1).penalty) == (
        18,
        ["score_wrong"],
        0,
    )
    club_game.place(word="CARTE", ref="8H")
    club_game.begin_turn()
    move = list_tops(club_game.turn)[0]
    club_game.phone(1, move.word, move.ref, 999)
    club_game.phone(2, move.word, move.ref, 999)
    club_game.close()
    assert club_game.verdict(1).group == club_game.verdict(2).group
    assert [(club_game.verdict(table).points, club_game.verdict(table).penalty) for table in (1, 2)] == [
        (move.score - 5, 5),
        (move.score, 0),
    ]


def test_the_only_finder_of_the_top_is_the_solo(judge: User) -> None:
    club_game = create_club_game(judge, switches={"solo_bonus": 10, "solo_min_players": 2})
    club_game.begin_turn("ACEIRST")
    top = club_game.turn.tops
    assert top is not None
    club_game.phone(1, top[0]["word"], top[0]["ref"], top[0]["score"])
    club_game.phone(2, "CARTE", "8H", 18)
    club_game.close()
    assert club_game.turn.solo == 1
    assert (club_game.verdict(1).bonus, club_game.verdict(1).points) == (10, top[0]["score"] + 10)
    club_game.paper(f"3 {top[0]['ref']} {top[0]['word']} {top[0]['score']}")
    assert club_game.turn.solo is None
    assert club_game.verdict(1).bonus == 0


def test_in_the_italian_box_a_solo_brings_no_points(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")
    top = club_game.turn.tops
    assert top is not None
    club_game.phone(1, top[0]["word"], top[0]["ref"], top[0]["score"])
    club_game.close()
    assert (club_game.turn.solo, club_game.verdict(1).bonus) == (1, 0)


def test_queries_do_not_grow_with_players(judge: User) -> None:
    def queries(players: tuple[NewPlayer, ...]) -> int:
        club_game = create_club_game(judge, players=players)
        club_game.begin_turn("ACEIRST")
        for player in players:
            assert player.table is not None
            club_game.phone(player.table, "CARTE", "8H", 18)
        club_game.close()
        with CaptureQueriesContext(connection) as captured:
            judge_turn(turn=club_game.turn)
        return len(captured)

    assert queries(FOUR_PLAYERS[:1]) == queries(FOUR_PLAYERS)


@pytest.mark.parametrize("word", ["", "carte", "C" * 200, "🂡", "CAR TE", "C?RTE", "(C)ARTE", "C\u0301ARTE"])
def test_any_slip_content_can_be_judged(club_game: ClubGame, word: str) -> None:
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, word, "8H", 18)
    club_game.phone(2, "CARTE", "8H", 18)
    club_game.close()
    assert club_game.verdict(1).result in ("zero", "valid")
    assert club_game.verdict(2).points == 18


def test_a_second_zero_for_the_same_fault_is_the_average_of_the_others(judge: User) -> None:
    """FISF, judging; the archive is verified with it, and a third zero is a zero."""
    club_game = create_club_game(judge, switches={"average_for_second_zero": True})
    for number in (1, 2, 3):
        club_game.begin_turn()
        top = list_tops(club_game.turn)[0]
        club_game.phone(1, "Z9Z", "8H", 10)
        club_game.phone(2, top.word, top.ref, top.score)
        club_game.phone(3, "Z9X" if number == 2 else "Z9Z", "8H", 10)
        club_game.close()
        club_game.place()
    second = club_game.verdict(1, turn=2)
    best = Turn.objects.get(number=2).top or 0
    assert (second.result, second.reason, second.points, second.word) == (
        "rescued",
        "average_of_others",
        (2 * best + 3) // 6,
        "Z9Z",
    )
    assert [club_game.verdict(1, turn=number).points for number in (1, 3)] == [0, 0]
    assert [club_game.verdict(3, turn=number).points for number in (1, 2, 3)] == [0, 0, 0]
    assert [club_game.verdict(17, turn=number).reason for number in (1, 2, 3)] == ["no_slip"] * 3
    archive = export_game(club_game.refresh())
    words = word_lists.graph_of(word_lists.word_list_of_game(club_game.game))
    assert verify(check_archive(archive), words) == []
    slip = next(slip for slip in archive["turns"][1]["slips"] if slip["table"] == 1)
    slip["verdict"]["points"] += 1
    assert verify(check_archive(archive), words)[0].where == "turn 2, table 1, verdict.points"


def test_points_above_the_move_score_count_for_averages_in_judging_and_verify(judge: User) -> None:
    club_game = create_club_game(judge, switches={"average_for_second_zero": True})
    for number in (1, 2):
        club_game.begin_turn()
        top = list_tops(club_game.turn)[0]
        club_game.phone(1, "Z9Z", "8H", 10)
        club_game.phone(2, top.word, top.ref, top.score)
        club_game.close()
        if number == 2:
            points, group = top.score + 40, club_game.verdict(2).group
            rulings.decide_groups(
                turn=club_game.turn,
                groups=[group],
                points=points,
                request=RulingRequest(reason="found it", by=club_game.judge, now=club_game.later()),
            )
            assert club_game.verdict(1).points == (2 * points + 3) // 6
        club_game.place()
    words = word_lists.graph_of(word_lists.word_list_of_game(club_game.game))
    assert verify(check_archive(export_game(club_game.refresh())), words) == []


def test_a_late_slip_of_a_placed_turn_judges_the_turns_after_it_too(judge: User) -> None:
    """A further warning in turn 1 exceeds the free warnings in turn 2."""
    club_game = create_club_game(judge, switches={"wrong_score": "warn", "free_warnings": 1})
    for _number in (1, 2):
        club_game.begin_turn()
        top = list_tops(club_game.turn)[0]
        club_game.phone(2, top.word, top.ref, 999)
        club_game.close()
        club_game.place()
    assert [club_game.verdict(2, turn=number).penalty for number in (1, 2)] == [0, 5]
    Slip.objects.filter(turn__number=1).update(declared=Turn.objects.get(game=club_game.game, number=1).top)
    first = Turn.objects.get(game=club_game.game, number=1)
    judge_turn(turn=first)
    assert [club_game.verdict(2, turn=number).penalty for number in (1, 2)] == [0, 0]
