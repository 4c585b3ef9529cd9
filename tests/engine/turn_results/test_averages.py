"""The average of the others for the second of two zeros for one fault. Source: FISF, judging ("moyenne")."""

from __future__ import annotations

import pytest

from engine.judging.verdict import Verdict
from engine.judging.verdict_text import verdict_sentence
from engine.rules.profile import load_profile
from engine.turn_results.averages import Fault, apply_averages, fault_of

FISF = load_profile("fisf")
BAD = Verdict("zero", "not_a_word", 0, None, word="PUBLIARE")
SAME: Fault = ("not_a_word", "PUBLIARE")


def scored(points: int) -> Verdict:
    return Verdict("valid", None, points, points)


def test_the_second_zero_for_one_fault_becomes_the_average_of_the_others() -> None:
    judged = apply_averages({1: BAD, 2: scored(30), 3: scored(41), 4: scored(0)}, {1: SAME}, FISF)
    average = judged[1]
    assert (average.result, average.reason, average.points, average.move_score) == (
        "rescued",
        "average_of_others",
        24,
        None,
    )
    assert verdict_sentence(average) == (
        "FISF, judging: PUBLIARE is not in the word list. The second zero in a row for the same fault, before the "
        "player could know, becomes the average of the other players: 24."
    )
    assert {table: judged[table] for table in (2, 3, 4)} == {2: scored(30), 3: scored(41), 4: scored(0)}


@pytest.mark.parametrize(("others", "average"), [([1], 1), ([1, 2], 2), ([1, 0], 1), ([1, 0, 0], 0), ([2, 2, 1], 2)])
def test_halves_are_rounded_up(others: list[int], average: int) -> None:
    turn = {1: BAD, **{table: scored(points) for table, points in enumerate(others, 2)}}
    assert apply_averages(turn, {1: SAME}, FISF)[1].points == average


@pytest.mark.parametrize(
    "before", [None, ("not_a_word", "OTHER"), ("does_not_fit", None), ("average_of_others", "PUBLIARE")]
)
def test_another_fault_or_none_before_leaves_the_zero(before: Fault | None) -> None:
    """Nor does a third zero: of the first the player was told while the third move was played."""
    turn = {1: BAD, 2: scored(30)}
    assert apply_averages(turn, {1: before}, FISF) == turn
    assert apply_averages(turn, {}, FISF) == turn


def test_an_average_is_no_fault_for_the_next_turn() -> None:
    average = apply_averages({1: BAD, 2: scored(30)}, {1: SAME}, FISF)[1]
    assert fault_of(average) is None
    assert fault_of(BAD) == SAME
    assert fault_of(scored(0)) is None


@pytest.mark.parametrize("reason", ["no_slip", "late", "judge"])
def test_what_the_player_knows_or_the_judge_decided_is_no_such_fault(reason: str) -> None:
    assert fault_of(Verdict("zero", reason, 0, None)) is None


def test_two_players_with_second_zeros_count_as_zeros_for_each_other() -> None:
    judged = apply_averages({1: BAD, 2: BAD, 3: scored(30)}, {1: SAME, 2: SAME}, FISF)
    assert [judged[table].points for table in (1, 2, 3)] == [15, 15, 30]


def test_a_player_alone_keeps_his_zero_and_the_judges_word_stands() -> None:
    assert apply_averages({1: BAD}, {1: SAME}, FISF) == {1: BAD}
    turn = {1: BAD, 2: scored(30)}
    assert apply_averages(turn, {1: SAME}, FISF, decided=[1]) == turn


def test_other_families_know_no_average() -> None:
    turn = {1: BAD, 2: scored(30)}
    for code in ("it-box", "ca-manual", "fise", "ca-club", "ro", "ntsv", "club"):
        assert apply_averages(turn, {1: SAME}, load_profile(code)) == turn
