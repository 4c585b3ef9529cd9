"""Text that is wrapped to a width, and paragraphs across pages."""

from __future__ import annotations

from referee.pdf.drawing import fonts
from referee.pdf.drawing.sheet import LINE_HEIGHT, ROW_SIZE, Sheet
from tests.referee.pdf.pages import pages_of

WIDTH = 60


def test_a_line_breaks_at_spaces_and_not_at_no_break_spaces() -> None:
    fonts.register_fonts()
    text = "CASA\u00a08H\u00a020 and\nCASE\u00a08H\u00a020"
    assert fonts.wrap_text(text, fonts.REGULAR, 10, WIDTH) == ["CASA\u00a08H\u00a020", "and", "CASE\u00a08H\u00a020"]


def test_no_single_line_of_a_paragraph_stands_on_another_page() -> None:
    words = [f"word{number:03}" for number in range(60)]
    for free in range(1, 7):
        sheet = Sheet("Title", "Event", [])
        lines = fonts.wrap_text(" ".join(words), fonts.REGULAR, ROW_SIZE, sheet.room)
        sheet.gap(sheet.height_left - free * ROW_SIZE * LINE_HEIGHT - 1)
        sheet.paragraph(" ".join(words))
        on_pages = [sum(word in page.text for word in words) for page in pages_of(sheet.finish())]
        on_first = sum(len(line.split()) for line in lines[: {1: 0, len(lines) - 1: len(lines) - 2}.get(free, free)])
        assert on_pages == ([on_first, len(words) - on_first] if on_first < len(words) else [len(words)]), free
