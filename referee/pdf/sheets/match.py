"""Match sheet: every turn of a game, and the final board."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override, pgettext

from engine.archive.schema import Archive, MasterEntry, TurnEntry, edition_of
from engine.board.board import Board
from engine.board.coordinates import Notation, parse_reference
from engine.board.move import Move
from engine.draw.ledger_acts import draw_acts
from engine.play.kept_and_new import split_rack
from engine.play.turn import TurnOutcome, apply_master_move
from engine.rules.profile import Profile
from engine.tiles.edition import Edition
from engine.tiles.tiles import Tiles
from engine.variants.variant import load_variant
from referee.pdf.drawing import heads
from referee.pdf.drawing.board import draw_board
from referee.pdf.drawing.sheet import Column, Sheet
from referee.results.draw_act_text import sentences_of

_REPLACED = "*"
MOST_TOPS, SMALL = 12, 8


def match_pdf(archive: Archive, *, language: str, paper: str = "a4") -> bytes:
    """Draw every turn: rejected racks, rack, master move, reference, points, top, running total; then the board."""
    with override(language):
        sheet = Sheet(
            _("Match sheet"),
            heads.subtitle(archive),
            heads.game_facts(archive),
            paper=paper,
        )
        after = _list_outcomes(archive)
        sheet.gap(4)
        sheet.figures(_figures(archive))
        sheet.table(_columns(), _rows(archive, after))
        sheet.gap(8)
        board = after[-1].board if after else Board.empty(edition_of(archive))
        words = ", ".join(turn["master"]["word"] for turn in archive["turns"] if turn["master"])
        spoken = _("The final board, with its words in the order in which they were placed: %(words)s") % {
            "words": words
        }
        draw_board(sheet, board, Notation(archive["across"]), spoken=spoken)
        sheet.gap(10)
        for title, lines in _sections(archive, after):
            if lines:
                sheet.heading(title, 10)
                for line in lines:
                    sheet.paragraph(line, size=SMALL)
        return sheet.finish()


def _figures(archive: Archive) -> list[tuple[str, str]]:
    turns = archive["turns"]
    return [
        (_("Turns"), str(len(turns))),
        (_("Sum of the tops"), str(sum(turn["top"] for turn in turns))),
        (_("On the board"), str(sum(turn["master"]["score"] for turn in turns if turn["master"]))),
        (_("Rejected racks"), str(sum(len(turn["rejected"]) for turn in turns))),
        (_("Turns with equal tops"), str(sum(len(turn["tops"]) > 1 for turn in turns))),
        (_("Solos"), str(sum(turn["solo"] is not None for turn in turns))),
    ]


def _columns() -> list[Column]:
    return [
        Column(_("Turn"), 6),
        Column(_("Rejected racks"), 16, "left"),
        Column(_("Rack"), 19, "left"),
        Column(_("On the board"), 22, "left", bold=True),
        Column(_("Reference"), 11, "left"),
        Column(_("Points"), 8),
        Column(_("Total"), 8),
        Column(_("Top"), 7),
        Column(_("Sum of tops"), 9),
        Column(_("Equal tops"), 8),
        Column(_("Solo"), 7),
    ]


def _rows(archive: Archive, after: Sequence[TurnOutcome]) -> list[list[str]]:
    turns = archive["turns"]
    totals = accumulate(turn["master"]["score"] if turn["master"] else 0 for turn in turns)
    tops = accumulate(turn["top"] for turn in turns)
    edition = edition_of(archive)
    racks = [_rack(archive, turn, edition) for turn in turns]
    return [_row(*turn) for turn in zip(turns, racks, totals, tops, after, strict=True)]


def _rack(archive: Archive, turn: TurnEntry, edition: Edition) -> str:
    """Return the kept and the new letters of a turn: "AEI + RSTN"."""
    is_new = bool(turn["rejected"]) or Profile.from_switches(archive["profile"]).put_back == "always"
    return " + ".join(part for part in split_rack(edition, turn["kept"], turn["rack"], is_new=is_new) if part)


def _row(turn: TurnEntry, rack: str, total: int, tops: int, after: TurnOutcome) -> list[str]:
    master = turn["master"]
    return [
        str(turn["number"]),
        "  ".join(f"−{rack}" for rack in turn["rejected"]),
        rack,
        (master["word"] if master else "–") + (f" {_REPLACED}" if after.replaced else ""),
        master["ref"] if master else "",
        str(master["score"]) if master else "",
        str(total),
        str(turn["top"]),
        str(tops),
        f"+{len(turn['tops']) - 1}" if len(turn["tops"]) > 1 else "",
        _table(turn["solo"]) if turn["solo"] is not None else "",
    ]


def _table(number: int) -> str:
    return pgettext("a table by its number, as short as can be", "T%(table)d") % {"table": number}


def _list_outcomes(archive: Archive) -> list[TurnOutcome]:
    """List the state after each turn."""
    edition, profile = edition_of(archive), Profile.from_switches(archive["profile"])
    variant = load_variant(archive["formula"])
    steps = []
    for turn in archive["turns"]:
        move = None if turn["master"] is None else _move(turn["master"], edition, profile)
        board, rack = Board.parse(edition, turn["board"]), Tiles.parse(edition, turn["rack"])
        steps.append(apply_master_move(board, rack, move, profile, variant))
    return steps


def _move(master: MasterEntry, edition: Edition, profile: Profile) -> Move:
    reference = parse_reference(master["ref"], profile.notation)
    return Move(reference, edition.parse_word(master["word"]), master["score"])


def _sections(archive: Archive, after: Sequence[TurnOutcome]) -> list[tuple[str, list[str]]]:
    """List what does not fit into the table."""
    return [
        (_("Equal tops"), [_equal_tops(turn) for turn in archive["turns"] if len(turn["tops"]) > 1]),
        (_("Solos"), _solos(archive)),
        (_("How the game was drawn"), _draw_notes(archive, after)),
    ]


def _equal_tops(turn: TurnEntry) -> str:
    """Return the moves of a turn that score the top, in order of preference, up to the length of a line."""
    shown = [f"{top['word']} {top['ref']}" for top in turn["tops"][:MOST_TOPS]]
    more = len(turn["tops"]) - len(shown)
    facts = {"turn": turn["number"], "top": turn["top"], "moves": ", ".join(shown)}
    line = _("Turn %(turn)d, %(top)d points: %(moves)s") % facts
    if not more:
        return line
    return ngettext("%(line)s and %(n)d more", "%(line)s and %(n)d more", more) % {"line": line, "n": more}


def _solos(archive: Archive) -> list[str]:
    names = {player["table"]: player["name"] for player in archive["players"]}
    return [
        _("Turn %(turn)d, %(top)d points: table %(table)d, %(name)s")
        % {"turn": turn["number"], "top": turn["top"], "table": turn["solo"], "name": names.get(turn["solo"], "")}
        for turn in archive["turns"]
        if turn["solo"] is not None
    ]


def _draw_notes(archive: Archive, after: Sequence[TurnOutcome]) -> list[str]:
    lines = []
    if any("?" in turn["rack"] for turn in archive["turns"]):
        lines.append(_("Rack: letters kept + new letters. ? is a blank; on the board a small letter is a blank."))
    else:
        lines.append(_("Rack: letters kept + new letters."))
    if any(step.replaced for step in after):
        note = _("%(mark)s: after this turn a blank on the board was replaced by its letter.")
        lines.append(note % {"mark": _REPLACED})
    lines.extend(sentences_of(draw_acts(dict(entry) for entry in archive["ledger"]["entries"])))
    return lines
