"""Call sheets in large type: what the caller reads aloud in a turn, or in a whole game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from django.utils.translation import gettext as _
from django.utils.translation import override

from engine.archive.schema import Archive, MasterEntry, TurnEntry, edition_of
from engine.board.coordinates import Notation
from engine.play.kept_and_new import split_rack
from engine.prepared.script import Script, ScriptTurn
from engine.prepared.script import edition_of as edition_of_script
from engine.prepared.script import profile_of as profile_of_script
from engine.rules.profile import Profile
from engine.tiles.edition import Edition
from engine.tiles.tiles import Tiles
from referee.calls.caller_text import MoveCall, RackCall, build_move_call, build_rack_call
from referee.pdf.drawing import fonts, heads
from referee.pdf.drawing.sheet import INK, MARGIN, QUIET, RULE, Sheet

LARGE, SMALL = 40.0, 25.0  # sides of the tiles
LARGEST_STEP = 62.0  # height of a tile with its code word
WORD, BODY = 16.0, 12.0
BLOCK = 165.0
RESERVED = {"time": 44.0, "move": 190.0, "next": 140.0}  # heights of what is below the code words


@dataclass(frozen=True, slots=True)
class TurnCalls:
    """Calls of a turn: the kept tiles of the rack, then its new ones; `move` is None until a move is placed."""

    rack: RackCall
    kept: int
    move: MoveCall | None


def call_pdf(archive: Archive, turn: int, *, language: str, paper: str = "a4") -> bytes:
    """Draw the call sheet of one turn: the rack with its code words, the move once placed, the next rack once drawn."""
    with override(language):
        calls = {each.rack.turn: each for each in _of_archive(archive)}
        title = _("Call sheet: turn %(number)d") % {"number": turn}
        sheet = Sheet(title, heads.subtitle(archive), [], paper=paper)
        _draw_large_call(sheet, calls[turn], calls.get(turn + 1))
        return sheet.finish()


def calls_pdf(archive: Archive, *, language: str, paper: str = "a4") -> bytes:
    """Draw the call sheets of a whole game, several turns a page."""
    with override(language):
        facts = heads.game_facts(archive)[:1]
        sheet = Sheet(_("Call sheets"), heads.subtitle(archive), facts, paper=paper)
        _draw_all_calls(sheet, _of_archive(archive))
        return sheet.finish()


def prepared_calls_pdf(script: Script, *, language: str, paper: str = "a4") -> bytes:
    """Draw the call sheets of a prepared game, with all its secrets, for the judge who has opened the seal."""
    with override(language):
        sheet = Sheet(_("Call sheets"), script["title"], [_("For the caller only")], paper=paper)
        edition, notation = edition_of_script(script), profile_of_script(script).notation
        rules = profile_of_script(script)
        moves = [_split(turn, edition, rules) for turn in script["turns"]]
        _draw_all_calls(sheet, _calls(moves, edition, notation, script["rhythm_s"]))
        return sheet.finish()


def _of_archive(archive: Archive) -> list[TurnCalls]:
    edition, notation = edition_of(archive), Notation(archive["across"])
    rules = Profile.from_switches(archive["profile"])
    moves = [_split(turn, edition, rules) for turn in archive["turns"]]
    placed = {turn["number"] for turn in _list_placed_turns(archive["turns"])}
    calls = _calls(moves, edition, notation, archive["rhythm_s"])
    return [each if each.rack.turn in placed else TurnCalls(each.rack, each.kept, None) for each in calls]


def _list_placed_turns(turns: Sequence[TurnEntry]) -> Iterator[TurnEntry]:
    """List the finished turns: those with a move, or followed by another turn."""
    for number, turn in enumerate(turns, 1):
        if turn["master"] is not None or number < len(turns):
            yield turn


@dataclass(frozen=True, slots=True)
class _Turn:
    """Turn to be called: kept and new letters, and the move."""

    number: int
    kept: str
    new: str
    master: MasterEntry | None


def _split(turn: TurnEntry | ScriptTurn, edition: Edition, rules: Profile) -> _Turn:
    is_new = bool(turn["rejected"]) or rules.put_back == "always"
    kept, new = split_rack(edition, turn["kept"], turn["rack"], is_new=is_new)
    return _Turn(turn["number"], kept, new, turn["master"])


def _calls(turns: Sequence[_Turn], edition: Edition, notation: Notation, seconds: int) -> list[TurnCalls]:
    totals = accumulate(turn.master["score"] if turn.master else 0 for turn in turns)
    return [
        TurnCalls(
            build_rack_call(edition, turn.number, turn.new, seconds, kept=turn.kept),
            Tiles.parse(edition, turn.kept).total,
            _move(edition, notation, turn.number, turn.master, total),
        )
        for turn, total in zip(turns, totals, strict=True)
    ]


def _move(edition: Edition, notation: Notation, number: int, master: MasterEntry | None, total: int) -> MoveCall:
    if master is None:
        return build_move_call(edition, notation, number, "", "", None, total)
    return build_move_call(edition, notation, number, master["word"], master["ref"], master["score"], total)


def _draw_large_call(sheet: Sheet, calls: TurnCalls, following: TurnCalls | None) -> None:
    sheet.heading(_("The letters"), 16)
    below = RESERVED["time"] + (RESERVED["move"] if calls.move else 0) + (RESERVED["next"] if following else 0)
    _draw_code_words(sheet, calls, sheet.height_left - below)
    sheet.paragraph(_("Time: %(time)s") % {"time": calls.rack.time}, size=WORD, font=fonts.BOLD)
    if calls.move is not None:
        sheet.heading(_("The move"), 16)
        _draw_move(sheet, calls.move, LARGE)
    if following is not None:
        sheet.heading(_("Then: turn %(number)d") % {"number": following.rack.turn}, 16)
        _draw_rack(sheet, following, LARGE)
        sheet.paragraph(following.rack.spelled, size=WORD)


def _draw_all_calls(sheet: Sheet, calls: Iterable[TurnCalls]) -> None:
    for each in calls:
        sheet.need(BLOCK)
        title = _("Turn %(number)s") % {"number": each.rack.turn}
        sheet.heading(f"{title} · {each.rack.time}", WORD)
        _draw_rack(sheet, each, SMALL)
        sheet.paragraph(each.rack.spelled, size=WORD)
        if each.move is not None:
            _draw_move(sheet, each.move, SMALL)
        sheet.line(MARGIN, sheet.y, sheet.room, colour=RULE)
        sheet.gap(6)


def _draw_move(sheet: Sheet, move: MoveCall, side: float) -> None:
    """Draw the word as tiles, its place beside it, the code words, points and total."""
    if move.word:
        sheet.need(side * 1.2)
        left = MARGIN
        with sheet.canvas.tagged("Figure", f"{move.word} {move.ref}"):
            for tile in move.tiles:
                left += _draw_tile(sheet, tile.face, left, side)
            size = fonts.fit_size(move.ref, fonts.BOLD, side * 0.75, MARGIN + sheet.room - left - side)
            sheet.text(left + side * 0.6, sheet.y - side * 0.78, move.ref, fonts.BOLD, size)
        sheet.y -= side * 1.2
        sheet.paragraph(move.place, size=WORD)
        sheet.paragraph(move.spelled, size=BODY, colour=QUIET)
    sheet.paragraph(f"{move.points} · {move.total}", size=WORD, font=fonts.BOLD)


def _draw_rack(sheet: Sheet, calls: TurnCalls, side: float) -> None:
    """Draw the kept tiles, a plus sign, and the new tiles."""
    sheet.need(side * 1.2)
    left = MARGIN
    with sheet.canvas.tagged("Figure", calls.rack.plain):
        for number, tile in enumerate(calls.rack.tiles):
            if number and number == calls.kept:
                sheet.text(left + side * 0.22, sheet.y - side * 0.8, "+ ", fonts.BOLD, side * 0.8)
                left += side * 1.0
            left += _draw_tile(sheet, tile.face, left, side)
    sheet.y -= side * 1.2


def _draw_code_words(sheet: Sheet, calls: TurnCalls, height: float) -> None:
    """Draw a line for each tile: the letter on its tile, the code word beside it; a line between kept and new."""
    step = min(LARGEST_STEP, height / max(1, len(calls.rack.tiles)))
    for number, tile in enumerate(calls.rack.tiles):
        sheet.need(step)
        if number and number == calls.kept:
            sheet.line(MARGIN, sheet.y + step * 0.1, sheet.room, thick=1.4)
            sheet.right(MARGIN + sheet.room, sheet.y - 11, _("new letters"), fonts.REGULAR, 10, QUIET)
        with sheet.canvas.tagged("P"):
            wide = _draw_tile(sheet, tile.face, MARGIN, step * 0.84)
            left = MARGIN + max(wide, step) + step * 0.3
            size = fonts.fit_size(tile.said, fonts.BOLD, step * 0.66, MARGIN + sheet.room - left - 60)
            sheet.text(left, sheet.y - step * 0.66, tile.said, fonts.BOLD, size)
        sheet.y -= step
    sheet.gap(WORD)


def _draw_tile(sheet: Sheet, face: str, left: float, side: float) -> float:
    """Draw a tile, a blank with a ring, and return its width."""
    shown, is_blank = face.upper(), face == "?" or face != face.upper()
    size = side * (0.68 if len(shown) == 1 else 0.5)
    wide = max(side, fonts.text_width(shown, fonts.BOLD, size) + side * 0.3)
    low, middle = sheet.y - side, left + wide / 2
    sheet.canvas.setLineWidth(1)
    sheet.canvas.setStrokeColor(INK)
    sheet.canvas.roundRect(left, low, wide - 2, side - 2, side * 0.1, stroke=1, fill=0)
    if is_blank:
        sheet.canvas.circle(middle - 1, low + side / 2 - 1, side * 0.44, stroke=1, fill=0)
    sheet.centred(middle - 1, low + side / 2 - 1 - size * 0.36, f"{shown}", fonts.BOLD, size)
    return wide + 1
