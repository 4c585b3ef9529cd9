"""QR codes drawn as vector shapes."""

from __future__ import annotations

from functools import lru_cache

import segno

from referee.pdf.drawing.sheet import Sheet


def draw_qr(sheet: Sheet, text: str, x: float, y: float, side: float, *, mask: int | None = None) -> None:
    """Draw the QR code of a text in a square with its lower left corner at (`x`, `y`).

    The caller leaves a margin of four modules. Finding the best of the eight masks takes longer than the rest of a
    page, so callers that draw thousands pass one; every reader decodes all masks.
    """
    size, shape = _shape(text, mask)
    scale = side / size
    with sheet.canvas.tagged("Figure", text):
        sheet.canvas.draw(f"q 0 0 0 rg {scale:.5f} 0 0 {scale:.5f} {x:.2f} {y:.2f} cm {shape} f Q")


@lru_cache(maxsize=64)
def _shape(text: str, mask: int | None) -> tuple[int, str]:
    """Return (modules a row, one box for each run of dark modules); one module is one point."""
    rows = [bytes(row) for row in segno.make(text, error="m", micro=False, mask=mask).matrix]
    size = len(rows)
    runs = [(start, size - 1 - number, length) for number, row in enumerate(rows) for start, length in _runs(row)]
    return size, " ".join(f"{start} {low} {length} 1 re" for start, low, length in runs)


def _runs(row: bytes) -> list[tuple[int, int]]:
    """Yield (start, length) of each run of dark modules."""
    runs: list[tuple[int, int]] = []
    for place, dark in enumerate(row):
        if not dark:
            continue
        if runs and sum(runs[-1]) == place:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((place, 1))
    return runs
