"""The premium squares of the standard board."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.board.premiums import SIZE, Premium, read_premiums, standard_layout


def test_the_standard_board_has_the_squares_that_the_tournament_rules_count() -> None:
    """Tournament rules 1999, 3: 17 pink, 8 red, 24 light blue, 12 blue."""
    counts = Counter(read_premiums())
    assert counts == {
        Premium(1, 2): 17,
        Premium(1, 3): 8,
        Premium(2, 1): 24,
        Premium(3, 1): 12,
        Premium(1, 1): SIZE * SIZE - 61,
    }


def test_the_standard_board_looks_the_same_from_all_four_sides() -> None:
    rows = standard_layout()
    turned = tuple("".join(column) for column in zip(*rows, strict=True))
    assert rows == rows[::-1] == turned


def test_the_centre_doubles_the_word_and_the_corners_triple_it() -> None:
    squares = read_premiums()
    assert squares[7 * SIZE + 7] == Premium(1, 2)
    assert [squares[at] for at in (0, 14, 210, 224)] == [Premium(1, 3)] * 4


@pytest.mark.parametrize("rows", [[], ["." * 15] * 14, ["." * 14] * 15, ["." * 14 + "x"] * 15])
def test_rows_that_are_no_board_are_refused(rows: list[str]) -> None:
    with pytest.raises(ValueError, match=r"^premiums must be 15 rows of 15 characters out of \. 2 3 d t$"):
        read_premiums(rows)
