"""A chart as SVG for a page: text stays text, colours are classes of charts.css with a fallback, and there is no style
attribute, which the content policy forbids. The same chart gives the same text."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from django.utils.safestring import SafeString, mark_safe

from referee.charts.colours import ON_PAPER
from referee.charts.shapes import Dot, Drawing, Ink, Line, Rect, Shape, Text, number


def svg(drawing: Drawing) -> SafeString:
    """The drawing as inline SVG, read out by its title and what can be seen on it."""
    title, told = f"{drawing.name}-title", f"{drawing.name}-told"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" aria-labelledby="{title} {told}" '
        f'viewBox="0 0 {number(drawing.width)} {number(drawing.height)}">',
        f'<title id="{title}">{escape(drawing.title)}</title><desc id="{told}">{escape(drawing.told)}</desc>',
        *map(_shape, drawing.shapes),
        "</svg>",
    ]
    return mark_safe("".join(parts))  # noqa: S308  every text went through escape, the rest are numbers and classes


def _shape(shape: Shape) -> str:
    match shape:
        case Rect(x, y, width, height, fill, stroke):
            size = _attributes(x=x, y=y, width=width, height=height)
            edge = "" if stroke is None else f' stroke="{ON_PAPER[stroke]}"'
            return f'<rect {size} fill="{ON_PAPER[fill]}"{edge}{_classes(fill, stroke)}/>'
        case Line(points, ink, width, dash):
            through = " ".join(f"{number(x)},{number(y)}" for x, y in points)
            dashes = f' stroke-dasharray="{" ".join(map(number, dash))}"' if dash else ""
            look = f'fill="none" stroke="{ON_PAPER[ink]}" stroke-width="{number(width)}"{dashes}'
            return f'<polyline points="{through}" {look}{_classes(None, ink)}/>'
        case Dot(x, y, radius, fill):
            return f'<circle {_attributes(cx=x, cy=y, r=radius)} fill="{ON_PAPER[fill]}"{_classes(fill, None)}/>'
        case Text():
            return _text(shape)


def _text(text: Text) -> str:
    anchor = "" if text.anchor == "start" else f' text-anchor="{text.anchor}"'
    weight = ' font-weight="700"' if text.bold else ""
    at = f'x="{number(text.x)}" y="{number(text.y)}" font-size="{number(text.size)}"'
    look = f'fill="{ON_PAPER[text.ink]}"{_classes(text.ink, None)}'
    return f"<text {at}{anchor}{weight} {look}>{escape(text.text)}</text>"


def _attributes(**lengths: float) -> str:
    return " ".join(f'{name}="{number(length)}"' for name, length in lengths.items())


def _classes(fill: Ink | None, stroke: Ink | None) -> str:
    return f' class="{" ".join(_names(fill, stroke))}"'


def _names(fill: Ink | None, stroke: Ink | None) -> Iterable[str]:
    if fill is not None:
        yield f"f-{fill}"
    if stroke is not None:
        yield f"s-{stroke}"
