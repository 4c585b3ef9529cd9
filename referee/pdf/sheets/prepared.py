"""Sealed sheet of a prepared game: a cover without secrets, then every turn for the judge alone."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from django.utils.translation import gettext as _
from django.utils.translation import override
from reportlab.lib.units import mm

from engine.board.board import Board
from engine.play.turn import TurnOutcome, apply_master_move
from engine.prepared.script import Script, ScriptTurn, edition_of, profile_of, variant_of
from engine.prepared.script_check import read_move
from engine.rules.rules_text import clock_text
from engine.tiles.tiles import Tiles
from referee.pdf.drawing import fonts, heads
from referee.pdf.drawing.board import draw_board
from referee.pdf.drawing.sheet import INK, MARGIN, QUIET, Column, Sheet
from tournaments.lexicons.names import edition_name, rules_name, variant_name

TITLE_SIZE, LINE = 26, 14
MOST_SHOWN = 4
BLANK_LINE = "_" * 34


def prepared_pdf(script: Script, *, language: str, paper: str = "a4") -> bytes:
    """Draw a prepared game: the cover, to be folded around the rest, then every turn, then the final board.

    Each turn has the rejected racks, rack, tops, master move, running total and a check of the tiles. Raises
    `ScriptError` for content that this program does not know.
    """
    with override(language):
        sheet = Sheet(_("Prepared game"), script["title"], _facts(script), paper=paper)
        _cover(sheet, script)
        sheet.need(sheet.page_height)
        after = _list_outcomes(script)
        sheet.table(_columns(), [_row(*line) for line in zip(script["turns"], _totals(script), after, strict=True)])
        for line in _closing_lines(script, after):
            sheet.paragraph(line)
        sheet.gap(10)
        rules = profile_of(script)
        draw_board(sheet, after[-1].board if after else Board.empty(edition_of(script)), rules.notation)
        return sheet.finish()


def _facts(script: Script) -> list[str]:
    """List the public facts of a prepared game."""
    rules, variant = profile_of(script), variant_of(script)
    by = _("Edition: %(edition)s · Rules: %(rules)s") % {
        "edition": edition_name(edition_of(script)),
        "rules": rules_name(rules, variant),
    }
    timed = _("Variant: %(variant)s, %(time)s a turn") % {
        "variant": variant_name(variant),
        "time": clock_text(script["rhythm_s"]),
    }
    words = script["lexicon"]
    return [f"{by} · {timed}", heads.word_list_line(words["name"], words["words"])]


def _cover(sheet: Sheet, script: Script) -> None:
    """Draw the first page: title and fingerprint on the outside, the fold, and who broke the seal."""
    sheet.gap(16 * mm)
    sheet.paragraph(_("Sealed – for the judge only"), size=LINE, font=fonts.BOLD)
    sheet.paragraph(script["title"], size=TITLE_SIZE, font=fonts.BOLD)
    if script["draw"]["commitment"]:
        sheet.gap(4 * mm)
        sheet.paragraph(
            _("Fingerprint of the draw, which everybody may know before the first rack:"), size=LINE, colour=QUIET
        )
        sheet.paragraph(script["draw"]["commitment"], size=10.5)
    _fold(sheet)
    for line in (
        _("Fold here with the other pages inside, staple, and open only at the judge’s table."),
        _("Anyone who has seen the contents may not play."),
    ):
        sheet.paragraph(line, size=11)
    sheet.gap(14 * mm)
    for label in (_("Opened by:"), _("Day and time:"), _("Event:")):
        sheet.paragraph(f"{label} {BLANK_LINE}", size=LINE)
        sheet.gap(6 * mm)


def _fold(sheet: Sheet) -> None:
    """Draw a dashed line across the middle of the page."""
    middle = float(sheet.page_height / 2)
    sheet.canvas.saveState()
    sheet.canvas.setStrokeColor(INK)
    sheet.canvas.setDash(4, 4)
    sheet.canvas.line(MARGIN / 2, middle, sheet.page_width - MARGIN / 2, middle)
    sheet.canvas.restoreState()
    sheet.y = middle - 4 * mm


def _columns() -> list[Column]:
    return [
        Column(_("Turn"), 7),
        Column(_("Rejected racks"), 15, "left"),
        Column(_("Rack"), 14, "left", bold=True),
        Column(_("Best moves"), 28, "left"),
        Column(_("On the board"), 24, "left", bold=True),
        Column(_("Total"), 7),
        Column(_("Bag"), 6),
    ]


def _totals(script: Script) -> list[int]:
    return list(accumulate(turn["master"]["score"] if turn["master"] else 0 for turn in script["turns"]))


def _row(turn: ScriptTurn, total: int, after: TurnOutcome) -> list[str]:
    master = turn["master"]
    chosen = f" ({_('judge')})" if master and master["chosen_by"] == "judge" else ""
    return [
        str(turn["number"]),
        "  ".join(f"−{rack}" for rack in turn["rejected"]),
        turn["rack"],
        _best_moves(turn),
        f"{master['word']} {master['ref']} {master['score']}{chosen}" if master else "–",
        str(total),
        str(after.bag.total),
    ]


def _best_moves(turn: ScriptTurn) -> str:
    """Return the first tops, and the number of the others."""
    shown = [f"{top['word']} {top['ref']} {top['score']}" for top in turn["tops"][:MOST_SHOWN]]
    more = len(turn["tops"]) - len(shown)
    return "  ".join([*shown, f"+ {more}"] if more else shown)


def _list_outcomes(script: Script) -> list[TurnOutcome]:
    """Return the state after each turn."""
    edition, rules, variant = edition_of(script), profile_of(script), variant_of(script)
    steps = []
    for turn in script["turns"]:
        move = read_move(turn, edition, rules)
        board, rack = Board.parse(edition, turn["board"]), Tiles.parse(edition, turn["rack"])
        steps.append(apply_master_move(board, rack, move, rules, variant))
    return steps


def _closing_lines(script: Script, after: Sequence[TurnOutcome]) -> list[str]:
    tops = sum(turn["top"] for turn in script["turns"])
    lines = ["", _("Sum of the tops: %(sum)s") % {"sum": tops}]
    if after:
        lines.append(_bag_check(after[-1]))
    if script["lexicon"]["accepted"]:
        words = ", ".join(ruling["word"] for ruling in script["lexicon"]["accepted"])
        lines.append(_("Accepted words: %(words)s") % {"words": words})
    if seed := script["draw"]["seed"]:
        lines.append(_("Seed of the draw: %(seed)s") % {"seed": seed})
    return lines


def _bag_check(last: TurnOutcome) -> str:
    """Return the location of all tiles at the end, for a judge who replays the game with a box of tiles."""
    board, leave, bag = last.board.tiles.total, last.kept.total, last.bag.total
    return _("All tiles: %(board)d on the board + %(kept)d on the rack (%(rack)s) + %(bag)d in the bag (%(left)s).") % {
        "board": board,
        "kept": leave,
        "rack": last.kept.text or "–",
        "bag": bag,
        "left": last.bag.text or "–",
    }
