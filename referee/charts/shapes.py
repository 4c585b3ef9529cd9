"""Shapes of a chart.

Lengths are in the CSS pixels of a phone's page; x points to the right, y down. A shape has a role (`Ink`) instead of a
colour, because light pages, dark pages and paper have different colours.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

Anchor = Literal["start", "middle", "end"]
Point = tuple[float, float]
WIDTH = 320.0
SMALL, NORMAL = 9.5, 11.0
HEAT_LEVELS = 6


class Ink(StrEnum):
    """Role of a shape; `HEAT_0` is none, `HEAT_5` the most, `WIN` an evening that was won."""

    INK = "ink"
    QUIET = "quiet"
    RULE = "rule"
    BAR = "bar"
    TOP = "top"
    MEAN = "mean"
    HEAT_0 = "heat0"
    HEAT_1 = "heat1"
    HEAT_2 = "heat2"
    HEAT_3 = "heat3"
    HEAT_4 = "heat4"
    HEAT_5 = "heat5"
    ON_HEAT = "onheat"
    ACCENT = "accent"
    WIN = "win"
    WIN_EDGE = "winedge"


@dataclass(frozen=True, slots=True)
class Rect:
    """Filled rectangle."""

    x: float
    y: float
    width: float
    height: float
    fill: Ink
    stroke: Ink | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """Line through at least two points."""

    points: tuple[Point, ...]
    ink: Ink = Ink.RULE
    width: float = 1.0
    dash: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Dot:
    """Filled circle."""

    x: float
    y: float
    radius: float
    fill: Ink


@dataclass(frozen=True, slots=True)
class Text:
    """Line of text on its baseline."""

    x: float
    y: float
    text: str
    size: float = NORMAL
    ink: Ink = Ink.INK
    anchor: Anchor = "start"
    bold: bool = False


Shape = Rect | Line | Dot | Text


@dataclass(frozen=True, slots=True)
class ChartTable:
    """Figures of a chart, as a table of texts."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """Chart.

    `name` identifies it on its page; `description` says in a sentence what it shows.
    """

    name: str
    title: str
    description: str
    height: float
    shapes: tuple[Shape, ...]
    figures: ChartTable
    width: float = WIDTH


def hatch_rectangle(x: float, y: float, width: float, height: float, ink: Ink, step: float = 5.0) -> Iterator[Shape]:
    """Yield a hatched rectangle, which is recognisable without colours."""
    yield Rect(x, y, width, height, Ink.HEAT_0, ink)
    start = step
    while start < width + height:
        low = max(0.0, start - height), min(start, height)
        high = min(start, width), max(0.0, start - width)
        yield Line(((x + low[0], y + low[1]), (x + high[0], y + high[1])), ink, 1.4)
        start += step


def format_length(value: float) -> str:
    """Format a length with at most two decimals, independent of the language."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
