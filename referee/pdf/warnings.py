"""Warnings and penalties to hand out: a slip for each, with what was done, the rule, what it costs, who says so."""

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

from engine.archive import Archive, SlipEntry
from engine.rules.sentences import warning_sentence
from referee.own_sheet import turns_shown
from referee.pdf import fonts, heads
from referee.pdf.cutting import Cell, cells, draw_cut_marks, fitted
from referee.pdf.player_page import slip_as_written
from referee.pdf.sheet import INK, QUIET, Sheet
from referee.rulings_text import rule_beside
from tournaments.models import Game, Room
from tournaments.selectors.archive import export_game
from tournaments.selectors.phases import turns_in

COLUMNS, ROWS = 2, 3
WHITE = HexColor("#ffffff")
INSIDE, BAR = 7 * mm, 11 * mm
_TURN = re.compile(r"[1-9][0-9]{0,2}")


@dataclass(frozen=True, slots=True)
class Notice:
    """What is handed to a player. `warned` counts his warnings in the game up to this one; `judge` decided himself."""

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
    """The notices of a game, or of one of its turns; without any, forms to be written by hand."""
    with override(language):
        sheet = Sheet(
            _("Warnings and penalties"), heads.subtitle(archive), [], foot=heads.foot(archive), paper=paper, bare=True
        )
        notices = notices_of(archive, turn)
        parts, line = cells(sheet, COLUMNS, ROWS), heads.subtitle(archive)
        for start in range(0, max(len(notices), 1), len(parts)):
            if start:
                sheet.need(sheet.page_height)
            draw_cut_marks(sheet, COLUMNS, ROWS)
            on_page: list[Notice | None] = [*notices[start : start + len(parts)]]
            for part, notice in zip(parts, on_page or [None] * len(parts), strict=False):
                _draw(sheet, part, notice, line, archive)
        return sheet.finish()


def chosen_warnings_pdf(game: Game, room: Room, choice: str, *, language: str, paper: str = "a4") -> bytes:
    """The notices of the turn whose number was chosen."""
    archive = cast(Archive, export_game(game, room, language=language))
    return warnings_pdf(archive, language=language, paper=paper, turn=int(choice))


def reads_turn(choice: str) -> bool:
    """Whether a text is the number of a turn."""
    return bool(_TURN.fullmatch(choice))


def offered_turns(game: Game, room: Room) -> list[tuple[str, str]]:
    """The whole game, then its turns, the newest first."""
    numbers = turns_in(game, room).order_by("-number").values_list("number", flat=True)
    return [("", _("the whole game")), *((str(number), label_of_turn(str(number))) for number in numbers)]


def label_of_turn(choice: str) -> str:
    """A turn in words."""
    return _("Turn %(number)s") % {"number": choice}


def notices_of(archive: Archive, turn: int | None = None) -> list[Notice]:
    """By turn and table; what was not judged to the end yet is left out."""
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
    """White on black for a penalty, a frame for a warning: nobody needs colours to tell them apart."""
    harsh = notice is not None and notice.penalty > 0
    title = _("Warning / penalty") if notice is None else _("Penalty") if harsh else _("Warning")
    sheet.canvas.draw(f"q 0 g 1.2 w {left:.2f} {top - BAR:.2f} {room:.2f} {BAR:.2f} re {'f' if harsh else 'S'} Q")
    colour = WHITE if harsh else INK
    with sheet.canvas.tagged("H1"):
        size = fonts.fitting_size(title, fonts.BOLD, 17, room * 0.62)
        sheet.text(left + 8, top - BAR / 2 - size * 0.36, title, fonts.BOLD, size, colour)
    if notice is not None and harsh:
        taken = ngettext("−%(n)d point", "−%(n)d points", notice.penalty) % {"n": notice.penalty}
        size = fonts.fitting_size(taken, fonts.BOLD, 14, room * 0.34)
        sheet.right(left + room - 8, top - BAR / 2 - size * 0.36, taken, fonts.BOLD, size, colour)


