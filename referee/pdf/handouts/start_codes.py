"""Start codes of the clubs of a simultaneous game, a strip for each club, to be cut."""

from __future__ import annotations

from datetime import datetime

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import override
from reportlab.lib.units import mm

from referee.pdf.drawing import fonts
from referee.pdf.drawing.cut_cells import Cell, cells, draw_cut_lines, fit_text
from referee.pdf.drawing.qr import draw_qr
from referee.pdf.drawing.sheet import INK, QUIET, Sheet
from tournaments.models import InvitedClub, Simultaneous

ROWS = 5
INSIDE, QR_SIDE = 10 * mm, 26 * mm


def start_codes_pdf(simultaneous: Simultaneous, address: str, *, language: str, paper: str = "a4") -> bytes:
    """Draw a strip for each club: what is played, its start code, and the address of the package."""
    with override(language):
        sheet = Sheet(_("Start codes"), simultaneous.title, [], paper=paper, bare=True)
        clubs, parts = list(simultaneous.clubs.all()), cells(sheet, 1, ROWS)
        for start in range(0, len(clubs), ROWS):
            if start:
                sheet.need(sheet.page_height)
            draw_cut_lines(sheet, 1, ROWS)
            for part, club in zip(parts, clubs[start : start + ROWS], strict=False):
                _draw(sheet, part, simultaneous, club, address)
        return sheet.finish()


def _draw(sheet: Sheet, part: Cell, simultaneous: Simultaneous, club: InvitedClub, address: str) -> None:
    left, right, y = part.x + INSIDE, part.x + part.width - INSIDE, part.y + part.height - INSIDE
    room = right - left - QR_SIDE - 6 * mm
    draw_qr(sheet, address, right - QR_SIDE, y - QR_SIDE, QR_SIDE)
    opens, closes = (_moment(moment) for moment in (simultaneous.opens_at, simultaneous.closes_at))
    window = _("Play and return from %(opens)s to %(closes)s.") % {"opens": opens, "closes": closes}
    lines = [
        (simultaneous.title, fonts.REGULAR, 10, 2, QUIET),
        (f"{club.number}. {club.name}", fonts.BOLD, 15, 2, INK),
        (_("Start code, secret until the game begins:"), fonts.REGULAR, 9, 1, QUIET),
        (club.start_code, fonts.BOLD, 19, 1, INK),
        (window, fonts.REGULAR, 9, 2, INK),
        (_("Package and return: %(address)s") % {"address": address}, fonts.REGULAR, 8, 2, QUIET),
    ]
    for text, font, size, most, colour in lines:
        for fitted, line in fit_text(text, font, size, room, most):
            y -= fitted * 1.25
            with sheet.canvas.tagged("P"):
                sheet.text(left, y, line, font, fitted, colour)
        y -= size * 0.3


def _moment(moment: datetime) -> str:
    return date_format(localtime(moment), "SHORT_DATETIME_FORMAT")
