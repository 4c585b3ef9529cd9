"""The call sheet: what the caller reads aloud in a turn, large; and that of a whole game, turn after turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from django.utils.translation import gettext as _
from django.utils.translation import override

from engine.archive import Archive, MasterEntry, TurnEntry, edition_of
from engine.coords import Notation
from engine.edition import Edition
from engine.script import Script
from engine.script import edition_of as edition_of_script
from engine.script import profile_of as profile_of_script
from referee.calling import Called, MoveCall, RackCall, move_call, rack_call
from referee.pdf import fonts, heads
from referee.pdf.sheet import LINE_HEIGHT, MARGIN, QUIET, RULE, Sheet

FACE, WORD, SMALL, BODY = 30.0, 14.0, 9.5, 11.0
BLOCK = 118.0


@dataclass(frozen=True, slots=True)
class TurnCalls:
    """The calls of a turn; `move` is None while none is placed."""

    rack: RackCall
    move: MoveCall | None


def call_pdf(archive: Archive, turn: int, *, language: str, paper: str = "a4") -> bytes:
    """The call sheet of one turn: the rack in large type with its code words; then the move, once it is placed, and the
    next rack, once it is drawn."""
    with override(language):
        calls = {each.rack.turn: each for each in _of_archive(archive)}
        title = _("Call sheet: turn %(number)d") % {"number": turn}
        sheet = Sheet(title, heads.subtitle(archive), [], foot=heads.foot(archive), paper=paper)
        _large(sheet, calls[turn], calls.get(turn + 1))
        return sheet.finish()


def calls_pdf(archive: Archive, *, language: str, paper: str = "a4") -> bytes:
    """The call sheets of a whole game, several turns a page."""
    with override(language):
        facts = heads.facts(archive)[:1]
        sheet = Sheet(_("Call sheets"), heads.subtitle(archive), facts, foot=heads.foot(archive), paper=paper)
        _all(sheet, _of_archive(archive))
        return sheet.finish()


def prepared_calls_pdf(script: Script, *, language: str, paper: str = "a4") -> bytes:
    """The same of a prepared game: with all its secrets, for whoever has broken its seal."""
    with override(language):
        foot = heads.foot_of(script["draw"]["commitment"])
        sheet = Sheet(_("Call sheets"), script["title"], [_("For the caller alone")], foot=foot, paper=paper)
        edition, notation = edition_of_script(script), profile_of_script(script).notation
        moves = [(turn["number"], turn["rack"], turn["master"]) for turn in script["turns"]]
        _all(sheet, _calls(moves, edition, notation, script["rhythm_s"]))
        return sheet.finish()


def _of_archive(archive: Archive) -> list[TurnCalls]:
    edition, notation = edition_of(archive), Notation(archive["across"])
    moves = [(turn["number"], turn["rack"], turn["master"]) for turn in archive["turns"]]
    placed = {turn["number"] for turn in _placed(archive["turns"])}
    calls = _calls(moves, edition, notation, archive["rhythm_s"])
    return [each if each.rack.turn in placed else TurnCalls(each.rack, None) for each in calls]


def _placed(turns: Sequence[TurnEntry]) -> Iterator[TurnEntry]:
    """Those that are over: a turn has a move, or another one has come after it."""
    for number, turn in enumerate(turns, 1):
        if turn["master"] is not None or number < len(turns):
            yield turn


def _calls(
    moves: Sequence[tuple[int, str, MasterEntry | None]], edition: Edition, notation: Notation, seconds: int
) -> list[TurnCalls]:
    totals = accumulate(master["score"] if master else 0 for _number, _rack, master in moves)
    return [
        TurnCalls(rack_call(edition, number, rack, seconds), _move(edition, notation, number, master, total))
        for (number, rack, master), total in zip(moves, totals, strict=True)
    ]


def _move(edition: Edition, notation: Notation, number: int, master: MasterEntry | None, total: int) -> MoveCall:
    if master is None:
        return move_call(edition, notation, number, "", "", None, total)
    return move_call(edition, notation, number, master["word"], master["ref"], master["score"], total)


def _large(sheet: Sheet, calls: TurnCalls, following: TurnCalls | None) -> None:
    sheet.heading(_("The letters"), 16)
    _tiles(sheet, calls.rack.tiles)
    sheet.paragraph(_("Time: %(time)s") % {"time": calls.rack.time}, size=WORD, font=fonts.BOLD)
    if calls.move is None:
        return
    sheet.heading(_("The move"), 16)
    _large_move(sheet, calls.move)
    if following is not None:
        sheet.heading(_("Then: turn %(number)d") % {"number": following.rack.turn}, 16)
        sheet.paragraph(_faces(following.rack.tiles), size=FACE, font=fonts.BOLD)
        sheet.paragraph(following.rack.spelled, size=WORD)


def _large_move(sheet: Sheet, move: MoveCall) -> None:
    if move.word:
        sheet.paragraph(f"{move.word}   {move.ref}", size=FACE, font=fonts.BOLD)
        sheet.paragraph(move.place, size=WORD)
        sheet.paragraph(move.spelled, size=BODY, colour=QUIET)
    sheet.paragraph(f"{move.points} · {move.total}", size=WORD, font=fonts.BOLD)


def _tiles(sheet: Sheet, tiles: Iterable[Called]) -> None:
    """A line a tile: the letter large, the code word beside it."""
    for tile in tiles:
        sheet.need(FACE * LINE_HEIGHT)
        sheet.y -= FACE * LINE_HEIGHT
        with sheet.canvas.tagged("P"):
            sheet.text(MARGIN, sheet.y, tile.face, fonts.BOLD, FACE)
            sheet.text(MARGIN + 2.6 * FACE, sheet.y, tile.said, fonts.REGULAR, 0.7 * FACE)
    sheet.gap(WORD)


def _faces(tiles: Iterable[Called]) -> str:
    return "  ".join(tile.face for tile in tiles)


def _all(sheet: Sheet, calls: Iterable[TurnCalls]) -> None:
    for each in calls:
        sheet.need(BLOCK)
        sheet.heading(_("Turn %(number)s") % {"number": each.rack.turn}, WORD)
        sheet.paragraph(f"{_faces(each.rack.tiles)}   ({each.rack.time})", size=16, font=fonts.BOLD)
        sheet.paragraph(each.rack.spelled, size=SMALL)
        if each.move is not None:
            _small_move(sheet, each.move)
        sheet.line(MARGIN, sheet.y, sheet.room, colour=RULE)
        sheet.gap(4)


def _small_move(sheet: Sheet, move: MoveCall) -> None:
    if move.word:
        sheet.paragraph(f"{move.word}   {move.ref} – {move.place}", size=13, font=fonts.BOLD)
        sheet.paragraph(move.spelled, size=SMALL, colour=QUIET)
    sheet.paragraph(f"{move.points} · {move.total}", size=BODY)
