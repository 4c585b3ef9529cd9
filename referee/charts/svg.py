"""Rendering of charts as SVG for pages.

Text stays text and colours are classes of charts.css with a fallback. There is no style attribute, because the content
security policy forbids it. The same chart always gives the same text.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from django.utils.safestring import SafeString, mark_safe

from referee.charts.colours import ON_PAPER
from referee.charts.shapes import Dot, Drawing, Ink, Line, Rect, Shape, Text, format_length


def render_svg(drawing: Drawing) -> SafeString:
    """Return the chart as inline SVG; screen readers read its title and description."""
    title, spoken = f"{drawing.name}-title", f"{drawing.name}-told"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" aria-labelledby="{title} {spoken}" '
        f'viewBox="0 0 {format_length(drawing.width)} {format_length(drawing.height)}">',
        f'<title id="{title}">{escape(drawing.title)}</title><desc id="{spoken}">{escape(drawing.description)}</desc>',
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
            through = " ".join(f"{format_length(x)},{format_length(y)}" for x, y in points)
            dashes = f' stroke-dasharray="{" ".join(map(format_length, dash))}"' if dash else ""
            look = f'fill="none" stroke="{ON_PAPER[ink]}" stroke-width="{format_length(width)}"{dashes}'
            return f'<polyline points="{through}" {look}{_classes(None, ink)}/>'
        case Dot(x, y, radius, fill):
            return f'<circle {_attributes(cx=x, cy=y, r=radius)} fill="{ON_PAPER[fill]}"{_classes(fill, None)}/>'
        case Text():
            return _text(shape)


def _text(text: Text) -> str:
    anchor = "" if text.anchor == "start" else f' text-anchor="{text.anchor}"'
    weight = ' font-weight="700"' if text.bold else ""
    at = f'x="{format_length(text.x)}" y="{format_length(text.y)}" font-size="{format_length(text.size)}"'
    look = f'fill="{ON_PAPER[text.ink]}"{_classes(text.ink, None)}'
    return f"<text {at}{anchor}{weight} {look}>{escape(text.text)}</text>"


def _attributes(**lengths: float) -> str:
    return " ".join(f'{name}="{format_length(length)}"' for name, length in lengths.items())


def _classes(fill: Ink | None, stroke: Ink | None) -> str:
    return f' class="{" ".join(_names(fill, stroke))}"'


def _names(fill: Ink | None, stroke: Ink | None) -> Iterable[str]:
    if fill is not None:
        yield f"f-{fill}"
    if stroke is not None:
        yield f"s-{stroke}"
