"""The typeface of every sheet, embedded, and text that always fits its column."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from threading import Lock

from reportlab import rl_config
from reportlab.pdfbase.pdfmetrics import getFont, registerFont, registerFontFamily, stringWidth
from reportlab.pdfbase.ttfonts import TTFont, TTFontFace

REGULAR, BOLD = "DejaVuSansCondensed", "DejaVuSansCondensed-Bold"
_FOLDER = Path(__file__).parent / "fonts"
SMALLEST = 0.72
_first = Lock()


class _Face(TTFontFace):  # type: ignore[misc]  # reportlab carries no types
    """Cuts equal subsets out of the typeface once: 1,500 sheets, a file each, are written with the same letters."""

    def makeSubset(self, subset: list[int]) -> bytes:  # noqa: N802  reportlab's name
        return self._cut(tuple(subset))

    @lru_cache(maxsize=16)  # noqa: B019  the two faces live as long as the process
    def _cut(self, letters: tuple[int, ...]) -> bytes:
        return bytes(super().makeSubset(list(letters)))


@cache
def register() -> None:
    """Make the fonts known to reportlab, once a process."""
    with _first:
        rl_config.useA85 = 0  # page streams as bytes instead of letters: a fifth smaller
        for name in (REGULAR, BOLD):
            font = TTFont(name, _FOLDER / f"{name}.ttf")
            font.face = _Face(font.face.filename)
            registerFont(font)
        registerFontFamily(REGULAR, normal=REGULAR, bold=BOLD, italic=REGULAR, boldItalic=BOLD)


@lru_cache(maxsize=50_000)
def _width_at_1000(text: str, font: str) -> float:
    return float(stringWidth(text, font, 1000))


def width(text: str, font: str, size: float) -> float:
    """Width of a text in points."""
    return _width_at_1000(text, font) * size / 1000


def font_of(name: str) -> TTFont:
    """What reportlab knows of a registered font."""
    return getFont(name)


def fitting_lines(text: str, font: str, size: float, room: float) -> tuple[float, list[str]]:
    """(size, lines) with which a text fits into `room` points: first smaller, then on several lines, never cut."""
    natural = width(text, font, size)
    if natural <= room:
        return size, [text]
    if natural * SMALLEST <= room:
        return size * room / natural, [text]
    small = size * SMALLEST
    return small, wrapped(text, font, small, room)


def fitting_size(text: str, font: str, size: float, room: float) -> float:
    """The size, however small, with which a text fits into `room` points on one line."""
    return size * min(1.0, room / max(width(text, font, size), 0.01))


def wrapped(text: str, font: str, size: float, room: float) -> list[str]:
    """The lines of a text that keeps its size; a word wider than the room is cut where the line is full."""
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
