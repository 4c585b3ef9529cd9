"""Call sheets in large type: what the caller reads aloud in a turn, or in a whole game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from django.utils.translation import gettext as _
from django.utils.translation import override

from engine.archive.schema import Archive, MasterEntry, TurnEntry, edition_of
from engine.board.coordinates import Notation
from engine.prepared.script import Script
from engine.prepared.script import edition_of as edition_of_script
from engine.prepared.script import profile_of as profile_of_script
from engine.tiles.edition import Edition
from referee.calls.caller_text import MoveCall, RackCall, TileCall, build_move_call, build_rack_call
from referee.pdf.drawing import fonts, heads
from referee.pdf.drawing.sheet import LINE_HEIGHT, MARGIN, QUIET, RULE, Sheet

FACE, WORD, SMALL, BODY = 30.0, 14.0, 9.5, 11.0
BLOCK = 118.0


@dataclass(frozen=True, slots=True)
class TurnCalls:
    """Calls of a turn; `move` is None until a move is placed."""

    rack: RackCall
    move: MoveCall | None


def call_pdf(archive: Archive, turn: int, *, language: str, paper: str = "a4") -> bytes:
    """Draw the call sheet of one turn: the rack with its code words, the move once placed, the next rack once drawn."""
    with override(language):
        calls = {each.rack.turn: each for each in _of_archive(archive)}
        title = _("Call sheet: turn %(number)d") % {"number": turn}
        sheet = Sheet(title, heads.subtitle(archive), [], foot=heads.game_foot(archive), paper=paper)
        _draw_large_call(sheet, calls[turn], calls.get(turn + 1))
        return sheet.finish()


def calls_pdf(archive: Archive, *, language: str, paper: str = "a4") -> bytes:
    """Draw the call sheets of a whole game, several turns a page."""
    with override(language):
        facts = heads.game_facts(archive)[:1]
        sheet = Sheet(_("Call sheets"), heads.subtitle(archive), facts, foot=heads.game_foot(archive), paper=paper)
        _draw_all_calls(sheet, _of_archive(archive))
        return sheet.finish()


def prepared_calls_pdf(script: Script, *, language: str, paper: str = "a4") -> bytes:
    """Draw the call sheets of a prepared game, with all its secrets, for the judge who has opened the seal."""
    with override(language):
        foot = heads.foot_of(script["draw"]["commitment"])
        sheet = Sheet(_("Call sheets"), script["title"], [_("For the caller only")], foot=foot, paper=paper)
        edition, notation = edition_of_script(script), profile_of_script(script).notation
        moves = [(turn["number"], turn["rack"], turn["master"]) for turn in script["turns"]]
        _draw_all_calls(sheet, _calls(moves, edition, notation, script["rhythm_s"]))
        return sheet.finish()


def _of_archive(archive: Archive) -> list[TurnCalls]:
    edition, notation = edition_of(archive), Notation(archive["across"])
    moves = [(turn["number"], turn["rack"], turn["master"]) for turn in archive["turns"]]
    placed = {turn["number"] for turn in _list_placed_turns(archive["turns"])}
    calls = _calls(moves, edition, notation, archive["rhythm_s"])
    return [each if each.rack.turn in placed else TurnCalls(each.rack, None) for each in calls]


def _list_placed_turns(turns: Sequence[TurnEntry]) -> Iterator[TurnEntry]:
    """List the finished turns: those with a move, or followed by another turn."""
    for number, turn in enumerate(turns, 1):
        if turn["master"] is not None or number < len(turns):
            yield turn


def _calls(
    moves: Sequence[tuple[int, str, MasterEntry | None]], edition: Edition, notation: Notation, seconds: int
) -> list[TurnCalls]:
    totals = accumulate(master["score"] if master else 0 for _number, _rack, master in moves)
    return [
        TurnCalls(build_rack_call(edition, number, rack, seconds), _move(edition, notation, number, master, total))
        for (number, rack, master), total in zip(moves, totals, strict=True)
    ]


def _move(edition: Edition, notation: Notation, number: int, master: MasterEntry | None, total: int) -> MoveCall:
    if master is None:
        return build_move_call(edition, notation, number, "", "", None, total)
    return build_move_call(edition, notation, number, master["word"], master["ref"], master["score"], total)


def _draw_large_call(sheet: Sheet, calls: TurnCalls, following: TurnCalls | None) -> None:
    sheet.heading(_("The letters"), 16)
    _draw_tiles(sheet, calls.rack.tiles)
    sheet.paragraph(_("Time: %(time)s") % {"time": calls.rack.time}, size=WORD, font=fonts.BOLD)
    if calls.move is None:
        return
    sheet.heading(_("The move"), 16)
    _draw_large_move(sheet, calls.move)
    if following is not None:
        sheet.heading(_("Then: turn %(number)d") % {"number": following.rack.turn}, 16)
        sheet.paragraph(_faces(following.rack.tiles), size=FACE, font=fonts.BOLD)
        sheet.paragraph(following.rack.spelled, size=WORD)


def _draw_large_move(sheet: Sheet, move: MoveCall) -> None:
    if move.word:
        sheet.paragraph(f"{move.word}   {move.ref}", size=FACE, font=fonts.BOLD)
        sheet.paragraph(move.place, size=WORD)
        sheet.paragraph(move.spelled, size=BODY, colour=QUIET)
    sheet.paragraph(f"{move.points} · {move.total}", size=WORD, font=fonts.BOLD)


def _draw_tiles(sheet: Sheet, tiles: Iterable[TileCall]) -> None:
    """Draw a line for each tile: the letter large, the code word beside it."""
    for tile in tiles:
        sheet.need(FACE * LINE_HEIGHT)
        sheet.y -= FACE * LINE_HEIGHT
        with sheet.canvas.tagged("P"):
            sheet.text(MARGIN, sheet.y, tile.face, fonts.BOLD, FACE)
            sheet.text(MARGIN + 2.6 * FACE, sheet.y, tile.said, fonts.REGULAR, 0.7 * FACE)
    sheet.gap(WORD)


def _faces(tiles: Iterable[TileCall]) -> str:
    return "  ".join(tile.face for tile in tiles)


def _draw_all_calls(sheet: Sheet, calls: Iterable[TurnCalls]) -> None:
    for each in calls:
        sheet.need(BLOCK)
        sheet.heading(_("Turn %(number)s") % {"number": each.rack.turn}, WORD)
        sheet.paragraph(f"{_faces(each.rack.tiles)}   ({each.rack.time})", size=16, font=fonts.BOLD)
        sheet.paragraph(each.rack.spelled, size=SMALL)
        if each.move is not None:
            _draw_small_move(sheet, each.move)
        sheet.line(MARGIN, sheet.y, sheet.room, colour=RULE)
        sheet.gap(4)


def _draw_small_move(sheet: Sheet, move: MoveCall) -> None:
    if move.word:
        sheet.paragraph(f"{move.word}   {move.ref} – {move.place}", size=13, font=fonts.BOLD)
        sheet.paragraph(move.spelled, size=SMALL, colour=QUIET)
    sheet.paragraph(f"{move.points} · {move.total}", size=BODY)
