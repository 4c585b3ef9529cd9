"""A board on paper, readable in black and white: premiums carry their sign, blanks stand in a ring."""

from __future__ import annotations

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm

from engine.board import EMPTY, Board
from engine.coords import SIZE, Notation, edge_labels
from engine.edition import BLANK_BIT, LETTER_MASK
from engine.premiums import Premium
from referee.pdf import fonts
from referee.pdf.sheet import INK, MARGIN, QUIET, RULE, Sheet
from referee.premium_signs import premium_sign

LARGEST, SMALLEST = 7.6 * mm, 5.2 * mm
_FILLS = {
    Premium(2, 1): HexColor("#dbeef6"),
    Premium(3, 1): HexColor("#9cc9e0"),
    Premium(1, 2): HexColor("#f8dedd"),
    Premium(1, 3): HexColor("#eda7a1"),
}
_TILE = HexColor("#fbf3dc")


def draw_board(sheet: Sheet, board: Board, notation: Notation) -> None:
    """Draw the board below what stands on the sheet: smaller where that saves a page, else on a new one."""
    side = max(SMALLEST, min(LARGEST, sheet.height_left / (SIZE + 1.5)))
    if sheet.need(side * (SIZE + 1.5)):
        side = LARGEST
    left, top = MARGIN, sheet.y
    rows, cols = edge_labels(notation)
    for i in range(SIZE):
        _centred(sheet, cols[i], left + (i + 1.5) * side, top - 0.65 * side, side * 0.34)
        _centred(sheet, rows[i], left + 0.5 * side, top - (i + 1.62) * side, side * 0.34)
        for col in range(SIZE):
            _square(sheet, board, (i, col), (left + (col + 1) * side, top - (i + 2) * side), side)
    sheet.y -= side * (SIZE + 1.5)


def _square(sheet: Sheet, board: Board, at: tuple[int, int], corner: tuple[float, float], side: float) -> None:
    (row, col), (x, y) = at, corner
    code = board.at(row, col)
    premium = board.edition.premiums[row * SIZE + col]
    sheet.canvas.setStrokeColor(RULE)
    sheet.canvas.setLineWidth(0.4)
    sheet.canvas.setFillColor(_TILE if code != EMPTY else _FILLS.get(premium, HexColor("#ffffff")))
    sheet.canvas.rect(x, y, side, side, stroke=1, fill=1)
    if code == EMPTY:
        _centred(sheet, premium_sign(premium, row, col), x + side / 2, y + side * 0.38, side * 0.26)
    else:
        _tile(sheet, board, code, corner, side)


def _tile(sheet: Sheet, board: Board, code: int, corner: tuple[float, float], side: float) -> None:
    x, y = corner
    face = board.edition.letters[code & LETTER_MASK]
    size = side * (0.54 if len(face) == 1 else 0.34)
    sheet.canvas.setStrokeColor(INK)
    sheet.canvas.setLineWidth(0.7)
    if code & BLANK_BIT:
        sheet.canvas.circle(x + side / 2, y + side / 2, side * 0.42, stroke=1, fill=0)
    else:
        value, small = str(board.edition.values[code]), side * 0.2
        right = x + side * 0.93 - fonts.width(value, fonts.REGULAR, small)
        sheet.text(right, y + side * 0.08, value, fonts.REGULAR, small)
    shown = x + side / 2 - fonts.width(face, fonts.BOLD, size) / 2
    sheet.text(shown, y + side * 0.5 - size * 0.36, face, fonts.BOLD, size)


def _centred(sheet: Sheet, text: str, x: float, y: float, size: float) -> None:
    sheet.text(x - fonts.width(text, fonts.REGULAR, size) / 2, y, text, fonts.REGULAR, size, QUIET)
