"""Heat map of the squares on which players placed tiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from django.utils.translation import gettext as _

from engine.board.coordinates import SIZE, Notation, edge_labels
from referee.charts.shapes import HEAT_LEVELS, WIDTH, ChartTable, Drawing, Ink, Rect, Shape, Text

EDGE = 18.0
SIDE = (WIDTH - EDGE) / SIZE
_LEVELS = [Ink(f"heat{level}") for level in range(HEAT_LEVELS)]
_DARK = HEAT_LEVELS - 2


def heat_chart(heat: Sequence[Sequence[int]], notation: str) -> Drawing:
    """Draw the board: the more tiles on a square, the darker and higher its number (percent of the maximum)."""
    rows, columns = edge_labels(Notation(notation))
    most = max(chain.from_iterable(heat), default=0)
    shapes = [
        *(_label(EDGE + (at + 0.5) * SIDE, EDGE - 6, column) for at, column in enumerate(columns)),
        *(_label(EDGE / 2 - 2, EDGE + (at + 0.5) * SIDE + 3, row) for at, row in enumerate(rows)),
        *chain.from_iterable(_square(heat[row][col], most, row, col) for row in range(SIZE) for col in range(SIZE)),
    ]
    return Drawing(
        name="heat",
        title=_("Where tiles were laid (most: 100)"),
        description=_describe(heat, most, rows, columns),
        height=EDGE + SIZE * SIDE + 1,
        shapes=tuple(shapes),
        figures=ChartTable(("", *columns), tuple((rows[row], *map(str, heat[row])) for row in range(SIZE))),
    )


def _label(x: float, y: float, text: str) -> Text:
    return Text(x, y, text, 9, Ink.QUIET, "middle")


def _square(count: int, most: int, row: int, col: int) -> Iterator[Shape]:
    x, y = EDGE + col * SIDE, EDGE + row * SIDE
    percent = round(100 * count / most) if most else 0
    level = 0 if not count else min(HEAT_LEVELS - 1, 1 + percent * (HEAT_LEVELS - 1) // 101)
    yield Rect(x, y, SIDE, SIDE, _LEVELS[level], Ink.RULE)
    if count:
        ink = Ink.ON_HEAT if level >= _DARK else Ink.INK
        yield Text(x + SIDE / 2, y + SIDE / 2 + 3, str(percent), 8.5, ink, "middle")


def _describe(heat: Sequence[Sequence[int]], most: int, rows: Sequence[str], columns: Sequence[str]) -> str:
    if not most:
        return _("No tile was laid yet.")
    row, col = next((row, col) for row in range(SIZE) for col in range(SIZE) if heat[row][col] == most)
    return _("Most tiles were laid in row %(row)s, column %(column)s.") % {"row": rows[row], "column": columns[col]}
