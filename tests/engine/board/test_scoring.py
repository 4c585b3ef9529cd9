"""Scores, by the examples that the boxes print and their rules."""

from __future__ import annotations

import pytest

from engine.board.board import Board
from engine.board.coordinates import Direction, Reference, parse_reference
from engine.board.scoring import formed_words, score_move
from engine.tiles.edition import Edition, load_edition

IT, CA = load_edition("it"), load_edition("ca")


def _after(edition: Edition, *moves: str) -> Board:
    """The board after moves such as "8D CORNO", in the notation of the edition."""
    board = Board.empty(edition)
    for move in moves:
        ref, word = move.split()
        board = board.with_word(parse_reference(ref, edition.across), edition.parse_word(word))
    return board


def _score(board: Board, move: str) -> int:
    ref, word = move.split()
    return score_move(board, parse_reference(ref, board.edition.across), board.edition.parse_word(word))


def _formed(board: Board, move: str) -> list[tuple[str, int]]:
    ref, word = move.split()
    reference, codes = parse_reference(ref, board.edition.across), board.edition.parse_word(word)
    return [(board.edition.word_text(one.codes), one.points) for one in formed_words(board, reference, codes)]


def test_the_first_word_of_the_italian_box() -> None:
    """Box rules, example A: CORNO with its last letter on the star, 22."""
    assert _score(Board.empty(IT), "8D CORNO") == 22


@pytest.mark.parametrize(
    ("before", "move", "printed"),
    [
        ((), "H5 TREN", 8),
        ((), "H3 ESTRENA", 66),
        (("H3 ESTRENA",), "H1 REESTRENAR", 30),
        (("H3 ESTRENA",), "5H TRES", 8),
        (("H3 ESTRENA",), "G7 MES", 17),
        (("H3 ESTRENA",), "10D MIRAR", 16),
    ],
)
def test_the_examples_of_the_catalan_manual(before: tuple[str, ...], move: str, printed: int) -> None:
    """Catalan manual, score of the first word, "Per un Scrabble", and the ways to form new words."""
    assert _score(_after(CA, *before), move) == printed


def test_the_words_of_a_parallel_move_are_scored_one_by_one() -> None:
    """Catalan manual: MES 7, ME 5, EN 2, SA 3; the letters in common count in each word with their premiums."""
    formed = _formed(_after(CA, "H3 ESTRENA"), "G7 MES")
    assert formed == [("MES", 7), ("ME", 5), ("EN", 2), ("SA", 3)]


def test_two_word_squares_multiply_each_other() -> None:
    """Catalan manual, 5: HUMILIA bridges two letters and covers two pink squares, 15 points four times."""
    bridge = Board.empty(CA)
    for col, letter in ((5, "U"), (7, "I")):
        bridge = bridge.with_word(Reference(4, col, Direction.ACROSS), CA.parse_word(letter))
    assert _score(bridge, "E5 HUMILIA") == 60


def test_two_red_squares_multiply_by_nine() -> None:
    """Box rules, 13: twice tripled. Eight letters of one point, one of them lying already; another on light blue."""
    board = Board.empty(IT).with_word(Reference(0, 4, Direction.DOWN), IT.parse_word("A"))
    assert _score(board, "1A AAAAAAAA") == 9 * (8 + 1) + 50


def test_letter_squares_count_before_word_squares() -> None:
    """Box rules, 13; tournament rules 1999, 3: G lies on light blue, the last letter on the star."""
    assert _score(Board.empty(IT), "8D GATTO") == 2 * (2 * 8 + 1 + 2 + 2 + 1)


def test_a_premium_counts_only_when_it_is_covered_for_the_first_time() -> None:
    """Box rules, 14: CROSTA lengthened by TA, as example C prints it: the star and the blue squares are spent."""
    board = _after(IT, "8D CORNO", "F6 FORME", "H6 CROSTA")
    assert _score(board, "H6 CROSTATA") == 15


def test_a_blank_has_no_value_but_lets_the_word_square_count() -> None:
    """Box rules, 15: on pink or red the word is multiplied, on light blue or blue nothing is."""
    assert _score(Board.empty(IT), "8D cORNo") == 2 * (0 + 1 + 2 + 3 + 0)


def test_a_blank_that_lies_is_worth_nothing_whatever_the_slip_says() -> None:
    board = _after(IT, "8D CORNo")
    assert _score(board, "H8 ORA") == 0 + 2 + 1


def test_the_premium_of_a_new_square_counts_in_both_words() -> None:
    """Box rules, 16, example E: BLU 11 x 2 and B + RICCO 13 x 2, 48."""
    board = _after(IT, "8D CORNO", "F6 FORME", "H6 CROSTATA", "6F FUCILE", "D5 RICCO")
    assert _formed(board, "4D BLU") == [("BLU", 22), ("BRICCO", 26)]


def test_seven_tiles_earn_fifty_after_all_premiums() -> None:
    """Box rules, 17. Letters that lie already are no tiles laid."""
    board = _after(IT, "8D CORNO")
    assert _score(Board.empty(IT), "8H AAAAAAA") == 2 * (7 + 1) + 50
    assert _score(board, "8D CORNOAAAAAA") == 2 + 1 + 2 + 3 + 1 + 6 + 1
    assert _score(board, "8D CORNOAAAAAAA") == 3 * (2 + 1 + 2 + 3 + 1 + 7 + 1) + 50


def test_bonuses_may_be_others() -> None:
    """7 of 8 and 7 and 8: the table says what each number of tiles earns."""
    bonuses = {7: 50, 8: 75}
    place = parse_reference("8H", IT.across)
    assert score_move(Board.empty(IT), place, IT.parse_word("AAAAAAA"), bonuses) == 66
    assert score_move(Board.empty(IT), place, IT.parse_word("AAAAAAAA"), bonuses) == 3 * 2 * (8 + 1) + 75


def test_a_single_tile_that_forms_two_words_scores_the_same_under_both_names() -> None:
    board = _after(IT, "8D CORN", "H9 RA")
    assert _formed(board, "8D CORNO") == [("CORNO", 18), ("ORA", 8)]
    assert _formed(board, "H8 ORA") == [("ORA", 8), ("CORNO", 18)]
    assert _score(board, "8D CORNO") == _score(board, "H8 ORA") == 26
