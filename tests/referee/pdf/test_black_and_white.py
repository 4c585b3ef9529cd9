"""A board printed in black and white shows distinguishable premium squares and readable letters."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from reportlab.lib.colors import HexColor

from engine.board.board import Board
from engine.board.coordinates import SIZE, Notation
from engine.board.premiums import Premium
from engine.tiles.edition import load_edition
from referee.pdf.drawing.board import EDGES, FILLS, LARGEST, draw_board
from referee.pdf.drawing.premium_signs import premium_sign
from referee.pdf.drawing.sheet import INK, MARGIN, QUIET, Sheet
from tests.referee.pdf.pages import greys, pages_of

LEAST_CONTRAST = 4.5  # of small text, as for pages on a screen
SCALE = 4.0


def luminance(colour: HexColor) -> float:
    """Return the relative luminance of a colour."""
    parts = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in colour.rgb()]
    return float(0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2])


def contrast(one: HexColor, other: HexColor) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("premium", list(FILLS))
def test_the_sign_of_a_premium_square_can_be_read_on_it(premium: Premium) -> None:
    assert contrast(INK, FILLS[premium]) >= LEAST_CONTRAST


def test_quiet_text_can_be_read_on_paper() -> None:
    assert contrast(QUIET, HexColor("#ffffff")) >= LEAST_CONTRAST


def test_no_two_kinds_of_squares_look_alike_without_colours() -> None:
    """They always differ by sign, double and triple of a kind also by grey."""
    signs = [premium_sign(premium, 0, 1) for premium in FILLS]
    assert len(set(signs)) == len(FILLS)
    assert all(signs)
    for one, other in combinations(FILLS, 2):
        if (one.letter > 1) == (other.letter > 1):
            assert abs(luminance(FILLS[one]) - luminance(FILLS[other])) > 0.2


def test_the_printed_squares_have_these_greys() -> None:
    """Measured on the page, in the corner of each square, where there is no sign."""
    board = Board.empty(load_edition("it"))
    sheet = Sheet("Board", "", [], foot=[])
    top = sheet.y
    draw_board(sheet, board, Notation.NUMBER_FIRST, spoken="empty")
    page = greys(sheet.finish(), scale=SCALE)
    side = LARGEST if top - 20 * 72 / 25.4 >= LARGEST * EDGES else 0
    assert side, "the board fits at its largest"
    seen: dict[Premium, set[int]] = {}
    for place in range(SIZE * SIZE):
        row, col = divmod(place, SIZE)
        x, y = MARGIN + (col + 1.14) * side, sheet.page_height - top + (row + 1.14) * side
        grey = int(page[round(y * SCALE), round(x * SCALE)])
        seen.setdefault(board.edition.premiums[place], set()).add(grey)
    for premium, shades in seen.items():
        assert len(shades) == 1, premium
        if premium in FILLS:
            red, green, blue = (255 * part for part in FILLS[premium].rgb())
            assert shades.pop() == pytest.approx(0.299 * red + 0.587 * green + 0.114 * blue, abs=2)
        else:
            assert shades == {255}
    assert np.all(page[: round(4 * SCALE)] == 255)


def test_every_premium_square_of_the_board_carries_its_sign() -> None:
    board = Board.empty(load_edition("it"))
    sheet = Sheet("Board", "", [], foot=[])
    draw_board(sheet, board, Notation.NUMBER_FIRST, spoken="empty")
    [page] = pages_of(sheet.finish())
    for premium in FILLS:
        sign = premium_sign(premium, 0, 1)
        wanted = sum(each == premium for each in board.edition.premiums)
        assert sum(box.text == sign for box in page.boxes) == wanted - (premium == Premium(1, 2))  # the centre's star
    assert sum(box.text == "★" for box in page.boxes) == 1
