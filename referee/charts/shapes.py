"""What a chart is made of. Lengths are those of a phone's page; x runs to the right, y down.

A shape names what it stands for, not a colour: a page has light and dark ones, paper its own.
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
HEATS = 6


class Ink(StrEnum):
    """What a shape stands for; `HEAT_0` is nothing, `HEAT_5` most."""

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


@dataclass(frozen=True, slots=True)
class Rect:
    """A filled rectangle."""

    x: float
    y: float
    width: float
    height: float
    fill: Ink
    stroke: Ink | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A line through at least two points."""

    points: tuple[Point, ...]
    ink: Ink = Ink.RULE
    width: float = 1.0
    dash: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Dot:
    """A filled circle."""

    x: float
    y: float
    radius: float
    fill: Ink


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text on its base line."""

    x: float
    y: float
    text: str
    size: float = NORMAL
    ink: Ink = Ink.INK
    anchor: Anchor = "start"
    bold: bool = False


Shape = Rect | Line | Dot | Text


@dataclass(frozen=True, slots=True)
class Figures:
    """What a chart shows, as a table of texts."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A chart: `name` tells it apart on its page, `told` says in a sentence what can be seen."""

    name: str
    title: str
    told: str
    height: float
    shapes: tuple[Shape, ...]
    figures: Figures
    width: float = WIDTH


def hatched(x: float, y: float, width: float, height: float, ink: Ink, step: float = 5.0) -> Iterator[Shape]:
    """A rectangle with slanting lines, so that it differs without any colour."""
    yield Rect(x, y, width, height, Ink.HEAT_0, ink)
    start = step
    while start < width + height:
        low = max(0.0, start - height), min(start, height)
        high = min(start, width), max(0.0, start - width)
        yield Line(((x + low[0], y + low[1]), (x + high[0], y + high[1])), ink, 1.4)
        start += step


def number(value: float) -> str:
    """A length as it is written: two decimals at most, the same everywhere."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
