"""Vertical and horizontal bars with their values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.charts.shapes import NORMAL, SMALL, WIDTH, Ink, Line, Rect, Shape, Text, hatch_rectangle

UPRIGHT_HEIGHT, FOOT, HEAD = 140.0, 18.0, 16.0
ROW, GAP, VALUE_ROOM = 31.0, 4.0, 44.0
MOST_LABELLED = 16
TICK = 5
LONGEST_LABEL = 42


@dataclass(frozen=True, slots=True)
class Bar:
    """Bar of a chart.

    `size` is its length relative to the longest possible bar, from 0 to 1. `value` is written at its end. A `marked`
    bar is hatched.
    """

    label: str
    value: str
    size: float
    marked: bool = False


def draw_vertical_bars(bars: Sequence[Bar]) -> tuple[float, list[Shape]]:
    """Return (height, shapes) of bars side by side.

    If there are many, only the first and every fifth bar have labels.
    """
    base = HEAD + UPRIGHT_HEIGHT
    step = WIDTH / max(len(bars), 1)
    shapes: list[Shape] = []
    for at, bar in enumerate(bars):
        width = min(step * 0.8, 44.0)
        x, height = at * step + (step - width) / 2, bar.size * UPRIGHT_HEIGHT
        shapes += _bar(x, base - height, width, height, marked=bar.marked)
        shapes += _labels(bar, x + width / 2, base, height, labelled=_has_label(bars, at))
    shapes.append(Line(((0.0, base), (WIDTH, base)), Ink.QUIET))
    return base + FOOT, shapes


def draw_horizontal_bars(bars: Sequence[Bar]) -> tuple[float, list[Shape]]:
    """Return (height, shapes) of bars below each other, each under its label."""
    shapes: list[Shape] = []
    for at, bar in enumerate(bars):
        y = at * ROW
        shapes.append(Text(0.0, y + NORMAL, shorten_label(bar.label)))
        width = max(1.0, bar.size * (WIDTH - VALUE_ROOM))
        shapes += _bar(0.0, y + NORMAL + GAP, width, ROW - NORMAL - 3 * GAP, marked=bar.marked)
        shapes.append(Text(width + GAP, y + ROW - 2 * GAP + 1.5, bar.value, NORMAL, bold=True))
    return len(bars) * ROW, shapes


def shorten_label(text: str) -> str:
    """Shorten a label so that it fits above its bar."""
    return text if len(text) <= LONGEST_LABEL else f"{text[: LONGEST_LABEL - 1]}…"


def _bar(x: float, y: float, width: float, height: float, *, marked: bool) -> Iterator[Shape]:
    if height <= 0:
        return
    if marked:
        yield from hatch_rectangle(x, y, width, height, Ink.TOP)
    else:
        yield Rect(x, y, width, height, Ink.BAR)


def _has_label(bars: Sequence[Bar], at: int) -> bool:
    """Return True if a bar has a label and a value: all of a few bars, every fifth of many."""
    return len(bars) <= MOST_LABELLED or at == 0 or (at + 1) % TICK == 0


def _labels(bar: Bar, x: float, base: float, height: float, *, labelled: bool) -> Iterator[Shape]:
    if labelled:
        yield Text(x, base + FOOT - 5, bar.label, SMALL, Ink.QUIET, "middle")
        yield Text(x, base - height - 4, bar.value, SMALL, Ink.INK, "middle", bold=True)
