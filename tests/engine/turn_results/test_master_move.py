"""The choice of the master move."""

from __future__ import annotations

import pytest

from engine.board.move import Move
from engine.judging.verdict import Verdict, judge_slip
from engine.judging.verdict_text import master_sentence
from engine.turn_results.master_move import MasterMove, choose_master
from engine.turn_results.ties import RankedTop, order_tops
from tests.engine.judging.positions import BOX, CLUB, IT, position, slip, words

AT = position("SARETIO", "8D CORNO")
LISTED = words(IT, "ORA ORE ARE SCORNO TORO ORSO OSA")


def verdicts(*written: str) -> list[Verdict]:
    return [judge_slip(slip(one), AT, CLUB, LISTED) for one in written]


def engine_tops() -> tuple[RankedTop, ...]:
    return order_tops([_move("8C SCORNO 11")], AT.board, AT.rack, LISTED, BOX)


def _move(written: str) -> Move:
    found = judge_slip(slip(written), AT, CLUB, LISTED).move
    assert found is not None
    return found


def choose(
    *written: str, board_takes: str = "best_slip", tops: tuple[RankedTop, ...] | None = None
) -> MasterMove | None:
    profile = BOX.with_switches(board_takes=board_takes)
    ranked = engine_tops() if tops is None else tops
    return choose_master(verdicts(*written), ranked, AT.board, AT.rack, LISTED, profile)


def test_the_box_lays_the_best_word_of_a_player() -> None:
    """Box rules, Multiplo: the judge reads out the word of the highest value; all put it on their boards."""
    master = choose("H8 ORA 4", "H5 TORO 6", "H5 TORO 7", "H8 OSA 4", "H8 OTRA 99")
    assert master is not None
    assert (master.move.word_text(IT), master.move.score, master.chosen_by) == ("TORO", 6, "slip")
    assert master.why == "only"
    assert master_sentence(master) == "No other slip scores as much."


def test_the_worth_on_the_board_counts_not_what_the_player_got() -> None:
    """A rescued TORO pays 1, ORA 4: TORO is the better word."""
    master = choose("H8 ORA 4", "H1 TORO 6")
    assert master is not None
    assert master.move.word_text(IT) == "TORO"


def test_equal_slips_are_ordered_like_equal_tops() -> None:
    master = choose("H8 ORE 4", "H8 ORA 4", "E8 ORA 4")
    assert master is not None
    assert (master.chosen_by, master.move.reference.col, master.move.word_text(IT)) == ("slip", 4, "ORA")
    assert (master.why, master.ahead, master.behind) == ("nearest_a1", 11, 14)
    assert "11 squares against 14" in master_sentence(master)


def test_one_tile_under_two_names_is_one_move() -> None:
    at = position("OIIIIII", "8D CORN", "H9 RA")
    both = [judge_slip(slip(one), at, BOX, words(IT)) for one in ("H8 ORA 26", "8D CORNO 26")]
    master = choose_master(both, (), at.board, at.rack, words(IT), BOX)
    assert master is not None
    assert (master.why, master.move.word_text(IT)) == ("only", "CORNO")


@pytest.mark.parametrize("written", [[], ["- - -"], ["H8 OTRA 5", "A1 ORA 5"]])
def test_the_engine_helps_when_nobody_scored(written: list[str]) -> None:
    master = choose(*written)
    assert master is not None
    assert (master.move.word_text(IT), master.chosen_by, master.why) == ("SCORNO", "engine", "nobody_scored")
    assert master_sentence(master) == "No player scored, so the best move of the engine is played."


def test_the_club_lays_the_top_whatever_players_found() -> None:
    master = choose("H5 TORO 6", board_takes="top")
    assert master is not None
    assert (master.move.word_text(IT), master.chosen_by, master.why) == ("SCORNO", "engine", "only")
    assert master_sentence(master) == "No other move scores as much."


@pytest.mark.parametrize("board_takes", ["top", "best_slip"])
def test_without_any_move_there_is_no_master(board_takes: str) -> None:
    assert choose(board_takes=board_takes, tops=()) is None
