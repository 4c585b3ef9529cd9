"""Labels for the envelope that holds a seed or a prepared game until it is over.

The public fingerprint on the label proves the content.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import override
from reportlab.lib.units import mm

from engine.archive.schema import Archive
from engine.prepared.script import Script
from referee.pdf.drawing import fonts, heads
from referee.pdf.drawing.cut_cells import EDGE, Cell, cells, draw_cut_lines, fit_text
from referee.pdf.drawing.qr import draw_qr
from referee.pdf.drawing.sheet import QUIET, Sheet

ROWS = 3
INSIDE, QR_SIDE, LOGO_HEIGHT = 10 * mm, 34 * mm, 15 * mm
IN_A_GROUP, GROUPS_IN_A_LINE = 4, 4


@dataclass(frozen=True, slots=True)
class Label:
    """Texts of a label: the game, the date, the fingerprint and the turn from which a seed is used (`since`)."""

    title: str
    line: str
    commitment: str
    since: int = 1


def envelope_pdf(archive: Archive, *, language: str, paper: str = "a4") -> bytes:
    """Draw a label for each seed of a game."""
    with override(language):
        draw, line = archive["draw"], heads.subtitle(archive)
        sums = [(1, draw["commitment"]), *((one["from_turn"], one["commitment"]) for one in draw.get("continued", ()))]
        title = _("Seed of the draw")
        labels = [Label(title, line, commitment, since) for since, commitment in sums if commitment]
        return _draw_labels(labels, line, paper)


def prepared_envelope_pdf(script: Script, *, language: str, paper: str = "a4") -> bytes:
    """Draw a label for the sealed sheet of a prepared game."""
    with override(language):
        commitment = script["draw"]["commitment"]
        labels = [Label(_("Prepared game"), script["title"], commitment)] if commitment else []
        return _draw_labels(labels, script["title"], paper)


def _draw_labels(labels: list[Label], line: str, paper: str) -> bytes:
    sheet = Sheet(_("Envelope labels"), line, [], paper=paper, bare=True)
    parts = cells(sheet, 1, ROWS)
    for start in range(0, max(len(labels), 1), ROWS):
        if start:
            sheet.need(sheet.page_height)
        draw_cut_lines(sheet, 1, ROWS)
        for part, label in zip(parts, labels[start : start + ROWS], strict=False):
            _draw(sheet, part, label)
    if not labels:
        words = _("This game is drawn from a bag: it has no seed.")
        sheet.text(parts[0].x + INSIDE, parts[0].y + parts[0].height - 2 * INSIDE, words, fonts.REGULAR, 11)
    return sheet.finish()


def _draw(sheet: Sheet, part: Cell, label: Label) -> None:
    left, top = part.x + INSIDE, part.y + part.height - INSIDE
    right = part.x + part.width - INSIDE
    draw_qr(sheet, label.commitment, right - QR_SIDE, top - QR_SIDE, QR_SIDE)
    sheet.logo(right - QR_SIDE, top - QR_SIDE - 4 * mm - LOGO_HEIGHT, QR_SIDE, LOGO_HEIGHT, align=1)
    room = part.width - 2 * INSIDE - QR_SIDE - 7 * mm
    title = label.title
    if label.since > 1:
        title = _("%(title)s, from turn %(turn)d on") % {"title": title, "turn": label.since}
    y = top
    for text, font, size, most, kind in ((title, fonts.BOLD, 19, 2, "H1"), (label.line, fonts.REGULAR, 10, 2, "P")):
        with sheet.canvas.tagged(kind):
            for small, line in fit_text(text, font, size, room, most):
                y -= small * 1.2
                sheet.text(left, y, line, font, small)
        y -= 3
    _draw_sum(sheet, left, y - 16, label.commitment)
    _draw_signature_lines(sheet, part)
    room = part.width - 2 * INSIDE
    with sheet.canvas.tagged("P"):
        for small, line in fit_text(sheet.letterhead.sponsor, fonts.REGULAR, 7, room, 1):
            sheet.text(left, part.y + EDGE, line, fonts.REGULAR, small, QUIET)


def in_groups(commitment: str) -> list[str]:
    """Split the 64 hexadecimal digits into four lines of four groups of four, for people to compare."""
    groups = [commitment[at : at + IN_A_GROUP] for at in range(0, len(commitment), IN_A_GROUP)]
    return ["  ".join(groups[at : at + GROUPS_IN_A_LINE]) for at in range(0, len(groups), GROUPS_IN_A_LINE)]


def _draw_sum(sheet: Sheet, left: float, y: float, commitment: str) -> None:
    with sheet.canvas.tagged("P"):
        sheet.text(left, y, _("Fingerprint (SHA-256 of what is inside)"), fonts.REGULAR, 7, QUIET)
        for line in in_groups(commitment):
            y -= 18
            for place, group in enumerate(line.split()):
                sheet.text(left + place * 46, y, f"{group} ", fonts.BOLD, 13)


def _draw_signature_lines(sheet: Sheet, part: Cell) -> None:
    """Draw lines for who sealed and who opened the envelope, with date and time."""
    left, low = part.x + INSIDE, part.y + INSIDE
    half = (part.width - 2 * INSIDE - 10 * mm) / 2
    for number, label in enumerate((_("Sealed: day, hour, signature"), _("Opened: day, hour, signature"))):
        x = left + number * (half + 10 * mm)
        sheet.line(x, low + 9, half, thick=0.7)
        sheet.text(x, low, label, fonts.REGULAR, fonts.fit_size(label, fonts.REGULAR, 7, half), QUIET)
