"""The match sheet: every turn of a game, and the board as it stood at the end."""

from __future__ import annotations

from itertools import accumulate

from django.utils.translation import gettext as _
from django.utils.translation import override

from engine.archive import Archive, TurnEntry
from engine.board import Board
from engine.coords import Notation, parse_reference
from engine.edition import load_edition
from referee.pdf import heads
from referee.pdf.board import draw_board
from referee.pdf.sheet import Column, Sheet


def match_pdf(archive: Archive, *, language: str, paper: str = "a4") -> bytes:
    """Turn by turn: rejected racks, rack, master move, reference, points, top, running total; then the board."""
    with override(language):
        sheet = Sheet(_("Match sheet"), heads.subtitle(archive), heads.facts(archive), paper=paper)
        sheet.table(_columns(), _rows(archive))
        sheet.y -= 10
        draw_board(sheet, _final_board(archive), Notation(archive["across"]))
        for line in _closing_lines(archive):
            sheet.paragraph(line)
        return sheet.finish()


def _columns() -> list[Column]:
    return [
        Column(_("Turn"), 6),
        Column(_("Rejected racks"), 20, "left"),
        Column(_("Rack"), 16, "left"),
        Column(_("On the board"), 24, "left", bold=True),
        Column(_("Reference"), 10, "left"),
        Column(_("Points"), 8),
        Column(_("Total"), 8),
        Column(_("Top"), 8),
    ]


def _rows(archive: Archive) -> list[list[str]]:
    turns = archive["turns"]
    totals = accumulate(turn["master"]["score"] if turn["master"] else 0 for turn in turns)
    return [_row(turn, total) for turn, total in zip(turns, totals, strict=True)]


def _row(turn: TurnEntry, total: int) -> list[str]:
    master = turn["master"]
    return [
        str(turn["number"]),
        "  ".join(f"−{rack}" for rack in turn["rejected"]),
        turn["rack"],
        master["word"] if master else "–",
        master["ref"] if master else "",
        str(master["score"]) if master else "",
        str(total),
        str(turn["top"]),
    ]


def _final_board(archive: Archive) -> Board:
    edition = load_edition(archive["edition"])
    if not archive["turns"]:
        return Board.empty(edition)
    last = archive["turns"][-1]
    board = Board.parse(edition, last["board"])
    if last["master"] is None:
        return board
    reference = parse_reference(last["master"]["ref"], Notation(archive["across"]))
    return board.with_word(reference, edition.parse_word(last["master"]["word"]))


def _closing_lines(archive: Archive) -> list[str]:
    tops = sum(turn["top"] for turn in archive["turns"])
    lines = [_("Sum of the tops: %(sum)s") % {"sum": tops}]
    if seed := archive["draw"]["seed"]:
        lines.append(_("Seed of the draw: %(seed)s") % {"seed": seed})
    if hall_word := archive["draw"]["hall_word"]:
        lines.append(_("Word of the hall: %(word)s") % {"word": hall_word})
    if entries := archive["ledger"]["entries"]:
        lines.append(_("Ledger: %(n)s entries, head %(head)s") % {"n": len(entries), "head": archive["ledger"]["head"]})
    return lines
