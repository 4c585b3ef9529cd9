"""One player's own sheet as it is drawn: figures, bars, the turns, the best finds."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from reportlab.lib.units import mm

from engine.archive import SlipEntry
from referee.own_sheet import OwnSheet, OwnTurn
from referee.pdf import fonts
from referee.pdf.qr import draw_qr
from referee.pdf.sheet import BAND, INK, MARGIN, QUIET, Column, Sheet
from referee.results_table import rank_text
from referee.rulings_text import rule_beside

QR_SIDE, QR_MASK, BARS = 25 * mm, 3, 15 * mm
DENSITIES = ((9.0, 2.6), (8.4, 1.9), (7.8, 1.3), (7.2, 0.8))  # size and padding of the rows, the airiest first
FOUND_AT = 62  # what the finds below the table take


def title_of(own: OwnSheet) -> str:
    """What stands over a sheet."""
    return _("Table %(table)d · %(name)s") % {"table": own.player["table"], "name": own.player["name"]}


def facts_of(own: OwnSheet) -> list[str]:
    """Club, series and the like, where a player has them."""
    player = own.player
    parts = [player["club"], player["series"], player.get("age_class"), player.get("team"), player.get("country")]
    known = " · ".join(part for part in parts if part)
    return [known] if known else []


def draw_page(sheet: Sheet, own: OwnSheet, address: str) -> None:
    """Everything below the head; `address` is where the game can be replayed, empty when nowhere."""
    low = _draw_code(sheet, address)
    sheet.gap(2)
    sheet.figures(_figures(own))
    sheet.y = min(sheet.y, low - 3)
    _draw_bars(sheet, own.turns)
    columns, rows = _columns(), [_row(turn) for turn in own.turns]
    left = sheet.height_left - FOUND_AT
    heights = ((each, sheet.height_of_table(columns, rows, size=each[0], padding=each[1])) for each in DENSITIES)
    size, padding = next((each for each, height in heights if height <= left), DENSITIES[1])
    sheet.table(columns, rows, size=size, padding=padding)
    sheet.gap(8)
    _draw_finds(sheet, own)


def _draw_code(sheet: Sheet, address: str) -> float:
    """At the upper right, beside the title; a line in its place where there is nothing to replay. Gives how far down it
    reaches."""
    left, top = MARGIN + sheet.room - QR_SIDE, sheet.page_height - 22 * mm
    if address:
        draw_qr(sheet, address, left, top - QR_SIDE, QR_SIDE, mask=QR_MASK)
        words = _("Replay the game")
    else:
        words = _("This event has no public page: so there is no code to replay the game.")
    y = top - (QR_SIDE + 4 if address else 0)
    with sheet.canvas.tagged("P"):
        for line in fonts.wrapped(words, fonts.REGULAR, 6.4, QR_SIDE):
            y -= 8
            sheet.right(MARGIN + sheet.room, y, line, fonts.REGULAR, 6.4, QUIET)
    return float(y)


def _figures(own: OwnSheet) -> list[tuple[str, str]]:
    line = own.line
    warned = str(line["warnings"]) + (f" / {line['penalties']}" if line["penalties"] else "")
    return [
        (_("Rank of %(n)d") % {"n": own.places}, rank_text(line["rank"])),
        (_("Total"), str(line["total"])),
        (_("Percent"), number_format(Decimal(str(line["percent"])), 1)),
        (_("Negative"), signed(line["negative"])),
        (_("Tops found"), str(own.tops_found)),
        (_("Solos"), str(line["solos"])),
        (_("Warnings / penalties") if line["penalties"] else _("Warnings"), warned),
    ]


def signed(number: int) -> str:
    """With a true minus sign."""
    return str(number).replace("-", "−")


def _columns() -> list[Column]:
    return [
        Column(_("Turn"), 6),
        Column(_("Rack"), 10, "left", scale=0.9),
        Column(_("Your slip"), 18, "left", bold=True),
        Column(_("Verdict"), 36, "left", wraps=True, scale=0.76),
        Column(_("Points"), 7, bold=True),
        Column(_("Best move"), 15, "left"),
        Column(_("Top"), 5.5),
        Column(_("Loss"), 6),
        Column(_("Total"), 7),
        Column(_("Rank"), 6),
    ]


def _row(turn: OwnTurn) -> list[str]:
    best = f"{turn.best['word']} {turn.best['ref']}" if turn.best else "–"
    return [
        str(turn.number),
        turn.rack,
        slip_as_written(turn.slip),
        _verdict(turn),
        str(turn.points),
        best,
        str(turn.top),
        signed(-turn.loss) if turn.loss > 0 else ("" if not turn.loss else f"+{-turn.loss}"),
        str(turn.total),
        rank_text(turn.rank),
    ]


def slip_as_written(slip: SlipEntry) -> str:
    """Word, reference or crossing letters, declared score; a dash for who handed in nothing."""
    arrow = {"across": "→", "down": "↓"}.get(slip["direction"] or "", "")
    declared = "" if slip["declared"] is None else str(slip["declared"])
    parts = [slip["word"], f"{slip['ref'] or slip['hook'] or ''}{arrow}", declared]
    return " ".join(part for part in parts if part) or "–"


def _verdict(turn: OwnTurn) -> str:
    """The sentence with the rule, and who decided when it was a person."""
    verdict, slip = turn.slip["verdict"], turn.slip
    parts = [_("★ Solo.") if turn.is_solo else ("★" if turn.has_top else ""), verdict["text"]]
    if rule := rule_beside(verdict):
        parts.append(f"({rule})")
    if slip["decided_by"] == "judge":
        parts.append(_("Decided by the judge: %(reason)s") % {"reason": slip["reason"] or "–"})
    return " ".join(part for part in parts if part)


def _draw_bars(sheet: Sheet, turns: Sequence[OwnTurn]) -> None:
    """A bar for each turn: its frame is the top, what is filled are the points."""
    highest = max((max(turn.top, turn.points) for turn in turns), default=0)
    if not highest:
        return
    step = sheet.room / max(len(turns), 12)
    foot = sheet.y - BARS
    with sheet.canvas.untagged():
        for number, turn in enumerate(turns):
            left, wide = MARGIN + number * step + step * 0.14, step * 0.72
            points, top = BARS * turn.points / highest, BARS * turn.top / highest
            sheet.box(left, foot, wide, top, BAND)
            sheet.box(left, foot, wide, points, INK if turn.has_top else QUIET)
            sheet.canvas.draw(f"q 0.5 w {left:.2f} {foot:.2f} {wide:.2f} {top:.2f} re S Q")
            sheet.centred(left + wide / 2, foot - 7, str(turn.number), fonts.REGULAR, 5.8, QUIET)
    sheet.y = foot - 10
    words = _("Frame: the top of the turn. Filled: your points, darker where you had the top (★).")
    size = fonts.fitting_size(words, fonts.REGULAR, 6.4, sheet.room)
    with sheet.canvas.tagged("P"):
        sheet.text(MARGIN, sheet.y - 6, words, fonts.REGULAR, size, QUIET)
    sheet.y -= 6 + 3 * mm


def _draw_finds(sheet: Sheet, own: OwnSheet) -> None:
    """Side by side the best finds and where most was lost."""
    sheet.need(FOUND_AT - 10)
    middle = MARGIN + sheet.room / 2
    finds = [f"{slip_as_written(turn.slip)}{' ★' if turn.has_top else ''}" for turn in own.best_finds]
    numbers = [turn.number for turn in own.best_finds]
    missed = [
        f"{turn.best['word']} {turn.best['ref']} {turn.top} ({signed(-turn.loss)})" if turn.best else "–"
        for turn in own.worst_losses
    ]
    _list(sheet, MARGIN, _("Your best finds"), numbers, finds)
    _list(sheet, middle, _("Where most was lost"), [turn.number for turn in own.worst_losses], missed)
    sheet.y -= FOUND_AT - 10


def _list(sheet: Sheet, left: float, title: str, turns: Sequence[int], lines: Sequence[str]) -> None:
    room, y = sheet.room / 2 - 10, sheet.y - 9
    with sheet.canvas.tagged("H2"):
        sheet.text(left, y, title, fonts.BOLD, fonts.fitting_size(title, fonts.BOLD, 9, room))
    for turn, line in zip(turns, lines, strict=True):
        y -= 12.5
        words = _("Turn %(turn)d: %(move)s") % {"turn": turn, "move": line}
        with sheet.canvas.tagged("P"):
            sheet.text(left, y, words, fonts.REGULAR, fonts.fitting_size(words, fonts.REGULAR, 8.4, room))
