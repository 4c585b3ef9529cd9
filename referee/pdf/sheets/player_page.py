"""Drawing of a player's sheet: figures, bars, turns and best finds."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from reportlab.lib.units import mm

from engine.archive.schema import SlipEntry
from referee.formats.texts import format_percent, format_sum
from referee.pdf.drawing import fonts
from referee.pdf.drawing.qr import draw_qr
from referee.pdf.drawing.sheet import BAND, INK, MARGIN, QUIET, Column, Sheet
from referee.results.player_sheet import PlayerSheetView, PlayerTurn
from referee.results.ruling_text import rule_beside
from referee.results.standings_table import rank_text

QR_SIDE, QR_GAP, QR_MASK, BARS = 25 * mm, 4 * mm, 3, 15 * mm
DENSITIES = (
    (9.0, 2.6),
    (8.4, 1.9),
    (7.8, 1.3),
    (7.2, 0.8),
)  # (font size, padding) of the rows, widest first
FOUND_AT = 62  # height in points of the finds below the table


def title_of(own: PlayerSheetView) -> str:
    """Return the title of a sheet."""
    return _("Table %(table)d · %(name)s") % {"table": own.player["table"], "name": own.player["name"]}


def facts_of(own: PlayerSheetView) -> list[str]:
    """List club, series and other details of a player that are known."""
    player = own.player
    parts = [player["club"], player["series"], player.get("age_class"), player.get("team"), player.get("country")]
    known = " · ".join(part for part in parts if part)
    return [known] if known else []


def width_of_codes(own_page: str) -> float:
    """Return the width that the codes beside the head take."""
    return float(QR_SIDE + (QR_SIDE + QR_GAP if own_page else 0))


def draw_page(sheet: Sheet, own: PlayerSheetView, address: str, own_page: str = "") -> None:
    """Draw everything below the head.

    `address` is where the game can be replayed, `own_page` the private page of the member who is the player; empty if
    there is none.
    """
    low = _draw_replay_code(sheet, address)
    if own_page:
        low = min(low, _draw_code(sheet, own_page, _("Your evenings and turns to play again"), QR_SIDE + QR_GAP))
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


def _draw_replay_code(sheet: Sheet, address: str) -> float:
    """Draw the QR code of the replay at the upper right; return the y coordinate of its lower edge."""
    if address:
        return _draw_code(sheet, address, _("Replay the game"), 0)
    words = _("This event has no public page, so there is no code to replay the game.")
    return _write_below(sheet, words, MARGIN + sheet.room, _top_of_codes(sheet))


def _draw_code(sheet: Sheet, address: str, words: str, from_right: float) -> float:
    """Draw a QR code with a line below it, so far from the right margin; return the y coordinate of its lower edge."""
    right, low = MARGIN + sheet.room - from_right, _top_of_codes(sheet) - QR_SIDE
    draw_qr(sheet, address, right - QR_SIDE, low, QR_SIDE, mask=QR_MASK)
    return _write_below(sheet, words, right, low - 4)


def _top_of_codes(sheet: Sheet) -> float:
    return float(sheet.page_height - 22 * mm)


def _write_below(sheet: Sheet, words: str, right: float, y: float) -> float:
    with sheet.canvas.tagged("P"):
        for line in fonts.wrap_text(words, fonts.REGULAR, 6.4, QR_SIDE):
            y -= 8
            sheet.right(right, y, line, fonts.REGULAR, 6.4, QUIET)
    return y


def _figures(own: PlayerSheetView) -> list[tuple[str, str]]:
    line = own.line
    warned = str(line["warnings"]) + (f" / {line['penalties']}" if line["penalties"] else "")
    return [
        (_("Rank of %(n)d") % {"n": own.places}, rank_text(line["rank"])),
        (_("Total"), format_sum(line["total"])),
        (_("Percent"), format_percent(line["percent"])),
        (_("Negative"), format_sum(line["negative"])),
        (_("Tops found"), str(own.tops_found)),
        (_("Solos"), str(line["solos"])),
        (_("Warnings / penalties") if line["penalties"] else _("Warnings"), warned),
    ]


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


def _row(turn: PlayerTurn) -> list[str]:
    best = f"{turn.best['word']} {turn.best['ref']}" if turn.best else "–"
    return [
        str(turn.number),
        turn.rack,
        format_slip(turn.slip),
        _verdict(turn),
        str(turn.points),
        best,
        str(turn.top),
        format_sum(-turn.loss) if turn.loss > 0 else ("" if not turn.loss else f"+{-turn.loss}"),
        str(turn.total),
        rank_text(turn.rank),
    ]


def format_slip(slip: SlipEntry) -> str:
    """Format a slip: word, reference or crossing letters, declared score; a dash if there is none."""
    arrow = {"across": "→", "down": "↓"}.get(slip["direction"] or "", "")
    declared = "" if slip["declared"] is None else str(slip["declared"])
    parts = [slip["word"], f"{slip['ref'] or slip['hook'] or ''}{arrow}", declared]
    return " ".join(part for part in parts if part) or "–"


def _verdict(turn: PlayerTurn) -> str:
    """Return the verdict's sentence with its rule, and the judge if a person decided."""
    verdict, slip = turn.slip["verdict"], turn.slip
    parts = [_("★ Solo.") if turn.is_solo else ("★" if turn.has_top else ""), verdict["text"]]
    if rule := rule_beside(verdict):
        parts.append(f"({rule})")
    if slip["decided_by"] == "judge":
        parts.append(_("Decided by the judge: %(reason)s") % {"reason": slip["reason"] or "–"})
    return " ".join(part for part in parts if part)


def _draw_bars(sheet: Sheet, turns: Sequence[PlayerTurn]) -> None:
    """Draw a bar for each turn: the frame is the top score, the filled part the player's points."""
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
    size = fonts.fit_size(words, fonts.REGULAR, 6.4, sheet.room)
    with sheet.canvas.tagged("P"):
        sheet.text(MARGIN, sheet.y - 6, words, fonts.REGULAR, size, QUIET)
    sheet.y -= 6 + 3 * mm


def _draw_finds(sheet: Sheet, own: PlayerSheetView) -> None:
    """Draw the best finds and the largest losses side by side."""
    sheet.need(FOUND_AT - 10)
    middle = MARGIN + sheet.room / 2
    finds = [f"{format_slip(turn.slip)}{' ★' if turn.has_top else ''}" for turn in own.best_finds]
    numbers = [turn.number for turn in own.best_finds]
    missed = [
        f"{turn.best['word']} {turn.best['ref']} {turn.top} ({format_sum(-turn.loss)})" if turn.best else "–"
        for turn in own.worst_losses
    ]
    _list(sheet, MARGIN, _("Your best moves"), numbers, finds)
    _list(sheet, middle, _("Biggest losses"), [turn.number for turn in own.worst_losses], missed)
    sheet.y -= FOUND_AT - 10


def _list(sheet: Sheet, left: float, title: str, turns: Sequence[int], lines: Sequence[str]) -> None:
    room, y = sheet.room / 2 - 10, sheet.y - 9
    with sheet.canvas.tagged("H2"):
        sheet.text(left, y, title, fonts.BOLD, fonts.fit_size(title, fonts.BOLD, 9, room))
    for turn, line in zip(turns, lines, strict=True):
        y -= 12.5
        words = _("Turn %(turn)d: %(move)s") % {"turn": turn, "move": line}
        with sheet.canvas.tagged("P"):
            sheet.text(left, y, words, fonts.REGULAR, fonts.fit_size(words, fonts.REGULAR, 8.4, room))
