"""Blank paper slips with table and turn, ordered so that the cut stack has each table's slips in sequence."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from django.utils.translation import gettext as _
from django.utils.translation import override
from reportlab.lib.units import mm

from engine.archive.schema import Archive
from engine.board.coordinates import SIZE, Notation
from engine.rules.profile import Profile
from referee.pdf.drawing import fonts, heads
from referee.pdf.drawing.cut_cells import Cell, cells, draw_cut_lines
from referee.pdf.drawing.sheet import QUIET, Sheet
from tournaments.models import Game, Room
from tournaments.results.queries.archive import export_game

COLUMNS, ROWS = 2, 6
ON_A_PAGE = COLUMNS * ROWS
INSIDE = 6 * mm
LABEL = 6  # font size of the names of the fields
HEAD_TOP, NUMBER_WIDTH, LOGO_WIDTH = 9.5 * mm, 40, 22 * mm
USUAL_TURNS, MOST_TURNS = 20, 60
BLANK = "blank"
_TURNS = re.compile(r"[1-9][0-9]?")


@dataclass(frozen=True, slots=True)
class BlankSlip:
    """Table, turn and player of a slip; 0 and "" leave a line to write on."""

    table: int = 0
    turn: int = 0
    name: str = ""


def slips_pdf(archive: Archive, *, language: str, paper: str = "a4") -> bytes:
    """Draw slips for every player of a game and each turn; before the end, for the usual number of turns."""
    turns = len(archive["turns"]) or Profile.from_switches(archive["profile"]).max_turns or USUAL_TURNS
    return draw_slips(archive, stack_slips(_names_by_table(archive), turns), language=language, paper=paper)


def chosen_slips_pdf(game: Game, room: Room, choice: str, *, language: str, paper: str = "a4") -> bytes:
    """Draw slips for a number of turns, or one page without numbers to be copied (see `reads_slips`)."""
    archive = cast(Archive, export_game(game, room, with_slips=False))
    wanted = [BlankSlip()] * ON_A_PAGE if choice == BLANK else stack_slips(_names_by_table(archive), int(choice))
    return draw_slips(archive, wanted, language=language, paper=paper)


def reads_slips(choice: str) -> bool:
    """Return True if a text is a valid choice of slips."""
    return choice == BLANK or bool(_TURNS.fullmatch(choice) and int(choice) <= MOST_TURNS)


def offered_slips(game: Game, room: Room) -> list[tuple[str, str]]:
    """List the choices that the desk offers."""
    return [(text, label_of_slips(text)) for text in ("20", "25", "30", "40", BLANK)]


def label_of_slips(choice: str) -> str:
    """Return the label of a choice."""
    if choice == BLANK:
        return _("one page without numbers, to copy")
    return _("every table, turns 1–%(turns)s") % {"turns": choice}


def _names_by_table(archive: Archive) -> dict[int, str]:
    return {player["table"]: player["name"] for player in archive["players"]}


def stack_slips(names: Mapping[int, str], turns: int) -> list[BlankSlip]:
    """Return the slips in the order in which pages are filled.

    The stack is cut once through all pages and the piles are laid on each other from the upper left to the lower right.
    The slips are then sorted by table, and within a table by turn.
    """
    wanted = [BlankSlip(table, turn, names[table]) for table in sorted(names) for turn in range(1, turns + 1)]
    wanted = wanted or [BlankSlip()] * ON_A_PAGE
    pages = -(-len(wanted) // ON_A_PAGE)
    order = [pile * pages + page for page in range(pages) for pile in range(ON_A_PAGE)]
    return [wanted[at] if at < len(wanted) else BlankSlip() for at in order]


def draw_slips(archive: Archive, slips: Sequence[BlankSlip], *, language: str, paper: str) -> bytes:
    """Draw the slips in the given order, twelve on a page."""
    with override(language):
        sheet = Sheet(_("Slips"), heads.subtitle(archive), [], paper=paper, bare=True)
        parts = cells(sheet, COLUMNS, ROWS)
        rules = Notation(archive["across"]), Profile.from_switches(archive["profile"]).takes_hooks
        form = [_form(sheet, part, archive["event"]["name"], *rules) for part in parts]
        for start in range(0, len(slips), ON_A_PAGE):
            if start:
                sheet.need(sheet.page_height)
            draw_cut_lines(sheet, COLUMNS, ROWS)
            for part, shape, slip in zip(parts, form, slips[start : start + ON_A_PAGE], strict=False):
                with sheet.canvas.tagged("P"):
                    shape.draw()
                    _numbers(sheet, part, slip)
        return sheet.finish()


def _numbers(sheet: Sheet, part: Cell, slip: BlankSlip) -> None:
    """Draw logo, table, turn and name in the head of a slip, or lines to write on."""
    top = part.y + part.height - HEAD_TOP
    left, right = part.x + INSIDE, part.x + part.width - INSIDE
    sheet.logo(left + NUMBER_WIDTH, top - 10, LOGO_WIDTH, 17, align=0)
    if slip.table:
        sheet.text(left, top - 9, str(slip.table), fonts.BOLD, fonts.fit_size(str(slip.table), fonts.BOLD, 17, 34))
        sheet.right(right, top - 9, str(slip.turn), fonts.BOLD, 17)
    else:
        sheet.line(left, top - 10, 28, thick=0.6)
        sheet.line(right - 28, top - 10, 28, thick=0.6)
    field = _name_field(sheet, part)
    size, lines = fonts.fit_box(slip.name, fonts.REGULAR, 9, field.wide, 16)
    for number, line in enumerate(reversed(lines)):
        sheet.text(field.left, field.low + 2.5 + number * size * fonts.BOX_LINE, line, fonts.REGULAR, size)


def _name_field(sheet: Sheet, part: Cell) -> _Box:
    """Return the line for the name, between the table and the turn."""
    logo = LOGO_WIDTH if sheet.letterhead.logo else 0
    left = part.x + INSIDE + NUMBER_WIDTH + logo
    return _Box(left, part.y + part.height - HEAD_TOP - 10, part.x + part.width - INSIDE - NUMBER_WIDTH - left)


@dataclass(frozen=True, slots=True)
class _Box:
    """Lower left corner and width of a field, in points."""

    left: float
    low: float
    wide: float


@dataclass(frozen=True, slots=True)
class _Form:
    """Drawing that is the same on every slip at one position of the page; recorded once and repeated."""

    sheet: Sheet
    operators: tuple[str, ...]

    def draw(self) -> None:
        self.sheet.canvas.draw("\n".join(self.operators))


def _form(sheet: Sheet, part: Cell, event: str, notation: Notation, hooks: bool) -> _Form:
    """Draw the names of table, turn and name, a square for each letter, and the row of fields below.

    What the head, the labels and the event leave of the height goes to the two rows of boxes.
    """
    with sheet.canvas.recorded() as operators:
        left, room = part.x + INSIDE, part.width - 2 * INSIDE
        top, field = part.y + part.height - HEAD_TOP, _name_field(sheet, part)
        sheet.text(left, top + 8, _("Table"), fonts.REGULAR, LABEL, QUIET)
        sheet.right(left + room, top + 8, _("Turn"), fonts.REGULAR, LABEL, QUIET)
        sheet.text(field.left, top + 8, _("Name"), fonts.REGULAR, LABEL, QUIET)
        sheet.line(field.left, field.low, field.wide, thick=0.6)
        line = " · ".join(text for text in (event, sheet.letterhead.sponsor) if text)
        small = fonts.fit_size(line, fonts.REGULAR, LABEL, room)
        sheet.centred(part.x + part.width / 2, part.y + INSIDE - 2, line, fonts.REGULAR, small, QUIET)
        high = (field.low - part.y - INSIDE - 3 * LABEL - 16) / 2
        _word_squares(sheet, left, field.low - LABEL - 5, room, high)
        box = _below(sheet, part, notation, part.y + INSIDE + LABEL + 1, high)
        if hooks:
            words = _("or 3 crossing letters")
            size = fonts.fit_size(words, fonts.REGULAR, 5, box.wide - 3)
            sheet.text(box.left + 1.5, box.low + 2, words, fonts.REGULAR, size, QUIET)
    return _Form(sheet, tuple(operators))


def _word_squares(sheet: Sheet, left: float, label: float, room: float, high: float) -> None:
    """Draw a box for each letter of the longest word below their label."""
    side, low = room / SIZE, label - 3 - high
    sheet.text(left, label, _("Word, one letter per square"), fonts.REGULAR, LABEL, QUIET)
    boxes = " ".join(f"{left + place * side:.2f} {low:.2f} {side:.2f} {high:.2f} re" for place in range(SIZE))
    sheet.canvas.draw(f"q 0.6 w {boxes} S Q")


def _below(sheet: Sheet, part: Cell, notation: Notation, low: float, high: float) -> _Box:
    """Draw reference, direction, blanks and score over the whole width; return the box of the reference."""
    left, room = part.x + INSIDE, part.width - 2 * INSIDE
    across, down = ("8H", "H8") if notation is Notation.NUMBER_FIRST else ("H8", "8H")
    names = (_("Reference"), _("Direction"), _("Blank = letter"), _("Score"))
    gap = 7.0
    widths = [(room - 3 * gap) * share for share in (0.27, 0.25, 0.23, 0.25)]
    lefts = [left + sum(widths[:at]) + at * gap for at in range(4)]
    for x, wide, name in zip(lefts, widths, names, strict=True):
        size = fonts.fit_size(name, fonts.REGULAR, LABEL, wide + gap - 2)
        sheet.text(x, low + high + 3, name, fonts.REGULAR, size, QUIET)
    boxes = [(lefts[0], widths[0]), *((x + half, wide) for x, wide, half in _halves(lefts, widths))]
    for x, wide in boxes:
        sheet.canvas.draw(f"q 0.6 w {x:.2f} {low:.2f} {wide:.2f} {high:.2f} re S Q")
    sheet.canvas.draw(f"q 1.2 w {lefts[3]:.2f} {low:.2f} {widths[3]:.2f} {high:.2f} re S Q")
    for x, arrow, example in ((lefts[1], "→", across), (lefts[1] + widths[1] / 2, "↓", down)):
        sheet.centred(x + widths[1] / 4, low + high * 0.42, arrow, fonts.BOLD, high * 0.48)
        sheet.centred(x + widths[1] / 4, low + high * 0.12, example, fonts.REGULAR, high * 0.24, QUIET)
    return _Box(lefts[0], low, widths[0])


def _halves(lefts: Sequence[float], widths: Sequence[float]) -> list[tuple[float, float, float]]:
    """Return (left, width, offset) of the two boxes of direction and of blanks."""
    return [(lefts[at], widths[at] / 2, widths[at] / 2 * second) for at in (1, 2) for second in (0, 1)]
