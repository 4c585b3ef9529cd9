"""Rules of a game as a poster of one page: two columns, as large as fits, with the organiser's changes marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import override
from reportlab.lib.colors import HexColor

from engine.archive.schema import Archive
from engine.rules.profile import Profile
from engine.rules.rules_text import Rule, RuleGroup, rule_page
from engine.variants.variant import load_variant
from referee.pdf.drawing import fonts, heads
from referee.pdf.drawing.sheet import BAND, INK, LINE_HEIGHT, MARGIN, QUIET, Sheet
from tournaments.lexicons.names import rules_name, word_list_sentences

LARGEST, STEP = 12.5, 0.97
COLUMN_GAP, TITLE_SHARE, CELL_GAP = 20.0, 0.46, 8.0
HEADING, PADDING = 1.22, 0.34  # relative to the font size
CHANGED = "◆"
WHITE = HexColor("#ffffff")


@dataclass(frozen=True, slots=True)
class _Line:
    """Heading (no value) or rule, wrapped for a font size."""

    title: list[str]
    value: list[str]
    before: list[str]
    height: float
    is_heading: bool = False


def rules_poster_pdf(archive: Archive, *, language: str, paper: str = "a4") -> bytes:
    """Draw every rule of the game; a changed one is framed and has the word and the rule that it replaces."""
    with override(language):
        profile, variant = Profile.from_switches(archive["profile"]), load_variant(archive["formula"])
        title = _("Rules: %(title)s") % {"title": rules_name(profile, variant)}
        sheet = Sheet(title, heads.subtitle(archive), heads.game_facts(archive)[:1], paper=paper)
        groups = rule_page(profile, variant, _)
        notes = [*word_list_sentences(archive["lexicon"], profile), _legend(groups)]
        below = sum(len(fonts.wrap_text(note, fonts.REGULAR, 8.5, sheet.room)) for note in notes) * 8.5 * LINE_HEIGHT
        free = sheet.height_left - below - 5 * len(notes) - 10
        width, size = (sheet.room - COLUMN_GAP) / 2, LARGEST
        while (columns := _split(_lines(groups, size, width), free)) is None:
            size *= STEP
        top = sheet.y
        for number, lines in enumerate(columns):
            _draw_column(sheet, lines, MARGIN + number * (width + COLUMN_GAP), top, width, size)
        sheet.y = top - free - 6
        sheet.line(MARGIN, sheet.y + 2, sheet.room)
        for note in notes:
            sheet.paragraph(note, size=8.5)
        return sheet.finish()


def _legend(groups: Sequence[RuleGroup]) -> str:
    changed = any(rule.changed for group in groups for rule in group.rules)
    compare = _("The organiser should compare this page with the text of the federation; that text decides.")
    if not changed:
        return compare
    marked = _("%(sign)s changed: the organiser's own rule; below it the rule of the edition.") % {"sign": CHANGED}
    return f"{marked} {compare}"


def _lines(groups: Sequence[RuleGroup], size: float, width: float) -> list[_Line]:
    """Wrap all groups for a font size."""
    lines = []
    for group in groups:
        title = fonts.wrap_text(group.title, fonts.BOLD, size * HEADING, width)
        height = len(title) * size * HEADING * LINE_HEIGHT + size * 1.1
        lines.append(_Line(title, [], [], height, is_heading=True))
        lines += [_rule(rule, size, width) for rule in group.rules]
    return lines


def _rule(rule: Rule, size: float, width: float) -> _Line:
    left = width * TITLE_SHARE - CELL_GAP
    right = width - width * TITLE_SHARE - size * 0.5
    title = fonts.wrap_text(rule.title, fonts.REGULAR, size, left)
    if rule.changed:
        changed = _("CHANGED")
        title = [*title, f"{CHANGED} {changed}"]
    value = fonts.wrap_text(rule.value, fonts.BOLD, size, right)
    instead = _("instead of: %(before)s") % {"before": rule.before}
    before = fonts.wrap_text(instead, fonts.REGULAR, size * 0.86, right) if rule.changed else []
    beside = (len(value) + len(before) * 0.86) * size * LINE_HEIGHT
    height = max(len(title) * size * LINE_HEIGHT, beside) + 2 * size * PADDING
    return _Line(title, value, before, height)


def _split(lines: Sequence[_Line], free: float) -> list[Sequence[_Line]] | None:
    """Split the lines into two columns of this height, as equal as possible; None if they do not fit.

    A heading is not the last line of a column.
    """
    best: tuple[float, int] | None = None
    for at in range(1, len(lines) + 1):
        if lines[at - 1].is_heading:
            continue
        higher = max(sum(line.height for line in lines[:at]), sum(line.height for line in lines[at:]))
        if higher <= free and (best is None or higher < best[0]):
            best = higher, at
    return None if best is None else [lines[: best[1]], lines[best[1] :]]


def _draw_column(sheet: Sheet, lines: Sequence[_Line], left: float, top: float, width: float, size: float) -> None:
    y, banded = top, False
    for line in lines:
        if line.is_heading:
            _draw_heading(sheet, line, left, y, width, size)
            banded = False
        else:
            _draw_rule(sheet, line, left, y, width, size, banded=banded)
            banded = not banded
        y -= line.height


def _draw_heading(sheet: Sheet, line: _Line, left: float, y: float, width: float, size: float) -> None:
    large = size * HEADING
    y -= size * 0.55
    with sheet.canvas.tagged("H2"):
        for text in line.title:
            y -= large * LINE_HEIGHT
            sheet.text(left, y + large * 0.25, text, fonts.BOLD, large)
    sheet.line(left, y - size * 0.1, width, thick=1)


def _draw_rule(sheet: Sheet, line: _Line, left: float, top: float, width: float, size: float, *, banded: bool) -> None:
    """Draw title and value side by side; a changed rule has a frame and a black label."""
    low = top - line.height
    if banded:
        sheet.box(left, low, width, line.height, BAND)
    if line.before:
        sheet.canvas.draw(f"q 1.3 w {left:.2f} {low + 0.8:.2f} {width:.2f} {line.height - 1.6:.2f} re S Q")
    y = top - size * PADDING
    with sheet.canvas.tagged("P"):
        for number, text in enumerate(line.title):
            y -= size * LINE_HEIGHT
            if line.before and number == len(line.title) - 1:
                _draw_label(sheet, text, left + 3, y, size * 0.82)
            else:
                sheet.text(left + 3, y + size * 0.25, f"{text} ", fonts.REGULAR, size)
        y, right = top - size * PADDING, left + width * TITLE_SHARE
        for text in line.value:
            y -= size * LINE_HEIGHT
            sheet.text(right, y + size * 0.25, f"{text} ", fonts.BOLD, size)
        for text in line.before:
            y -= size * 0.86 * LINE_HEIGHT
            sheet.text(right, y + size * 0.22, f"{text} ", fonts.REGULAR, size * 0.86, QUIET)


def _draw_label(sheet: Sheet, text: str, left: float, low: float, size: float) -> None:
    """Draw a word in white on black."""
    sheet.box(left, low, fonts.text_width(text, fonts.BOLD, size) + size, size * 1.3, INK)
    sheet.text(left + size * 0.5, low + size * 0.35, text, fonts.BOLD, size, WHITE)
