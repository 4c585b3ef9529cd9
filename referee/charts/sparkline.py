"""Small chart of a member's last events in a row of a table: a line with gaps where the member was absent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from django.utils.translation import gettext as _

from referee.charts.shapes import ChartTable, Dot, Drawing, Ink, Line, Point, Shape
from referee.formats.texts import format_percent

WIDTH, HEIGHT, EDGE = 112.0, 32.0, 4.0
LEAST_SPAN = 15.0
ABSENT = "–"


def sparkline(name: str, percents: Sequence[float | None]) -> Drawing:
    """Draw percents of the top, the oldest first; None is an event that the member missed.

    The height of the line shows at least 15 points of percent, so that small differences look small.
    """
    points = _points(percents)
    played = [point for point in points if point is not None]
    shapes: list[Shape] = []
    if len(played) > 1:
        shapes.append(Line(tuple(played), Ink.BAR, 1.0, (2.0, 3.0)))
    shapes += _segments(points)
    if played:
        shapes.append(Dot(*played[-1], 3.25, Ink.BAR))
    return Drawing(
        name=name,
        title=_("Percent of the top, last %(n)d events") % {"n": len(percents)},
        description=", ".join(ABSENT if each is None else format_percent(each, 0) for each in percents),
        height=HEIGHT,
        shapes=tuple(shapes),
        figures=ChartTable((), ()),
        width=WIDTH,
    )


def _points(percents: Sequence[float | None]) -> list[Point | None]:
    known = [each for each in percents if each is not None]
    middle = (max(known) + min(known)) / 2 if known else 0.0
    span = max(LEAST_SPAN, max(known) - min(known)) if known else LEAST_SPAN
    step = (WIDTH - 2 * EDGE) / max(1, len(percents) - 1)
    first = 0.0 if len(percents) > 1 else (WIDTH - 2 * EDGE) / 2
    return [
        None if each is None else (EDGE + first + at * step, HEIGHT / 2 - (each - middle) / span * (HEIGHT - 2 * EDGE))
        for at, each in enumerate(percents)
    ]


def _segments(points: Sequence[Point | None]) -> Iterator[Line]:
    """Yield a line for each run of events without a gap."""
    run: list[Point] = []
    for point, following in pairwise([*points, None]):
        if point is not None:
            run.append(point)
        if following is None or point is None:
            if len(run) > 1:
                yield Line(tuple(run), Ink.BAR, 2.0)
            run = []
