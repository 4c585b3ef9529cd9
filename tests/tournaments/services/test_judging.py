"""Which slip counts, and what depends on the whole turn or on earlier ones."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine.archive import check_archive
from engine.replay import verify
from tests.tournaments.night import FOUR, Night, begin
from tournaments import lexicons
from tournaments.models import Slip, Turn, Verdict
from tournaments.selectors.archive import export_game
from tournaments.selectors.desk import tops
from tournaments.services import rulings
from tournaments.services.judging import counting_slips, judge_turn
from tournaments.services.players import NewPlayer


def test_the_newest_slip_in_time_counts_and_a_late_one_only_alone(night: Night) -> None:
    night.begin_turn("ACEIRST")
    night.phone(1, "CASA", "8H", 10)
    night.phone(1, "CARTE", "8H", 18)
    night.phone(1, "RETI", "8H", 10, after=500)
    night.phone(2, "RETI", "8H", 10)
    words = {slip.player.table: slip.word for slip in counting_slips(night.turn).values()}
    assert words == {1: "CARTE", 2: "RETI"}
    night.close()
    assert (night.verdict(1).points, night.verdict(2).reason) == (18, "late")


def test_everybody_with_a_place_in_the_turn_has_one_verdict(night: Night) -> None:
    night.begin_turn()
    night.close()
    assert [row.reason for row in Verdict.objects.all()] == ["no_slip"] * 4
    judge_turn(turn=night.turn)
    assert Verdict.objects.count() == 4


def test_slips_that_say_the_same_are_one_group(night: Night) -> None:
    night.begin_turn("ACEIRST")
    night.phone(1, "CARTE", "8H", 18)
    night.phone(2, "CARTE", " 8 h ", 18)
    night.paper("3 CARTE 8H 18")
    night.phone(17, "CARTE", "8H", 17)
    night.close()
    groups = {table: night.verdict(table).group for table in (1, 2, 3, 17)}
    assert groups[1] == groups[2] == groups[3] != groups[17]


def test_warnings_of_earlier_turns_are_counted(judge: User) -> None:
    night = begin(judge, switches={"wrong_score": "warn", "free_warnings": 1})
    night.begin_turn("ACEIRST")
    night.phone(1, "CARTE", "8H", 99)
    night.close()
    assert (night.verdict(1).points, night.verdict(1).warnings, night.verdict(1).penalty) == (18, ["score_wrong"], 0)
    night.place(word="CARTE", ref="8H")
    night.begin_turn()
    move = tops(night.turn)[0]
    night.phone(1, move.word, move.ref, 999)
    night.phone(2, move.word, move.ref, 999)
    night.close()
    assert night.verdict(1).group == night.verdict(2).group
    assert [(night.verdict(table).points, night.verdict(table).penalty) for table in (1, 2)] == [
        (move.score - 5, 5),
        (move.score, 0),
    ]


def test_the_only_finder_of_the_top_is_the_solo(judge: User) -> None:
    night = begin(judge, switches={"solo_bonus": 10, "solo_min_players": 2})
    night.begin_turn("ACEIRST")
    top = night.turn.tops
    assert top is not None
    night.phone(1, top[0]["word"], top[0]["ref"], top[0]["score"])
    night.phone(2, "CARTE", "8H", 18)
    night.close()
    assert night.turn.solo == 1
    assert (night.verdict(1).bonus, night.verdict(1).points) == (10, top[0]["score"] + 10)
    night.paper(f"3 {top[0]['ref']} {top[0]['word']} {top[0]['score']}")
    assert night.turn.solo is None
    assert night.verdict(1).bonus == 0


def test_in_the_italian_box_a_solo_brings_no_points(night: Night) -> None:
    night.begin_turn("ACEIRST")
    top = night.turn.tops
    assert top is not None
    night.phone(1, top[0]["word"], top[0]["ref"], top[0]["score"])
    night.close()
    assert (night.turn.solo, night.verdict(1).bonus) == (1, 0)


def test_queries_do_not_grow_with_players(judge: User) -> None:
    def queries(players: tuple[NewPlayer, ...]) -> int:
        night = begin(judge, players=players)
        night.begin_turn("ACEIRST")
        for player in players:
            assert player.table is not None
            night.phone(player.table, "CARTE", "8H", 18)
        night.close()
        with CaptureQueriesContext(connection) as captured:
            judge_turn(turn=night.turn)
        return len(captured)

    assert queries(FOUR[:1]) == queries(FOUR)


@pytest.mark.parametrize("word", ["", "carte", "C" * 200, "🂡", "CAR TE", "C?RTE", "(C)ARTE", "C\u0301ARTE"])
def test_no_slip_whatever_stops_the_judging(night: Night, word: str) -> None:
    night.begin_turn("ACEIRST")
    night.phone(1, word, "8H", 18)
    night.phone(2, "CARTE", "8H", 18)
    night.close()
    assert night.verdict(1).result in ("zero", "valid")
    assert night.verdict(2).points == 18


def test_a_second_zero_for_the_same_fault_is_the_average_of_the_others(judge: User) -> None:
    """FISF, judging; the archive is verified with it, and a third zero is a zero."""
    night = begin(judge, switches={"average_for_second_zero": True})
    for number in (1, 2, 3):
        night.begin_turn()
        top = tops(night.turn)[0]
        night.phone(1, "Z9Z", "8H", 10)
        night.phone(2, top.word, top.ref, top.score)
        night.phone(3, "Z9X" if number == 2 else "Z9Z", "8H", 10)
        night.close()
        night.place()
    second = night.verdict(1, turn=2)
    best = Turn.objects.get(number=2).top or 0
    assert (second.result, second.reason, second.points, second.word) == (
        "rescued",
        "average_of_others",
        (2 * best + 3) // 6,
        "Z9Z",
    )
    assert [night.verdict(1, turn=number).points for number in (1, 3)] == [0, 0]
    assert [night.verdict(3, turn=number).points for number in (1, 2, 3)] == [0, 0, 0]
    assert [night.verdict(17, turn=number).reason for number in (1, 2, 3)] == ["no_slip"] * 3
    archive = export_game(night.refresh())
    words = lexicons.graph_of(lexicons.of_game(night.game))
    assert verify(check_archive(archive), words) == []
    slip = next(slip for slip in archive["turns"][1]["slips"] if slip["table"] == 1)
    slip["verdict"]["points"] += 1
    assert verify(check_archive(archive), words)[0].where == "turn 2, table 1, verdict.points"


def test_points_above_the_worth_of_a_move_count_for_averages_alike_in_judging_and_verify(judge: User) -> None:
    night = begin(judge, switches={"average_for_second_zero": True})
    for number in (1, 2):
        night.begin_turn()
        top = tops(night.turn)[0]
        night.phone(1, "Z9Z", "8H", 10)
        night.phone(2, top.word, top.ref, top.score)
        night.close()
        if number == 2:
            points, group = top.score + 40, night.verdict(2).group
            rulings.decide_group(
                turn=night.turn, group=group, points=points, reason="found it", by=night.judge, now=night.later()
            )
            assert night.verdict(1).points == (2 * points + 3) // 6
        night.place()
    words = lexicons.graph_of(lexicons.of_game(night.game))
    assert verify(check_archive(export_game(night.refresh())), words) == []


def test_a_late_slip_of_a_placed_turn_judges_the_turns_after_it_too(judge: User) -> None:
    """A warning more in turn 1 is a warning too many in turn 2."""
    night = begin(judge, switches={"wrong_score": "warn", "free_warnings": 1})
    for _number in (1, 2):
        night.begin_turn()
        top = tops(night.turn)[0]
        night.phone(2, top.word, top.ref, 999)
        night.close()
        night.place()
    assert [night.verdict(2, turn=number).penalty for number in (1, 2)] == [0, 5]
    Slip.objects.filter(turn__number=1).update(declared=Turn.objects.get(game=night.game, number=1).top)
    first = Turn.objects.get(game=night.game, number=1)
    judge_turn(turn=first)
    assert [night.verdict(2, turn=number).penalty for number in (1, 2)] == [0, 0]
