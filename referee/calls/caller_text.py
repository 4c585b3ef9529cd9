"""Texts that the caller reads aloud: the rack with code words and time; the move with its place and points.

Sentences are in the active language, code words in the language of the game's tiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.board.coordinates import Direction, Notation, Reference, edge_labels, parse_reference
from engine.code_words import CodeWords, load_code_words
from engine.tiles.edition import Edition
from engine.tiles.tiles import Tiles


@dataclass(frozen=True, slots=True)
class TileCall:
    """Call of a tile. `face` is the letter on the tile, in lower case for a blank on the board."""

    face: str
    said: str


@dataclass(frozen=True, slots=True)
class RackCall:
    """Call of a rack: its tiles, and the time on the clock."""

    turn: int
    tiles: list[TileCall]
    time: str

    @property
    def plain(self) -> str:
        """Letters only; a blank by its name."""
        return ", ".join(tile.said if tile.face == "?" else tile.face for tile in self.tiles)

    @property
    def spelled(self) -> str:
        """Letters with their code words."""
        return ", ".join(tile.said for tile in self.tiles)


@dataclass(frozen=True, slots=True)
class MoveCall:
    """Call of the move of a turn: word, tiles, place, points, and the total of all moves so far.

    `word` is empty if no move was placed.
    """

    turn: int
    word: str
    tiles: list[TileCall]
    ref: str
    place: str
    points: str
    total: str

    @property
    def spelled(self) -> str:
        return ", ".join(tile.said for tile in self.tiles)

    @property
    def sentences(self) -> list[str]:
        """All sentences in order."""
        if not self.word:
            return [self.points]
        return [self.word, self.place, self.points]


def build_rack_call(edition: Edition, turn: int, rack: str, seconds: int, *, kept: str = "") -> RackCall:
    """Build the call of a rack in tile text; letters of `kept` come before those of `rack`."""
    alphabet = load_code_words(edition.language)
    faces = [edition.kinds[kind].face for part in (kept, rack) for kind in Tiles.parse(edition, part).kinds()]
    return RackCall(turn, [TileCall(face, alphabet.tile(face)) for face in faces], format_duration(seconds))


def build_move_call(
    edition: Edition, notation: Notation, turn: int, word: str, ref: str, score: int | None, total: int
) -> MoveCall:
    """Build the call of a move in tile text; without a word if no move was placed."""
    said_total = _("Total of all moves: %(total)d.") % {"total": total}
    if not word or score is None:
        return MoveCall(turn, "", [], "", "", _("Nothing is laid in this turn."), said_total)
    alphabet = load_code_words(edition.language)
    codes = edition.parse_word(word)
    return MoveCall(
        turn=turn,
        word="".join(edition.face(code) for code in codes).upper(),
        tiles=[TileCall(edition.face(code), alphabet.tile(edition.face(code))) for code in codes],
        ref=ref,
        place=spell_reference(parse_reference(ref, notation), notation, alphabet),
        points=ngettext("%(n)d point", "%(n)d points", score) % {"n": score},
        total=said_total,
    )


def spell_reference(reference: Reference, notation: Notation, alphabet: CodeWords) -> str:
    """Spell a reference in the order of the notation: "8, H for Hotel, across"."""
    rows, cols = edge_labels(notation)
    row, col = rows[reference.row], cols[reference.col]
    first, second = (row, col) if reference.direction is Direction.ACROSS else (col, row)
    way = _("across") if reference.direction is Direction.ACROSS else _("down")
    return ", ".join([*(sign if sign.isdigit() else alphabet.tile(sign) for sign in (first, second)), way])


def format_duration(seconds: int) -> str:
    """Format a duration: "3 minutes", "2 minutes 30 seconds"."""
    minutes, rest = divmod(seconds, 60)
    parts = []
    if minutes:
        parts.append(ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes})
    if rest or not minutes:
        parts.append(ngettext("%(n)d second", "%(n)d seconds", rest) % {"n": rest})
    return " ".join(parts)


def build_clock_calls(marks: Sequence[int]) -> dict[str, str]:
    """Map remaining seconds (as text) to the sentence for them; "0" is the end."""
    left = {str(seconds): _("%(time)s left") % {"time": format_duration(seconds)} for seconds in marks if seconds > 5}
    return left | {str(seconds): _("Raise the slips") for seconds in marks if seconds <= 5} | {"0": _("Time is up")}
