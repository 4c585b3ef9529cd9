"""Chart of a player's running total compared with the tops and with the mean of all players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from django.utils.translation import gettext as _

from referee.charts.shapes import NORMAL, SMALL, WIDTH, ChartTable, Dot, Drawing, Ink, Line, Point, Shape, Text
from tournaments.results.queries.analysis import PlayerLine

HEIGHT, HEAD, FOOT, RIGHT = 190.0, 14.0, 18.0, 92.0
_LEAST_APART = 13.0
LONGEST_NAME = 8


def progress_chart(line: PlayerLine, name: str) -> Drawing:
    """Draw totals after each turn: tops solid, the player with dots, the mean dashed; each named at its end."""
    most = max([*line.tops, *line.own, 1])
    tops, own, means = (_points(values, most) for values in (line.tops, line.own, line.means))
    shapes = [
        *_grid(line.turns, most),
        *_path(means, Ink.MEAN, 1.6, dash=(5.0, 4.0)),
        *_path(tops, Ink.TOP, 2.2),
        *_path(own, Ink.BAR, 2.2),
        *(Dot(x, y, 2.6, Ink.BAR) for x, y in own),
        *_names(line, most, name),
    ]
    return Drawing(
        name="way",
        title=_("%(name)s and the top") % {"name": name},
        description=_describe(line, name),
        height=HEAD + HEIGHT + FOOT,
        shapes=tuple(shapes),
        figures=_figures(line, name),
    )


def _describe(line: PlayerLine, name: str) -> str:
    facts = {
        "name": name,
        "total": line.own[-1] if line.own else 0,
        "tops": line.tops[-1] if line.tops else 0,
        "mean": line.means[-1] if line.means else 0,
    }
    return (
        _("%(name)s has %(total)d points; the tops add up to %(tops)d, and a player has %(mean)d on average.") % facts
    )


def _figures(line: PlayerLine, name: str) -> ChartTable:
    columns = (_("Turn"), name, _("Tops"), _("Mean"))
    values = zip(line.turns, line.own, line.tops, line.means, strict=True)
    return ChartTable(columns, tuple(tuple(map(str, row)) for row in values))


def _points(values: Sequence[int], most: int) -> list[Point]:
    """Return the points of a line from 0 before the first turn to the total after the last one."""
    step = (WIDTH - RIGHT) / max(len(values), 1)
    return [(step * at, _height_of(value, most)) for at, value in enumerate([0, *values])]


def _height_of(value: float, most: int) -> float:
    return HEAD + HEIGHT * (1 - value / most)


def _path(points: Sequence[Point], ink: Ink, width: float, dash: tuple[float, ...] = ()) -> Iterator[Shape]:
    if len(points) > 1:
        yield Line(tuple(points), ink, width, dash)


def _grid(turns: Sequence[int], most: int) -> Iterator[Shape]:
    """Draw lines at round totals and a label below every fifth turn."""
    width, base = WIDTH - RIGHT, HEAD + HEIGHT
    step = next(step for step in (20, 50, 100, 200, 500, 1000, 5000, 10**9) if most / step <= 6)
    for value in range(0, most + 1, step):
        y = _height_of(value, most)
        yield Line(((0.0, y), (width, y)), Ink.QUIET if value == 0 else Ink.RULE, 1.0 if value == 0 else 0.8)
        if value:
            yield Text(0.0, y - 2, str(value), SMALL, Ink.QUIET)
    for at, turn in enumerate(turns, 1):
        if turn % 5 == 0 or at == 1 or len(turns) <= 12:
            yield Text(width / len(turns) * at, base + FOOT - 5, str(turn), SMALL, Ink.QUIET, "middle")


def _names(line: PlayerLine, most: int, name: str) -> Iterator[Shape]:
    """Write the last total of each line at its end; move labels apart that would overlap."""
    if not line.turns:
        return
    ends = [
        (line.tops[-1], _("Top"), Ink.TOP),
        (line.own[-1], name, Ink.BAR),
        (line.means[-1], _("Mean"), Ink.MEAN),
    ]
    ends.sort(key=lambda end: -end[0])
    heights = [_height_of(end[0], most) + NORMAL / 3 for end in ends]
    for upper, lower in pairwise(range(len(ends))):
        heights[lower] = max(heights[lower], heights[upper] + _LEAST_APART)
    over = max(0.0, heights[-1] - (HEAD + HEIGHT + FOOT - 2))
    for (value, label, ink), y in zip(ends, heights, strict=True):
        shown = label if len(label) <= LONGEST_NAME else f"{label[: LONGEST_NAME - 1]}…"
        yield Text(WIDTH - RIGHT + 6, y - over, f"{shown} {value}", NORMAL, ink, bold=True)
