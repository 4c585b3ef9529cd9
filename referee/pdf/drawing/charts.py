"""Charts in PDF documents: the shapes of `referee.charts` on reportlab's canvas, whose y axis points up."""

from __future__ import annotations

from reportlab.lib.colors import HexColor

from referee.charts.colours import ON_PAPER
from referee.charts.shapes import Dot, Drawing, Line, Rect, Shape, Text
from referee.pdf.drawing import fonts
from referee.pdf.drawing.canvas import SheetCanvas


def draw_chart(canvas: SheetCanvas, drawing: Drawing, x: float, top: float, width: float) -> float:
    """Draw a chart with its upper left corner at (`x`, `top`); return its height. All lengths are in points.

    Screen readers read its description.
    """
    scale = width / drawing.width
    with canvas.tagged("Figure", f"{drawing.title}. {drawing.description}"):
        canvas.saveState()
        canvas.translate(x, top)
        canvas.scale(scale, scale)
        for shape in drawing.shapes:
            _shape(canvas, shape)
        canvas.restoreState()
    return drawing.height * scale


def _shape(canvas: SheetCanvas, shape: Shape) -> None:
    match shape:
        case Rect():
            _rect(canvas, shape)
        case Line():
            _line(canvas, shape)
        case Dot(x, y, radius, fill):
            canvas.setFillColor(HexColor(ON_PAPER[fill]))
            canvas.circle(x, -y, radius, stroke=0, fill=1)
        case Text():
            _text(canvas, shape)


def _rect(canvas: SheetCanvas, rect: Rect) -> None:
    canvas.setFillColor(HexColor(ON_PAPER[rect.fill]))
    if rect.stroke is not None:
        canvas.setStrokeColor(HexColor(ON_PAPER[rect.stroke]))
        canvas.setLineWidth(1)
        canvas.setDash()
    canvas.rect(rect.x, -rect.y - rect.height, rect.width, rect.height, stroke=int(rect.stroke is not None), fill=1)


def _line(canvas: SheetCanvas, line: Line) -> None:
    canvas.setStrokeColor(HexColor(ON_PAPER[line.ink]))
    canvas.setLineWidth(line.width)
    canvas.setDash(list(line.dash))
    path = canvas.beginPath()
    (x, y), *others = line.points
    path.moveTo(x, -y)
    for x, y in others:
        path.lineTo(x, -y)
    canvas.drawPath(path, stroke=1, fill=0)


def _text(canvas: SheetCanvas, text: Text) -> None:
    font = fonts.BOLD if text.bold else fonts.REGULAR
    back = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * fonts.text_width(text.text, font, text.size)
    canvas.write(text.x - back, -text.y, text.text, font, text.size, HexColor(ON_PAPER[text.ink]))
