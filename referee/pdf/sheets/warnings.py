"""Warning and penalty notices to hand out: the offence, the rule, the penalty and who decided."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override, pgettext
from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm

from engine.archive.schema import Archive, SlipEntry
from engine.judging.verdict_text import warning_sentence
from referee.pdf.drawing import fonts, heads
from referee.pdf.drawing.cut_cells import Cell, cells, draw_cut_lines, fit_text
from referee.pdf.drawing.sheet import INK, QUIET, Sheet
from referee.pdf.sheets.player_page import format_slip
from referee.results.player_sheet import turns_shown
from referee.results.ruling_text import rule_beside
from tournaments.models import Game, Room
from tournaments.play.queries.phases import turns_in
from tournaments.results.queries.archive import export_game

COLUMNS, ROWS = 2, 3
WHITE = HexColor("#ffffff")
INSIDE, BAR = 7 * mm, 11 * mm
_TURN = re.compile(r"[1-9][0-9]{0,2}")


@dataclass(frozen=True, slots=True)
class Notice:
    """Notice for one player.

    `warned` counts the player's warnings up to this one; `judge` is set if a person decided.
    """

    table: int
    name: str
    turn: int
    slip: SlipEntry
    warned: int
    judge: bool

    @property
    def penalty(self) -> int:
        return self.slip["verdict"]["penalty"]


def warnings_pdf(archive: Archive, *, language: str, paper: str = "a4", turn: int | None = None) -> bytes:
    """Draw the notices of a game, or of one turn; blank forms if there are none."""
    with override(language):
        sheet = Sheet(
            _("Warnings and penalties"),
            heads.subtitle(archive),
            [],
            paper=paper,
            bare=True,
        )
        notices = notices_of(archive, turn)
        parts = cells(sheet, COLUMNS, ROWS)
        line = " · ".join(text for text in (heads.subtitle(archive), sheet.letterhead.sponsor) if text)
        for start in range(0, max(len(notices), 1), len(parts)):
            if start:
                sheet.need(sheet.page_height)
            draw_cut_lines(sheet, COLUMNS, ROWS)
            on_page: list[Notice | None] = [*notices[start : start + len(parts)]]
            for part, notice in zip(parts, on_page or [None] * len(parts), strict=False):
                _draw(sheet, part, notice, line, archive)
        return sheet.finish()


def chosen_warnings_pdf(game: Game, room: Room, choice: str, *, language: str, paper: str = "a4") -> bytes:
    """Draw the notices of the chosen turn."""
    archive = cast(Archive, export_game(game, room, language=language))
    return warnings_pdf(archive, language=language, paper=paper, turn=int(choice))


def reads_turn(choice: str) -> bool:
    """Return True if a text can be the number of a turn."""
    return bool(_TURN.fullmatch(choice))


def offered_turns(game: Game, room: Room) -> list[tuple[str, str]]:
    """List the whole game, then its turns, the newest first."""
    numbers = turns_in(game, room).order_by("-number").values_list("number", flat=True)
    return [("", _("the whole game")), *((str(number), label_of_turn(str(number))) for number in numbers)]


def label_of_turn(choice: str) -> str:
    """Return the label of a choice."""
    return _("Turn %(number)s") % {"number": choice}


def notices_of(archive: Archive, turn: int | None = None) -> list[Notice]:
    """List the notices by turn and table, without slips that are still to be judged."""
    return [notice for notice in _all(archive) if turn is None or notice.turn == turn]


def _all(archive: Archive) -> Iterator[Notice]:
    names = {player["table"]: player["name"] for player in archive["players"]}
    warned: Counter[int] = Counter()
    for turn in turns_shown(archive):
        for slip in sorted(turn["slips"], key=lambda slip: slip["table"]):
            verdict, table = slip["verdict"], slip["table"]
            warned[table] += len(verdict["warnings"])
            if verdict["warnings"] or verdict["penalty"]:
                by_judge = slip["decided_by"] == "judge" or bool(slip.get("given"))
                yield Notice(table, names.get(table, ""), turn["number"], slip, warned[table], by_judge)


def _draw(sheet: Sheet, part: Cell, notice: Notice | None, line: str, archive: Archive) -> None:
    left, room = part.x + INSIDE, part.width - 2 * INSIDE
    top = part.y + part.height - INSIDE
    _draw_bar(sheet, left, top, room, notice)
    y = _draw_who(sheet, left, top - BAR - 8, room, notice)
    low = part.y + INSIDE + 34
    if notice is not None:
        _draw_what(sheet, left, y, room, low, _lines(notice, archive))
    else:
        _draw_lines(sheet, left, y, room, low)
    _draw_foot(sheet, left, part.y + INSIDE, room, line)


def _draw_bar(sheet: Sheet, left: float, top: float, room: float, notice: Notice | None) -> None:
    """Draw the bar of a notice: white on black for a penalty, a frame for a warning, so that no colour is needed."""
    harsh = notice is not None and notice.penalty > 0
    title = _("Warning / penalty") if notice is None else _("Penalty") if harsh else _("Warning")
    sheet.canvas.draw(f"q 0 g 1.2 w {left:.2f} {top - BAR:.2f} {room:.2f} {BAR:.2f} re {'f' if harsh else 'S'} Q")
    colour = WHITE if harsh else INK
    with sheet.canvas.tagged("H1"):
        size = fonts.fit_size(title, fonts.BOLD, 17, room * 0.62)
        sheet.text(left + 8, top - BAR / 2 - size * 0.36, title, fonts.BOLD, size, colour)
    if notice is not None and harsh:
        taken = ngettext("−%(n)d point", "−%(n)d points", notice.penalty) % {"n": notice.penalty}
        size = fonts.fit_size(taken, fonts.BOLD, 14, room * 0.34)
        sheet.right(left + room - 8, top - BAR / 2 - size * 0.36, taken, fonts.BOLD, size, colour)


def _draw_who(sheet: Sheet, left: float, top: float, room: float, notice: Notice | None) -> float:
    """Draw table and turn, and the name below them."""
    fields = [(_("Table"), str(notice.table) if notice else ""), (_("Turn"), str(notice.turn) if notice else "")]
    for number, (name, value) in enumerate(fields):
        x = left + number * room * 0.3
        with sheet.canvas.tagged("P"):
            small = fonts.fit_size(name, fonts.REGULAR, 6.6, room * 0.28)
            sheet.text(x, top - 7, name, fonts.REGULAR, small, QUIET)
            if value:
                size = fonts.fit_size(value, fonts.BOLD, 17, room * 0.27)
                sheet.text(x, top - 24, value, fonts.BOLD, size)
            else:
                sheet.line(x, top - 26, room * 0.22, thick=0.6)
    sheet.logo(left + room * 0.58, top - 26, room * 0.42, 24, align=1)
    if notice is None:
        sheet.text(left, top - 38, _("Name"), fonts.REGULAR, 6.6, QUIET)
        sheet.line(left, top - 54, room, thick=0.6)
        return top - 60
    y = top - 28
    with sheet.canvas.tagged("P"):
        for size, line in fit_text(notice.name, fonts.BOLD, 10.5, room, 2):
            y -= size * 1.25
            sheet.text(left, y, line, fonts.BOLD, size)
    return y - 4


def _lines(notice: Notice, archive: Archive) -> list[str]:
    """Return the slip, the offence, the rule and the number of warnings."""
    verdict = notice.slip["verdict"]
    translate: Callable[[str], str] = _
    said = [verdict["text"]] if verdict["text"] else [warning_sentence(code, translate) for code in verdict["warnings"]]
    lines = [_("Slip: %(slip)s") % {"slip": format_slip(notice.slip)}, *said]
    if rule := rule_beside(verdict):
        lines.append(_("Rule: %(rule)s") % {"rule": rule})
    if verdict["warnings"] and archive["profile"]["free_warnings"] is None:  # otherwise the verdict states the count
        lines.append(_("Warnings in this game, this one included: %(n)d.") % {"n": notice.warned})
    lines.append(_("Points of this turn: %(n)d.") % {"n": verdict["points"]})
    if notice.judge:
        reason = notice.slip["reason"]
        lines.append(_("By the judge: %(reason)s") % {"reason": reason} if reason else _("Given by the judge."))
    return lines


def _draw_what(sheet: Sheet, left: float, top: float, room: float, low: float, lines: Sequence[str]) -> None:
    """Draw the lines as large as the space allows."""
    size = 8.8
    while _height(lines, size, room) > top - low:
        size *= 0.94
    y = top
    with sheet.canvas.tagged("P"):
        for line in lines:
            for part in fonts.wrap_text(line, fonts.REGULAR, size, room):
                y -= size * 1.25
                sheet.text(left, y, part, fonts.REGULAR, size)
            y -= size * 0.35


def _height(lines: Sequence[str], size: float, room: float) -> float:
    return sum(len(fonts.wrap_text(line, fonts.REGULAR, size, room)) * size * 1.25 + size * 0.35 for line in lines)


def _draw_lines(sheet: Sheet, left: float, top: float, room: float, low: float) -> None:
    """Draw lines to write on."""
    sheet.text(left, top - 8, _("Fault and rule"), fonts.REGULAR, 6.6, QUIET)
    y = top - 26
    while y > low + 4:
        sheet.line(left, y, room, thick=0.6)
        y -= 18


def _draw_foot(sheet: Sheet, left: float, low: float, room: float, event: str) -> None:
    """Draw the line for the judge's signature, and the event."""
    sheet.text(left, low + 14, pgettext("who signs", "Judge"), fonts.REGULAR, 6.6, QUIET)
    taken = fonts.text_width(pgettext("who signs", "Judge"), fonts.REGULAR, 6.6) + 6
    sheet.line(left + taken, low + 13, room - taken, thick=0.6)
    with sheet.canvas.tagged("P"):
        for number, (size, line) in enumerate(fit_text(event, fonts.REGULAR, 6.6, room, 1)):
            sheet.text(left, low + number * size, line, fonts.REGULAR, size, QUIET)
