"""The typeface of every sheet, embedded, and text that always fits its column."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from reportlab.pdfbase.pdfmetrics import registerFont, registerFontFamily, stringWidth
from reportlab.pdfbase.ttfonts import TTFont

REGULAR, BOLD = "DejaVuSans", "DejaVuSans-Bold"
_FOLDER = Path(__file__).parent / "fonts"
SMALLEST = 0.72


@cache
def register() -> None:
    """Make the fonts known to reportlab, once a process."""
    for name in (REGULAR, BOLD):
        registerFont(TTFont(name, _FOLDER / f"{name}.ttf"))
    registerFontFamily(REGULAR, normal=REGULAR, bold=BOLD, italic=REGULAR, boldItalic=BOLD)


def width(text: str, font: str, size: float) -> float:
    """Width of a text in points."""
    return float(stringWidth(text, font, size))


def fitting_lines(text: str, font: str, size: float, room: float) -> tuple[float, list[str]]:
    """(size, lines) with which a text fits into `room` points: first smaller, then on several lines, never cut."""
    natural = width(text, font, size)
    if natural <= room:
        return size, [text]
    if natural * SMALLEST <= room:
        return size * room / natural, [text]
    small = size * SMALLEST
    return small, _wrapped(text, font, small, room)


def _wrapped(text: str, font: str, size: float, room: float) -> list[str]:
    lines, line = [], ""
    for word in text.split():
        candidate = f"{line} {word}".strip()
        if width(candidate, font, size) <= room:
            line = candidate
            continue
        if line:
            lines.append(line)
        *full, line = _broken(word, font, size, room)
        lines.extend(full)
    return [*lines, line]


def _broken(word: str, font: str, size: float, room: float) -> list[str]:
    """A word without blanks that is wider than the room, cut where the line is full."""
    pieces, piece = [], ""
    for sign in word:
        if piece and width(piece + sign, font, size) > room:
            pieces.append(piece)
            piece = ""
        piece += sign
    return [*pieces, piece]
