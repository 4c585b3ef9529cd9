"""Embedded typeface of all documents, and functions that fit text into a width."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path
from threading import Lock

from reportlab import rl_config
from reportlab.pdfbase.pdfmetrics import getFont, registerFont, registerFontFamily, stringWidth
from reportlab.pdfbase.ttfonts import TTFont, TTFontFace

REGULAR, BOLD = "DejaVuSansCondensed", "DejaVuSansCondensed-Bold"
_FOLDER = Path(__file__).parent / "typefaces"
SMALLEST = 0.72
LEAST_WORD = 0.6  # a longer word is broken rather than shrunk further
BOX_LINE = 1.22  # height of a line in a box, relative to its size
_BREAKS = re.compile(r"[ \t\r\n]+")
_register_lock = Lock()


class _Face(TTFontFace):  # type: ignore[misc]  # reportlab carries no types
    """Font face that reuses its subsets, so that 1,500 files made in a row share them."""

    def makeSubset(self, subset: list[int]) -> bytes:  # noqa: N802  reportlab's name
        return self._cut(tuple(subset))

    @lru_cache(maxsize=16)  # noqa: B019  the two faces live as long as the process
    def _cut(self, letters: tuple[int, ...]) -> bytes:
        return bytes(super().makeSubset(list(letters)))


@cache
def register_fonts() -> None:
    """Register the fonts with reportlab once a process."""
    with _register_lock:
        rl_config.useA85 = 0  # page streams as bytes instead of letters: a fifth smaller
        for name in (REGULAR, BOLD):
            font = TTFont(name, _font_file(name))
            font.face = _Face(font.face.filename)
            registerFont(font)
        registerFontFamily(REGULAR, normal=REGULAR, bold=BOLD, italic=REGULAR, boldItalic=BOLD)


def font_files() -> list[Path]:
    """List the files of the fonts."""
    return [_font_file(name) for name in (REGULAR, BOLD)]


def _font_file(name: str) -> Path:
    return _FOLDER / f"{name}.ttf"


@lru_cache(maxsize=50_000)
def _width_at_1000(text: str, font: str) -> float:
    return float(stringWidth(text, font, 1000))


def text_width(text: str, font: str, size: float) -> float:
    """Return the width of a text in points."""
    return _width_at_1000(text, font) * size / 1000


def font_of(name: str) -> TTFont:
    """Return reportlab's object of a registered font."""
    return getFont(name)


def fit_lines(text: str, font: str, size: float, room: float) -> tuple[float, list[str]]:
    """Return (size, lines) that fit a text into `room` points: shrink first, then wrap, never cut off."""
    natural = text_width(text, font, size)
    if natural <= room:
        return size, [text]
    if natural * SMALLEST <= room:
        return size * room / natural, [text]
    small = size * SMALLEST
    return small, wrap_text(text, font, small, room)


def fit_size(text: str, font: str, size: float, room: float) -> float:
    """Return the largest size, up to `size`, at which a text fits into `room` points on one line."""
    return size * min(1.0, 0.9999 * room / max(text_width(text, font, size), 0.01))


def fit_box(text: str, font: str, size: float, room: float, height: float) -> tuple[float, list[str]]:
    """Return (size, lines) that fit a text into a box: shrink until its words fit, wrap, shrink; never cut off."""
    size = min(size, height / BOX_LINE)
    size = min([size, *(max(size * LEAST_WORD, fit_size(word, font, size, room)) for word in text.split())])
    while len(lines := wrap_text(text, font, size, room)) * size * BOX_LINE > height:
        size *= 0.94
    return size, lines


def wrap_text(text: str, font: str, size: float, room: float) -> list[str]:
    """Wrap a text without changing its size; no line breaks at a no-break space, unless a word is wider than `room`."""
    lines, line = [], ""
    for word in _BREAKS.split(text.strip()):
        candidate = f"{line} {word}".strip()
        if text_width(candidate, font, size) <= room:
            line = candidate
            continue
        if line:
            lines.append(line)
        *full, line = _break_word(word, font, size, room)
        lines.extend(full)
    return [*lines, line]


def _break_word(word: str, font: str, size: float, room: float) -> list[str]:
    """Break a word that is wider than `room`."""
    pieces, piece = [], ""
    for sign in word:
        if piece and text_width(piece + sign, font, size) > room:
            pieces.append(piece)
            piece = ""
        piece += sign
    return [*pieces, piece]
