"""Bars, upright or lying, with their values beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.charts.shapes import NORMAL, SMALL, WIDTH, Ink, Line, Rect, Shape, Text, hatched

UPRIGHT_HEIGHT, FOOT, HEAD = 140.0, 18.0, 16.0
ROW, GAP, VALUE_ROOM = 31.0, 4.0, 44.0
MOST_LABELLED = 16
TICK = 5
LONGEST_LABEL = 42


@dataclass(frozen=True, slots=True)
class Bar:
    """`size` in parts of the longest bar that there may be; `value` is written at its end. A marked one is hatched."""

    label: str
    value: str
    size: float
    marked: bool = False


def upright(bars: Sequence[Bar]) -> tuple[float, list[Shape]]:
    """(height, shapes) of bars that stand beside each other. Of many every fifth is labelled, and the outermost."""
    base = HEAD + UPRIGHT_HEIGHT
    step = WIDTH / max(len(bars), 1)
    shapes: list[Shape] = []
    for at, bar in enumerate(bars):
        width = min(step * 0.8, 44.0)
        x, height = at * step + (step - width) / 2, bar.size * UPRIGHT_HEIGHT
        shapes += _bar(x, base - height, width, height, marked=bar.marked)
        shapes += _labels(bar, x + width / 2, base, height, told=_is_told(bars, at))
    shapes.append(Line(((0.0, base), (WIDTH, base)), Ink.QUIET))
    return base + FOOT, shapes


def lying(bars: Sequence[Bar]) -> tuple[float, list[Shape]]:
    """(height, shapes) of bars below each other, each under its label."""
    shapes: list[Shape] = []
    for at, bar in enumerate(bars):
        y = at * ROW
        shapes.append(Text(0.0, y + NORMAL, shortened(bar.label)))
        width = max(1.0, bar.size * (WIDTH - VALUE_ROOM))
        shapes += _bar(0.0, y + NORMAL + GAP, width, ROW - NORMAL - 3 * GAP, marked=bar.marked)
        shapes.append(Text(width + GAP, y + ROW - 2 * GAP + 1.5, bar.value, NORMAL, bold=True))
    return len(bars) * ROW, shapes


def shortened(text: str) -> str:
    """A label that fits over its bar."""
    return text if len(text) <= LONGEST_LABEL else f"{text[: LONGEST_LABEL - 1]}…"


def _bar(x: float, y: float, width: float, height: float, *, marked: bool) -> Iterator[Shape]:
    if height <= 0:
        return
    if marked:
        yield from hatched(x, y, width, height, Ink.TOP)
    else:
        yield Rect(x, y, width, height, Ink.BAR)


def _is_told(bars: Sequence[Bar], at: int) -> bool:
    """Whether a bar has its label and its value: all of few, of many those that can be read."""
    return len(bars) <= MOST_LABELLED or at == 0 or (at + 1) % TICK == 0


def _labels(bar: Bar, x: float, base: float, height: float, *, told: bool) -> Iterator[Shape]:
    if told:
        yield Text(x, base + FOOT - 5, bar.label, SMALL, Ink.QUIET, "middle")
        yield Text(x, base - height - 4, bar.value, SMALL, Ink.INK, "middle", bold=True)
