"""Charts in templates."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString

from referee.charts.shapes import Drawing
from referee.charts.svg import render_svg as svg_of

register = template.Library()


@register.inclusion_tag("charts/_chart.html")
def chart(drawing: Drawing) -> dict[str, object]:
    """Return a chart with its caption and its table."""
    return {"chart": drawing}


@register.filter
def svg(drawing: Drawing) -> SafeString:
    """Return only the chart, as inline SVG."""
    return svg_of(drawing)
