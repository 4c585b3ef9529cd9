"""Sparklines of a season: gaps where a member was absent, and a scale that does not exaggerate."""

from __future__ import annotations

from referee.charts.shapes import Dot, Drawing, Line
from referee.charts.sparkline import HEIGHT, WIDTH, sparkline
from referee.charts.svg import render_svg


def lines(drawing: Drawing, width: float) -> list[Line]:
    return [shape for shape in drawing.shapes if isinstance(shape, Line) and shape.width == width]


def test_an_absence_is_a_dashed_gap_between_two_solid_lines() -> None:
    drawing = sparkline("last-1", [70.0, 75.0, None, 72.0, 80.0, None])
    assert [len(line.points) for line in lines(drawing, 2.0)] == [2, 2]
    [dashed] = lines(drawing, 1.0)
    assert len(dashed.points) == 4
    assert dashed.dash
    [dot] = [shape for shape in drawing.shapes if isinstance(shape, Dot)]
    assert (dot.x, dot.y) == dashed.points[-1]
    assert drawing.description == "70%, 75%, –, 72%, 80%, –"


def test_points_are_inside_and_the_better_event_is_higher() -> None:
    for percents in ([50.0, 100.0], [0.0, 0.0], [61.2], [None, 80.0, 20.0]):
        drawing = sparkline("last-1", percents)
        points = [point for line in lines(drawing, 1.0) for point in line.points]
        assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in points)
    low, high = lines(sparkline("last-1", [60.0, 61.0]), 2.0)[0].points
    assert 0 < low[1] - high[1] < HEIGHT / 10


def test_nobody_present_is_an_empty_chart_without_styles() -> None:
    assert sparkline("last-1", [None, None]).shapes == ()
    assert "style" not in render_svg(sparkline("last-1", [60.0, 61.0, None, 70.0]))
