"""Signs of premium squares, on pages and on paper."""

from __future__ import annotations

from django.utils.translation import pgettext

from engine.board.coordinates import SIZE
from engine.board.premiums import Premium


def premium_sign(premium: Premium, row: int, col: int) -> str:
    """Return the sign of a premium square in the active language, a star for the centre, "" for a plain square."""
    if row == col == SIZE // 2:
        return "★"
    signs = {
        Premium(2, 1): pgettext("on a square: double letter", "2L"),
        Premium(3, 1): pgettext("on a square: triple letter", "3L"),
        Premium(1, 2): pgettext("on a square: double word", "2W"),
        Premium(1, 3): pgettext("on a square: triple word", "3W"),
    }
    return signs.get(premium, "")
