"""Arbitrary rows give a board, or a `BoardError` that names the invalid row."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board.board import EMPTY, Board, BoardError
from engine.board.coordinates import SIZE
from engine.tiles.edition import BLANK_BIT, Edition, edition_codes, load_edition
from tests.examples import examples

every_edition = pytest.mark.parametrize("code", edition_codes())
_quick = examples(60)


def _rows(edition: Edition) -> st.SearchStrategy[str]:
    """Rows that are nearly right: letters of the edition, brackets open and closed, dots, and anything."""
    faces = [face for letter in edition.letters for face in (letter, letter.lower(), f"[{letter}]", f"({letter})")]
    pieces = st.one_of(
        st.sampled_from([*faces, ".", ".", ".", "[", "]", "(", ")", "?", "·", " ", "\0"]), st.characters()
    )
    return st.one_of(st.just("." * SIZE), st.lists(pieces, min_size=13, max_size=16).map("".join), st.text(max_size=20))


def _board_or_told(edition: Edition, rows: list[str]) -> Board | str:
    try:
        return Board.parse(edition, rows)
    except BoardError as error:
        return str(error)


@every_edition
@_quick
@given(data=st.data())
def test_rows_are_a_board_or_a_board_error(code: str, data: st.DataObject) -> None:
    edition = load_edition(code)
    rows = data.draw(st.lists(_rows(edition), min_size=14, max_size=16) | st.lists(_rows(edition), max_size=2))
    board = _board_or_told(edition, rows)
    if isinstance(board, str):
        assert board.startswith(("a board has", "row "))
    else:
        assert len(rows) == SIZE
        assert Board.parse(edition, board.rows) == board


@every_edition
@_quick
@given(data=st.data())
def test_one_odd_row_among_good_ones_is_named(code: str, data: st.DataObject) -> None:
    edition = load_edition(code)
    at = data.draw(st.integers(0, SIZE - 1))
    rows = ["." * SIZE] * SIZE
    rows[at] = data.draw(_rows(edition))
    board = _board_or_told(edition, rows)
    if isinstance(board, str):
        assert board.startswith(f"row {at + 1}")
    else:
        assert [*board.rows[:at], *board.rows[at + 1 :]] == ["." * SIZE] * (SIZE - 1)


@every_edition
@_quick
@given(data=st.data())
def test_every_board_is_read_back_from_its_rows(code: str, data: st.DataObject) -> None:
    """Letters side by side that would be one tile, too: L and L where there is a tile LL."""
    edition = load_edition(code)
    squares = [EMPTY, *range(len(edition.letters)), *(letter | BLANK_BIT for letter in range(len(edition.letters)))]
    row = data.draw(st.lists(st.sampled_from(squares), min_size=SIZE, max_size=SIZE))
    board = Board(edition, bytes(row * SIZE))
    assert Board.parse(edition, board.rows) == board
