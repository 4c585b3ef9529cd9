"""Blank paper slips with table and turn, ordered so that the cut stack has each table's slips in sequence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from django.utils.translation import gettext as _
from django.utils.translation import override
from reportlab.lib.units import mm

from engine.archive.schema import Archive
from engine.board.coordinates import SIZE, Notation
from engine.rules.profile import Profile
from referee.pdf.drawing import fonts, heads
from referee.pdf.drawing.cut_cells import Cell, cells, draw_cut_marks, fit_text
from referee.pdf.drawing.sheet import QUIET, Sheet
from tournaments.models import Game, Room
from tournaments.results.queries.archive import export_game

COLUMNS, ROWS = 2, 5
ON_A_PAGE = COLUMNS * ROWS
INSIDE = 5 * mm
USUAL_TURNS, MOST_TURNS = 20, 60
BLANK = "blank"
_TURNS = re.compile(r"[1-9][0-9]?")


@dataclass(frozen=True, slots=True)
class BlankSlip:
    """Table and turn of a slip; 0 leaves a line to write on."""

    table: int = 0
    turn: int = 0


def slips_pdf(archive: Archive, *, language: str, paper: str = "a4") -> bytes:
    """Draw slips for every player of a game and each turn; before the end, for the usual number of turns."""
    turns = len(archive["turns"]) or Profile.from_switches(archive["profile"]).max_turns or USUAL_TURNS
    return draw_slips(archive, stack_slips(_tables(archive), turns), language=language, paper=paper)


def chosen_slips_pdf(game: Game, room: Room, choice: str, *, language: str, paper: str = "a4") -> bytes:
    """Draw slips for a number of turns, or one page without numbers to be copied (see `reads_slips`)."""
    archive = cast(Archive, export_game(game, room, with_slips=False))
    wanted = [BlankSlip()] * ON_A_PAGE if choice == BLANK else stack_slips(_tables(archive), int(choice))
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


def _tables(archive: Archive) -> list[int]:
    return sorted(player["table"] for player in archive["players"])


def stack_slips(tables: Sequence[int], turns: int) -> list[BlankSlip]:
    """Return the slips in the order in which pages are filled.

    The stack is cut once through all pages and the piles are laid on each other from the upper left to the lower right.
    The slips are then sorted by table, and within a table by turn.
    """
    wanted = [BlankSlip(table, turn) for table in tables for turn in range(1, turns + 1)] or [BlankSlip()] * ON_A_PAGE
    pages = -(-len(wanted) // ON_A_PAGE)
    order = [pile * pages + page for page in range(pages) for pile in range(ON_A_PAGE)]
    return [wanted[at] if at < len(wanted) else BlankSlip() for at in order]


def draw_slips(archive: Archive, slips: Sequence[BlankSlip], *, language: str, paper: str) -> bytes:
    """Draw the slips in the given order, ten on a page."""
    with override(language):
        sheet = Sheet(_("Slips"), heads.subtitle(archive), [], foot=heads.game_foot(archive), paper=paper, bare=True)
        parts = cells(sheet, COLUMNS, ROWS)
        rules = Notation(archive["across"]), Profile.from_switches(archive["profile"]).takes_hooks
        form = [_form(sheet, part, archive["event"]["name"], *rules) for part in parts]
        for start in range(0, len(slips), ON_A_PAGE):
            if start:
                sheet.need(sheet.page_height)
            draw_cut_marks(sheet, COLUMNS, ROWS)
            for part, shape, slip in zip(parts, form, slips[start : start + ON_A_PAGE], strict=False):
                with sheet.canvas.tagged("P"):
                    shape.draw()
                    _numbers(sheet, part, slip)
        return sheet.finish()


def _numbers(sheet: Sheet, part: Cell, slip: BlankSlip) -> None:
    """Draw table and turn large in the upper corners, or a line to write on."""
    top = part.y + part.height - INSIDE - 15
    left, right = part.x + INSIDE, part.x + part.width - INSIDE
    sheet.text(left, top + 9, _("Table"), fonts.REGULAR, 6.6, QUIET)
    sheet.right(right, top + 9, _("Turn"), fonts.REGULAR, 6.6, QUIET)
    if slip.table:
        sheet.text(left, top - 10, str(slip.table), fonts.BOLD, 19)
        sheet.right(right, top - 10, str(slip.turn), fonts.BOLD, 19)
    else:
        sheet.line(left, top - 10, 34, thick=0.6)
        sheet.line(right - 34, top - 10, 34, thick=0.6)


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
    """Draw event, a square for each letter, reference with its arrows, score, and the letters of the blanks."""
    with sheet.canvas.recorded() as operators:
        left, room = part.x + INSIDE, part.width - 2 * INSIDE
        top = part.y + part.height - INSIDE
        for number, (size, line) in enumerate(fit_text(event, fonts.REGULAR, 8, room - 110, 2)):
            sheet.centred(part.x + part.width / 2, top - 9 - number * size * 1.2, line, fonts.REGULAR, size, QUIET)
        _word_squares(sheet, left, top - 40, room)
        box = _below(sheet, part, notation, top - 40 - 1.3 * room / SIZE - 8)
        if hooks:
            words = _("or 3 crossing letters")
            size = fonts.fit_size(words, fonts.REGULAR, 5, box.wide - 3)
            sheet.text(box.left + 1.5, box.low + 2, words, fonts.REGULAR, size, QUIET)
    return _Form(sheet, tuple(operators))


def _word_squares(sheet: Sheet, left: float, top: float, room: float) -> None:
    side = room / SIZE
    sheet.text(left, top + 3, _("Word, one letter per square"), fonts.REGULAR, 6.2, QUIET)
    low, high = top - side * 1.3, side * 1.3
    boxes = " ".join(f"{left + place * side:.2f} {low:.2f} {side:.2f} {high:.2f} re" for place in range(SIZE))
    sheet.canvas.draw(f"q 0.6 w {boxes} S Q")


def _below(sheet: Sheet, part: Cell, notation: Notation, top: float) -> _Box:
    """Draw reference and direction (left), blank (middle) and score (right); return the box of the reference."""
    left, room = part.x + INSIDE, part.width - 2 * INSIDE
    side = min(8.4 * mm, top - part.y - INSIDE - 12)
    across, down = ("8H", "H8") if notation is Notation.NUMBER_FIRST else ("H8", "8H")
    fields = (
        (left, side * 2.2, _("Reference")),
        (left + side * 2.2 + 6, side * 2.3, _("Direction")),
        (left + side * 4.5 + 14, side * 2, _("Blank = letter")),
        (left + room - side * 2.1, side * 2.1, _("Score")),
    )
    low = top - side - 8
    for x, wide, name in fields:
        size = fonts.fit_size(name, fonts.REGULAR, 6.2, wide + 4)
        sheet.text(x, top - 5, name, fonts.REGULAR, size, QUIET)
    (first, wide, _name), (arrows, both, _name), (blank, two, _name), (score, points, _name) = fields
    halves = [(x + place * width / 2, width / 2) for x, width in ((arrows, both), (blank, two)) for place in (0, 1)]
    for x, width in ((first, wide), *halves):
        sheet.canvas.draw(f"q 0.6 w {x:.2f} {low:.2f} {width:.2f} {side:.2f} re S Q")
    sheet.canvas.draw(f"q 1.2 w {score:.2f} {low:.2f} {points:.2f} {side:.2f} re S Q")
    for x, arrow, example in ((arrows, "→", across), (arrows + both / 2, "↓", down)):
        sheet.centred(x + both / 4, low + side * 0.36, arrow, fonts.BOLD, side * 0.5)
        sheet.centred(x + both / 4, low + side * 0.1, example, fonts.REGULAR, side * 0.22, QUIET)
    return _Box(first, low, wide)
