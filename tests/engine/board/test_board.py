"""The board."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board.board import EMPTY, Board, BoardError, squares_of
from engine.board.coordinates import Direction, Notation, Reference, parse_reference
from engine.board.move import Move
from engine.tiles.edition import BLANK_BIT, load_edition

IT, CA = load_edition("it"), load_edition("ca")
CORNO = Reference(7, 3, Direction.ACROSS)


def _rows(**rows: str) -> list[str]:
    """15 rows, those named r1 ... r15 as given, the others empty."""
    return [rows.get(f"r{number}", "." * 15) for number in range(1, 16)]


def test_a_new_board_is_empty() -> None:
    board = Board.empty(IT)
    assert board.is_empty
    assert board.rows == ["." * 15] * 15
    assert board.tiles.total == 0


def test_a_word_is_laid_without_touching_the_board_before() -> None:
    before = Board.empty(IT)
    after = before.with_word(CORNO, IT.parse_word("CORNo"))
    assert after.rows[7] == "...CORNo......."
    assert before.is_empty
    assert not after.is_empty
    assert after.tiles.text == "?CNOR"


def test_what_lies_stays_as_it_is() -> None:
    """The case of a letter that lies already does not count: the real O is not turned into a blank."""
    board = Board.empty(IT).with_word(CORNO, IT.parse_word("CORNO"))
    longer = board.with_word(Reference(7, 7, Direction.DOWN), IT.parse_word("oRA"))
    assert [row[7] for row in longer.rows[7:10]] == ["O", "R", "A"]


def test_digraph_tiles_are_one_square() -> None:
    rows = _rows(r8="...CO[L·L]EGI......", r9="...[ny]...........")
    board = Board.parse(CA, rows)
    assert board.rows == rows
    assert board.at(8, 3) == CA.letter("NY") | BLANK_BIT


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([], "a board has 15 rows, not 0"),
        (["." * 15] * 16, "a board has 15 rows, not 16"),
        (_rows(r3="." * 14), "row 3 has 14 squares instead of 15"),
        (_rows(r15="." * 16), "row 15 has 16 squares instead of 15"),
        (_rows(r1="." * 14 + "😀"), "row 1: '😀' is not a letter of the edition it"),
        (_rows(r1="." * 14 + "?"), "row 1: '?' is not a letter of the edition it"),
    ],
)
def test_rows_that_are_no_board_are_refused(rows: list[str], text: str) -> None:
    with pytest.raises(BoardError) as refused:
        Board.parse(IT, rows)
    assert str(refused.value) == text


@given(st.lists(st.integers(0, 30), min_size=225, max_size=225), st.sets(st.integers(0, 224)))
def test_what_is_written_is_read_back(numbers: list[int], blanks: set[int]) -> None:
    letters = len(CA.letters)
    squares = bytes(
        EMPTY if number >= letters else number | (BLANK_BIT if at in blanks else 0) for at, number in enumerate(numbers)
    )
    board = Board(CA, squares)
    assert Board.parse(CA, board.rows) == board


def test_squares_off_the_board_are_empty() -> None:
    full = Board(IT, bytes(225))
    assert [full.at(*square) for square in ((-1, 0), (0, -1), (15, 0), (0, 15))] == [EMPTY] * 4


def test_the_run_through_a_square_is_counted_on_both_sides() -> None:
    board = Board.parse(IT, _rows(r8="...CO.NO......."))
    assert board.run_through(7, 5, Direction.ACROSS) == (2, 2)
    assert board.run_through(7, 5, Direction.DOWN) == (0, 0)
    assert board.run_through(7, 2, Direction.ACROSS) == (0, 2)


def test_the_squares_of_a_word_may_lie_off_the_board() -> None:
    assert list(squares_of(Reference(14, 3, Direction.DOWN), 2)) == [(14, 3), (15, 3)]


def test_a_move_knows_its_texts_and_the_tiles_that_it_lays() -> None:
    board = Board.empty(IT).with_word(CORNO, IT.parse_word("CORNO"))
    move = Move(parse_reference("H8", Notation.NUMBER_FIRST), IT.parse_word("OrA"), 3)
    assert move.word_text(IT) == "OrA"
    assert (move.reference_text(Notation.NUMBER_FIRST), move.reference_text(Notation.LETTER_FIRST)) == ("H8", "8H")
    assert move.direction is Direction.DOWN
    assert move.laid(board).text == "?A"


def test_letters_that_lie_apart_are_not_the_tile_that_they_spell() -> None:
    """Spanish C beside H, as cross words may bring them; the tile CH stands in brackets."""
    es = load_edition("es")
    rows = ["." * 15] * 7 + ["CH[CH]lL" + "." * 10] + ["." * 15] * 7
    board = Board.parse(es, rows)
    assert [es.face(board.at(7, col)) for col in range(5)] == ["C", "H", "CH", "l", "L"]
    assert board.rows[7].startswith("[C]H[CH][l]L.")
    assert Board.parse(es, board.rows) == board
