"""Forms to be filled in by hand: empty board, a player's own score sheet, appeal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from django.utils.translation import gettext as _
from django.utils.translation import override, pgettext
from reportlab.lib.units import mm

from engine.archive.schema import Archive, edition_of
from engine.board.board import Board
from engine.board.coordinates import Notation
from engine.rules.profile import Profile
from referee.pdf.drawing import fonts, heads
from referee.pdf.drawing.board import EDGES, draw_board_at
from referee.pdf.drawing.cut_cells import EDGE, Cell, cells, draw_cut_lines
from referee.pdf.drawing.sheet import BAND, LINE_HEIGHT, MARGIN, QUIET, Sheet
from tournaments.models import Game, Room
from tournaments.results.queries.archive import export_game

EACH_PLAYER = "players"
USUAL_TURNS, FEWEST_LINES = 25, 20
FIELD_LABEL = 7.0
APPEALS = 2  # on a page
INSIDE = 14 * mm


def blank_board_pdf(archive: Archive, *, language: str, paper: str = "a4") -> bytes:
    """Draw the empty board as large as the page allows, with coordinates and premium squares."""
    with override(language):
        sheet = Sheet(_("Board"), heads.subtitle(archive), heads.game_facts(archive)[:1], paper=paper)
        side = min(sheet.room / EDGES, sheet.height_left / EDGES)
        board = Board.empty(edition_of(archive))
        left = MARGIN + (sheet.room - EDGES * side) / 2
        draw_board_at(sheet, board, Notation(archive["across"]), left, side, spoken=_("The empty board"))
        return sheet.finish()


def score_sheet_pdf(archive: Archive, *, language: str, paper: str = "a4") -> bytes:
    """Draw one score sheet to be copied."""
    return draw_score_sheets(archive, [("", "")], language=language, paper=paper)


def chosen_score_sheets_pdf(game: Game, room: Room, choice: str, *, language: str, paper: str = "a4") -> bytes:
    """Draw a score sheet for each player, with table and name."""
    archive = cast(Archive, export_game(game, room, with_slips=False))
    players = [(str(player["table"]), player["name"]) for player in archive["players"]]
    return draw_score_sheets(archive, players or [("", "")], language=language, paper=paper)


def offered_score_sheets(game: Game, room: Room) -> list[tuple[str, str]]:
    """List the choices that the desk offers."""
    return [("", _("one page, to copy")), (EACH_PLAYER, label_of_score_sheets(EACH_PLAYER))]


def label_of_score_sheets(choice: str) -> str:
    """Return the label of a choice."""
    return _("one for each player, with the name")


def draw_score_sheets(archive: Archive, players: Sequence[tuple[str, str]], *, language: str, paper: str) -> bytes:
    """Draw a page for each (table, name) with a line for each turn; it fills the page."""
    with override(language):
        line = heads.subtitle(archive)
        sheet = Sheet(_("Score sheet"), line, [], paper=paper, empty=True)
        turns = Profile.from_switches(archive["profile"]).max_turns or USUAL_TURNS
        for table, name in players:
            sheet.part(_("Score sheet"), line, heads.game_facts(archive)[:1])
            _draw_fields(sheet, table, name)
            _draw_grid(sheet, max(turns, FEWEST_LINES))
        return sheet.finish()


def _draw_fields(sheet: Sheet, table: str, name: str) -> None:
    """Draw table and name, or lines for them."""
    left, wide = MARGIN, 30 * mm
    sheet.y -= 6 * mm
    for label, value, x, room in (
        (_("Table"), table, left, wide),
        (_("Name"), name, left + wide + 6 * mm, sheet.room - wide - 6 * mm),
    ):
        with sheet.canvas.tagged("P"):
            sheet.text(x, sheet.y + 2, label, fonts.REGULAR, FIELD_LABEL, QUIET)
            size, lines = fonts.fit_box(value, fonts.BOLD, 12, room, 15)
            for number, line in enumerate(lines):
                sheet.text(x, sheet.y - size - number * size * LINE_HEIGHT, line, fonts.BOLD, size)
        sheet.line(x, sheet.y - 17, room, thick=0.7)
    sheet.y -= 17 + 5 * mm


def _draw_grid(sheet: Sheet, turns: int) -> None:
    """Draw the header row and a row of boxes for each turn, and the box of the total."""
    titles = (_("Turn"), _("Rack"), _("Word"), _("Reference"), _("Points"), _("Total"))
    shares = (7, 24, 35, 13, 10, 11)
    rights = [MARGIN + sheet.room * sum(shares[: at + 1]) / 100 for at in range(len(shares))]
    lefts = [MARGIN, *rights[:-1]]
    with sheet.canvas.tagged("P"):
        for title, left, right in zip(titles, lefts, rights, strict=True):
            size = fonts.fit_size(title, fonts.BOLD, 8, right - left - 4)
            sheet.text(left + 2, sheet.y - 9, f"{title} ", fonts.BOLD, size)
    sheet.y -= 13
    top, high = sheet.y, sheet.height_left / turns
    for turn in range(turns):
        low = top - (turn + 1) * high
        if turn % 2:
            sheet.box(MARGIN, low, sheet.room, high, BAND)
        with sheet.canvas.tagged("P"):
            sheet.centred((lefts[0] + rights[0]) / 2, low + high / 2 - 3.2, str(turn + 1), fonts.BOLD, 9)
    lines = [
        f"{MARGIN:.2f} {top - at * high:.2f} m {rights[-1]:.2f} {top - at * high:.2f} l" for at in range(turns + 1)
    ]
    lines += [f"{x:.2f} {top:.2f} m {x:.2f} {top - turns * high:.2f} l" for x in (MARGIN, *rights)]
    with sheet.canvas.untagged():
        sheet.canvas.draw(f"q 0.5 w 0.3 G {' '.join(lines)} S Q")
    sheet.y = top - turns * high


def appeals_pdf(archive: Archive, *, language: str, paper: str = "a4") -> bytes:
    """Draw forms by which a player without a phone appeals, two on a page."""
    with override(language):
        sheet = Sheet(_("Appeals on paper"), heads.subtitle(archive), [], paper=paper, bare=True)
        draw_cut_lines(sheet, 1, APPEALS)
        for part in cells(sheet, 1, APPEALS):
            _draw_appeal(sheet, part, heads.subtitle(archive))
        return sheet.finish()


def _draw_appeal(sheet: Sheet, part: Cell, event: str) -> None:
    """Draw the fields of an appeal, and below them those of the judge."""
    left, room = part.x + INSIDE, part.width - 2 * INSIDE
    y = part.y + part.height - INSIDE
    logo, _height = sheet.logo(left + room - 40 * mm, y - 13 * mm, 40 * mm, 13 * mm, align=1)
    free = room - (logo + 8 if logo else 0)
    with sheet.canvas.tagged("H1"):
        size = fonts.fit_size(_("Appeal form"), fonts.BOLD, 20, free)
        sheet.text(left, y - 16, _("Appeal form"), fonts.BOLD, size)
    line = " · ".join(text for text in (event, sheet.letterhead.sponsor) if text)
    size, lines = fonts.fit_box(line, fonts.REGULAR, 8, free, 18)
    with sheet.canvas.tagged("P"):
        for number, text in enumerate(lines, 1):
            sheet.text(left, y - 22 - number * size * LINE_HEIGHT, text, fonts.REGULAR, size, QUIET)
    y -= 50
    y = _draw_row(sheet, left, y, room, ((_("Table"), 1), (_("Name"), 5), (_("Turn"), 1), (_("Hour"), 1.4)))
    fields = ((_("Word on the slip"), 3), (_("Reference"), 1.3), (_("Score on the slip"), 1.3))
    y = _draw_row(sheet, left, y, room, fields)
    low = part.y + max(EDGE, 10 * mm)
    judged = low + 96
    _draw_lines(sheet, left, y, room, _("What the judge should decide otherwise, and why"), judged + 24)
    sheet.line(left, judged + 8, room, thick=1.2)
    choices = "   ".join(f"☐ {text}" for text in _outcomes())
    with sheet.canvas.tagged("P"):
        title = _("Decision of the judge:")
        size = fonts.fit_size(f"{title}   {choices}", fonts.BOLD, 9, room)
        sheet.text(left, judged - 8, f"{title} ", fonts.BOLD, size)
        sheet.right(left + room, judged - 8, choices, fonts.REGULAR, size)
    _draw_lines(sheet, left, judged - 14, room, _("Reason and rule"), low + 34)
    signed = (
        (_("Signature of the player"), 1),
        (pgettext("who signs", "Judge"), 1),
        (_("Points after the decision"), 1),
    )
    _draw_row(sheet, left, low + 24, room, signed)


def _outcomes() -> tuple[str, ...]:
    return (
        pgettext("an appeal", "accepted"),
        pgettext("an appeal", "rejected"),
        pgettext("an appeal", "partly accepted"),
    )


def _draw_row(sheet: Sheet, left: float, y: float, room: float, fields: Sequence[tuple[str, float]]) -> float:
    """Draw lines to write on side by side, with their names below; return the y coordinate below them."""
    gap, total = 10.0, sum(share for _name, share in fields)
    for name, share in fields:
        wide = (room - gap * (len(fields) - 1)) * share / total
        sheet.line(left, y - 8, wide, thick=0.7)
        with sheet.canvas.tagged("P"):
            size = fonts.fit_size(name, fonts.REGULAR, FIELD_LABEL, wide)
            sheet.text(left, y - 16, name, fonts.REGULAR, size, QUIET)
        left += wide + gap
    return y - 40


def _draw_lines(sheet: Sheet, left: float, y: float, room: float, title: str, low: float) -> None:
    """Draw a title, and lines to write on down to `low`."""
    with sheet.canvas.tagged("P"):
        sheet.text(left, y - 8, title, fonts.REGULAR, fonts.fit_size(title, fonts.REGULAR, FIELD_LABEL, room), QUIET)
    y -= 28
    while y > low:
        sheet.line(left, y, room, thick=0.5)
        y -= 19
