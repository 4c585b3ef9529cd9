"""Chart of a member's percent of the top, evening by evening, beside the mean of the club."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _

from referee.charts.shapes import NORMAL, ChartTable, Dot, Drawing, Ink, Line, Shape, Text
from referee.formats.texts import format_date, format_percent, format_short_month

HEIGHT, HEAD, FOOT, LEFT, EDGE = 150.0, 14.0, 34.0, 36.0, 14.0
STEP = 10
LABEL_WIDTH = 38.0
POINT, WON, WON_EDGE = 3.5, 4.2, 6.0


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening of a member; `club` is the mean of the players."""

    day: date
    percent: float
    club: float | None
    is_won: bool


def evenings_chart(evenings: Sequence[Evening], *, name: str, width: float) -> Drawing:
    """Draw the percentages as a line, evenings won as gold dots, the mean of the club dashed."""
    values = [each.percent for each in evenings] + [each.club for each in evenings if each.club is not None]
    low, high = _bounds(values)
    xs = _columns(len(evenings), width)

    def height_of(value: float) -> float:
        return HEAD + HEIGHT * (high - value) / (high - low)

    own = [(x, height_of(each.percent)) for x, each in zip(xs, evenings, strict=True)]
    club = [(x, height_of(each.club)) for x, each in zip(xs, evenings, strict=True) if each.club is not None]
    shapes: list[Shape] = [
        *_grid(low, high, width),
        *([Line(tuple(club), Ink.MEAN, 1.4, (5.0, 4.0))] if len(club) > 1 else []),
        *([Line(tuple(own), Ink.ACCENT, 2.5)] if len(own) > 1 else []),
        *(dot for (x, y), each in zip(own, evenings, strict=True) for dot in _dots(x, y, is_won=each.is_won)),
        *_days(evenings, xs),
    ]
    return Drawing(
        name=name,
        title=_("Percent of the top, evening by evening"),
        description=_describe(evenings),
        height=HEAD + HEIGHT + FOOT,
        shapes=tuple(shapes),
        figures=_figures(evenings),
        width=width,
    )


def _bounds(values: Sequence[float]) -> tuple[int, int]:
    """Return the multiples of ten below and above all values."""
    low, high = math.floor(min(values) / STEP) * STEP, math.ceil(max(values) / STEP) * STEP
    return low, max(high, low + STEP)


def _columns(number: int, width: float) -> list[float]:
    first, last = LEFT + EDGE, width - EDGE - 6
    step = (last - first) / max(number - 1, 1)
    return [first + step * at for at in range(number)]


def _grid(low: int, high: int, width: float) -> Iterator[Shape]:
    step = STEP * max(1, -(-(high - low) // (5 * STEP)))
    for value in range(low, high + 1, step):
        y = HEAD + HEIGHT * (high - value) / (high - low)
        yield Line(((LEFT + 2, y), (width, y)), Ink.RULE)
        yield Text(LEFT - 4, y + NORMAL / 3, format_percent(value, 0), NORMAL, Ink.QUIET, "end")


def _dots(x: float, y: float, *, is_won: bool) -> Iterator[Shape]:
    if is_won:
        yield Dot(x, y, WON_EDGE, Ink.WIN_EDGE)
        yield Dot(x, y, WON, Ink.WIN)
    else:
        yield Dot(x, y, POINT, Ink.ACCENT)


def _days(evenings: Sequence[Evening], xs: Sequence[float]) -> Iterator[Shape]:
    """Write the days below the points that have room, and the month where it changes."""
    foot, free, month = HEAD + HEIGHT + 16, float("-inf"), 0
    for each, x in zip(evenings, xs, strict=True):
        if x < free:
            continue
        yield Text(x, foot, str(each.day.day), NORMAL, Ink.QUIET, "middle")
        if each.day.month != month:
            yield Text(x, foot + 13, format_short_month(each.day), NORMAL, Ink.QUIET, "middle")
        free, month = x + LABEL_WIDTH, each.day.month


def _describe(evenings: Sequence[Evening]) -> str:
    best = max(evenings, key=lambda each: each.percent)
    facts = {
        "first": format_percent(evenings[0].percent),
        "last": format_percent(evenings[-1].percent),
        "best": format_percent(best.percent),
        "day": format_date(best.day),
    }
    return _("From %(first)s to %(last)s; the best evening was %(day)s with %(best)s.") % facts


def _figures(evenings: Sequence[Evening]) -> ChartTable:
    rows = [(format_date(each.day), format_percent(each.percent), format_percent(each.club)) for each in evenings]
    return ChartTable((_("Date"), _("Percent"), _("Mean of the players")), tuple(rows))
