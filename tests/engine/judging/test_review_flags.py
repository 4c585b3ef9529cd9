"""Slips that a judge should review, the points at stake, and slips that the rules decide without doubt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.board.board import Board
from engine.judging.placement import Position
from engine.judging.review_flags import NO_FLAG, ReviewFlag, find_review_flag
from engine.judging.rule_quotes import RuleQuote, quote_rule
from engine.judging.slip_diagram import build_slip_diagram
from engine.judging.verdict import Verdict, judge_slip
from engine.rules.profile import Profile, load_profile
from engine.slips.slip import Slip
from engine.tiles.tiles import Tiles
from tests.engine.judging.positions import BOX, FISF, IT

EMPTY_ROW = "." * 15
ROWS = [EMPTY_ROW] * 7 + [".......CASA...."] + [EMPTY_ROW] * 7
"""CASA at 8H; across is 8H in the Italian box."""
WORDS = {IT.parse_word(word) for word in ("CASA", "CASE", "RE", "RETE", "ARTE", "SERE", "AR", "ERA")}
CLUB = load_profile("club")


def position(rack: str = "EERTSAI") -> Position:
    return Position(Board.parse(IT, ROWS), Tiles.parse(IT, rack), 2)


def doubt(slip: Slip, profile: Profile = BOX) -> ReviewFlag:
    return find_review_flag(slip, judged(slip, profile), position(), profile, WORDS)


def judged(slip: Slip, profile: Profile = BOX) -> Verdict:
    return judge_slip(slip, position(), profile, WORDS)


def test_a_word_that_the_list_does_not_have_is_worth_what_it_would_be() -> None:
    # CASATE at 8H: C 2, A 1, S 2, A 1, T 2, E 1 on no premium but 8L (double letter): T counts 4.
    assert doubt(Slip("CASATE", "8H", 11)) == ReviewFlag("word", 11)


def test_a_cross_word_is_in_doubt_like_the_word_itself() -> None:
    slip = Slip("RETE", "9H", 9)
    assert judged(slip).reason == "invalid_cross_word"
    assert doubt(slip).kind == "word"
    assert doubt(slip).points > 0


def test_a_wrong_place_is_in_doubt_only_when_the_score_fits_another_one() -> None:
    places = [Slip("ARTE", f"{column}{row}", None) for row in range(1, 16) for column in "ABCDEFGHIJKLMNO"]
    worth = next(verdict.points for verdict in map(judged, places) if verdict.result == "valid")
    assert doubt(Slip("ARTE", "1A", worth)) == ReviewFlag("place", worth)
    assert doubt(Slip("ARTE", "1A", 999)) == NO_FLAG
    assert doubt(Slip("ARTE", "1A", None)) == NO_FLAG


@pytest.mark.parametrize(
    "slip",
    [
        Slip("CASE", "8H", 5),  # another letter lies there, and nothing on the slip says more
        Slip("ZZZZ", "8H", 40),  # neither on the rack nor on the board
        Slip("", "", None),
    ],
)
def test_what_can_be_nothing_else_is_clear(slip: Slip) -> None:
    assert judged(slip).result == "zero"
    assert doubt(slip) == NO_FLAG


def test_counting_marks_and_the_clock_are_in_no_doubt() -> None:
    strict = BOX.with_switches(wrong_score="zero")
    right = next(place for place in ("I8", "J8", "K8", "H8") if judged(Slip("ARTE", place, None)).result == "valid")
    assert doubt(Slip("ARTE", right, None)) == NO_FLAG
    assert doubt(Slip("ARTE", right, 500), strict) == NO_FLAG
    assert doubt(Slip("ARTE", right, None, received="late")) == NO_FLAG


def test_a_slip_sent_in_time_and_received_late_is_in_doubt_if_the_rules_leave_it_to_the_judge() -> None:
    right = next(place for place in ("I8", "J8", "K8", "H8") if judged(Slip("ARTE", place, None)).result == "valid")
    delayed = Slip("ARTE", right, None, received="delayed")
    assert doubt(delayed) == ReviewFlag("delay", judged(replace(delayed, received="in_time")).points)
    for clear in (replace(delayed, received="late"), replace(delayed, ref="1A")):
        assert doubt(clear) == NO_FLAG
    assert doubt(delayed, BOX.with_switches(delayed_slip="zero")) == NO_FLAG
    assert judged(delayed, BOX.with_switches(delayed_slip="count")).result == "valid"


def test_a_slip_without_a_readable_word_is_in_doubt_with_nothing_at_stake() -> None:
    assert doubt(Slip("", "8H", 20)) == ReviewFlag("reading", 0)


def test_a_rescue_that_guesses_the_last_letter_is_in_doubt() -> None:
    slip, verdict = Slip("R", "10H", None), Verdict("rescued", "last_letter_missing", 7, 12)
    assert find_review_flag(slip, verdict, position(), FISF, WORDS) == ReviewFlag("rescue", 12)
    proved = Verdict("rescued", "rescued_by_score", 7, 12, details={"places": 1})
    assert find_review_flag(slip, proved, position(), FISF, WORDS) == NO_FLAG
    guessed = Verdict("rescued", "rescued_by_score", 7, 12, details={"places": 2})
    assert find_review_flag(slip, guessed, position(), FISF, WORDS) == ReviewFlag("rescue", 12)


def test_a_slip_is_drawn_as_it_is_written_with_every_word_that_it_forms() -> None:
    drawn = build_slip_diagram(Slip("REtE", "9H", 9), None, position().board, BOX, WORDS)
    assert drawn is not None
    assert drawn.new == ((8, 7), (8, 8), (8, 9), (8, 10))
    assert drawn.blanks == ((8, 9),)
    assert (drawn.in_the_way, drawn.beyond) == ((), 0)
    texts = [(word.text, word.is_allowed) for word in drawn.words]
    assert texts[0] == ("REtE", True)
    assert texts[1:] == [("CR", False), ("AE", False), ("St", False), ("AE", False)]


def test_a_letter_in_the_way_and_letters_beyond_the_edge_are_marked() -> None:
    clash = build_slip_diagram(Slip("CASE", "8H", 5), None, position().board, BOX, WORDS)
    assert clash is not None
    assert (clash.in_the_way, clash.new) == (((7, 10),), ())
    beyond = build_slip_diagram(Slip("RETE", "1N", 5), None, position().board, BOX, WORDS)
    assert beyond is not None
    assert (beyond.beyond, len(beyond.new)) == (2, 2)


def test_what_has_no_place_is_not_drawn() -> None:
    assert build_slip_diagram(Slip("RETE", "?", 5), None, position().board, BOX, WORDS) is None
    assert build_slip_diagram(Slip("", "8H", 5), None, position().board, BOX, WORDS) is None
    assert build_slip_diagram(Slip("日本", "8H", 5), None, position().board, BOX, WORDS) is None


def test_a_run_that_is_longer_than_the_written_word_is_drawn_whole() -> None:
    drawn = build_slip_diagram(Slip("ERA", "8L", 5), None, position().board, BOX, WORDS)
    assert drawn is not None
    assert [(word.text, word.is_allowed) for word in drawn.words] == [("CASAERA", False)]


def test_the_rule_is_quoted_with_its_value_and_its_source() -> None:
    wrong_place = judged(Slip("ARTE", "?", 5))
    assert quote_rule(wrong_place, BOX) == RuleQuote("A wrong reference: no points", BOX.source_of("wrong_reference"))
    no_word = quote_rule(judged(Slip("CASATE", "8H", 11)), BOX)
    assert no_word == RuleQuote("CASATE is not in the word list.", "box rules, Multiplo")
    assert quote_rule(Verdict("valid", None, 10, 10), BOX) is None
    warned = quote_rule(Verdict("valid", None, 10, 10, warnings=("score_wrong",)), CLUB)
    assert warned is not None
    assert warned.said.startswith("A wrong score: ")
    assert quote_rule(Verdict("zero", "judge", 0, None), BOX) is None
