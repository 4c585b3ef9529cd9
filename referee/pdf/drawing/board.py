"""Drawing of a board, readable in black and white: premiums carry their sign, blanks have a ring."""

from __future__ import annotations

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm

from engine.board.board import EMPTY, Board
from engine.board.coordinates import SIZE, Notation, edge_labels
from engine.board.premiums import Premium
from engine.tiles.edition import BLANK_BIT, LETTER_MASK
from referee.pdf.drawing import fonts
from referee.pdf.drawing.premium_signs import premium_sign
from referee.pdf.drawing.sheet import INK, MARGIN, QUIET, RULE, Sheet

LARGEST, SMALLEST = 7.6 * mm, 5.2 * mm
EDGES = SIZE + 1.2  # in squares, with the coordinates at the edge
FILLS = {
    Premium(2, 1): HexColor("#d6ebf5"),
    Premium(3, 1): HexColor("#93c3dd"),
    Premium(1, 2): HexColor("#f9dcda"),
    Premium(1, 3): HexColor("#ea9d96"),
}
_TILE, _WHITE = HexColor("#fbf1d3"), HexColor("#ffffff")


def draw_board(sheet: Sheet, board: Board, notation: Notation, *, spoken: str = "") -> None:
    """Draw the board below the current position: smaller if that saves a page, else on a new page.

    `spoken` is its text for screen readers.
    """
    side = max(SMALLEST, min(LARGEST, sheet.height_left / EDGES))
    if sheet.need(side * EDGES):
        side = LARGEST
    draw_board_at(sheet, board, notation, MARGIN, side, spoken=spoken)


def draw_board_at(sheet: Sheet, board: Board, notation: Notation, left: float, side: float, *, spoken: str) -> None:
    """Draw the board below the current position, from `left` on, with squares of this size."""
    with sheet.canvas.tagged("Figure", spoken):
        _draw(sheet, board, notation, left, side)
    sheet.y -= side * EDGES


def _draw(sheet: Sheet, board: Board, notation: Notation, left: float, side: float) -> None:
    top = sheet.y
    rows, cols = edge_labels(notation)
    sheet.canvas.saveState()
    for i in range(SIZE):
        sheet.centred(left + (i + 1.5) * side, top - 0.72 * side, cols[i], fonts.BOLD, side * 0.32, QUIET)
        sheet.centred(left + 0.5 * side, top - (i + 1.62) * side, rows[i], fonts.BOLD, side * 0.32, QUIET)
        for col in range(SIZE):
            _square(sheet, board, (i, col), (left + (col + 1) * side, top - (i + 2) * side), side)
    sheet.canvas.setStrokeColor(INK)
    sheet.canvas.setLineWidth(1)
    sheet.canvas.rect(left + side, top - (SIZE + 1) * side, SIZE * side, SIZE * side, stroke=1, fill=0)
    sheet.canvas.restoreState()


def _square(sheet: Sheet, board: Board, at: tuple[int, int], corner: tuple[float, float], side: float) -> None:
    (row, col), (x, y) = at, corner
    code = board.at(row, col)
    premium = board.edition.premiums[row * SIZE + col]
    sheet.canvas.setStrokeColor(RULE)
    sheet.canvas.setLineWidth(0.4)
    sheet.canvas.setFillColor(FILLS.get(premium, _WHITE) if code == EMPTY else _WHITE)
    sheet.canvas.rect(x, y, side, side, stroke=1, fill=1)
    if code != EMPTY:
        _tile(sheet, board, code, corner, side)
    elif sign := premium_sign(premium, row, col):
        sheet.centred(x + side / 2, y + side * 0.39, sign, fonts.REGULAR, side * 0.3)


def _tile(sheet: Sheet, board: Board, code: int, corner: tuple[float, float], side: float) -> None:
    x, y = corner
    face = board.edition.letters[code & LETTER_MASK]
    size = side * (0.54 if len(face) == 1 else 0.34)
    sheet.canvas.setStrokeColor(INK)
    sheet.canvas.setLineWidth(0.5)
    sheet.canvas.setFillColor(_TILE)
    sheet.canvas.roundRect(x + 0.7, y + 0.7, side - 1.4, side - 1.4, side * 0.1, stroke=1, fill=1)
    if code & BLANK_BIT:
        sheet.canvas.circle(x + side / 2, y + side / 2, side * 0.38, stroke=1, fill=0)
    else:
        value, small = str(board.edition.values[code]), side * 0.2
        sheet.right(x + side * 0.9, y + side * 0.12, value, fonts.REGULAR, small)
    shown = x + side * (0.5 if code & BLANK_BIT else 0.47)
    sheet.centred(shown, y + side * 0.5 - size * 0.36, face, fonts.BOLD, size)