def _draw_who(sheet: Sheet, left: float, top: float, room: float, notice: Notice | None) -> float:
    """Table and turn, below them the name."""
    fields = [(_("Table"), str(notice.table) if notice else ""), (_("Turn"), str(notice.turn) if notice else "")]
    for number, (name, value) in enumerate(fields):
        x = left + number * room * 0.3
        with sheet.canvas.tagged("P"):
            small = fonts.fitting_size(name, fonts.REGULAR, 6.6, room * 0.28)
            sheet.text(x, top - 7, name, fonts.REGULAR, small, QUIET)
            if value:
                size = fonts.fitting_size(value, fonts.BOLD, 17, room * 0.27)
                sheet.text(x, top - 24, value, fonts.BOLD, size)
            else:
                sheet.line(x, top - 26, room * 0.22, thick=0.6)
    if notice is None:
        sheet.text(left, top - 38, _("Name"), fonts.REGULAR, 6.6, QUIET)
        sheet.line(left, top - 54, room, thick=0.6)
        return top - 60
    y = top - 28
    with sheet.canvas.tagged("P"):
        for size, line in fitted(notice.name, fonts.BOLD, 10.5, room, 2):
            y -= size * 1.25
            sheet.text(left, y, line, fonts.BOLD, size)
    return y - 4


def _lines(notice: Notice, archive: Archive) -> list[str]:
    """Slip, what was wrong, the rule, how many warnings that makes."""
    verdict = notice.slip["verdict"]
    translate: Callable[[str], str] = _
    said = [verdict["text"]] if verdict["text"] else [warning_sentence(code, translate) for code in verdict["warnings"]]
    lines = [_("Slip: %(slip)s") % {"slip": slip_as_written(notice.slip)}, *said]
    if rule := rule_beside(verdict):
        lines.append(_("Rule: %(rule)s") % {"rule": rule})
    if verdict["warnings"] and archive["profile"]["free_warnings"] is None:  # else the verdict has counted them
        lines.append(_("Warnings in this game, this one included: %(n)d.") % {"n": notice.warned})
    lines.append(_("Points of this turn: %(n)d.") % {"n": verdict["points"]})
    if notice.judge:
        reason = notice.slip["reason"]
        lines.append(_("By the judge: %(reason)s") % {"reason": reason} if reason else _("Given by the judge."))
    return lines


def _draw_what(sheet: Sheet, left: float, top: float, room: float, low: float, lines: Sequence[str]) -> None:
    """The lines, as large as the slip has room for."""
    size = 8.8
    while _height(lines, size, room) > top - low:
        size *= 0.94
    y = top
    with sheet.canvas.tagged("P"):
        for line in lines:
            for part in fonts.wrapped(line, fonts.REGULAR, size, room):
                y -= size * 1.25
                sheet.text(left, y, part, fonts.REGULAR, size)
            y -= size * 0.35


def _height(lines: Sequence[str], size: float, room: float) -> float:
    return sum(len(fonts.wrapped(line, fonts.REGULAR, size, room)) * size * 1.25 + size * 0.35 for line in lines)


def _draw_lines(sheet: Sheet, left: float, top: float, room: float, low: float) -> None:
    """Lines to write on."""
    sheet.text(left, top - 8, _("What, and by which rule"), fonts.REGULAR, 6.6, QUIET)
    y = top - 26
    while y > low + 4:
        sheet.line(left, y, room, thick=0.6)
        y -= 18


def _draw_foot(sheet: Sheet, left: float, low: float, room: float, event: str) -> None:
    """The judge's hand, and of which event it is."""
    sheet.text(left, low + 14, pgettext("who signs", "Judge"), fonts.REGULAR, 6.6, QUIET)
    taken = fonts.width(pgettext("who signs", "Judge"), fonts.REGULAR, 6.6) + 6
    sheet.line(left + taken, low + 13, room - taken, thick=0.6)
    with sheet.canvas.tagged("P"):
        for number, (size, line) in enumerate(fitted(event, fonts.REGULAR, 6.6, room, 1)):
            sheet.text(left, low + number * size, line, fonts.REGULAR, size, QUIET)
