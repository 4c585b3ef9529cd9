"""What the caller says aloud in a turn: the rack with its code words and the time; the move, its place, its points.

The sentences are in the active language, the code words in the language of the game's tiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.coords import Direction, Notation, Reference, edge_labels, parse_reference
from engine.edition import Edition
from engine.spelling import Spelling, spelling_of
from engine.tiles import Tiles


@dataclass(frozen=True, slots=True)
class Called:
    """A tile and how it is called. `face` is as on the tile, in lower case for a blank on the board."""

    face: str
    said: str


@dataclass(frozen=True, slots=True)
class RackCall:
    """The call of a rack: its tiles one by one, and for how long the clock runs."""

    turn: int
    tiles: list[Called]
    time: str

    @property
    def plain(self) -> str:
        """The letters alone, a blank by its name."""
        return ", ".join(tile.said if tile.face == "?" else tile.face for tile in self.tiles)

    @property
    def spelled(self) -> str:
        """The letters with their code words."""
        return ", ".join(tile.said for tile in self.tiles)


@dataclass(frozen=True, slots=True)
class MoveCall:
    """The call of the move of a turn: the word and its tiles, where it lies, its points, the total of all moves so far.
    `word` is empty when nothing was laid."""

    turn: int
    word: str
    tiles: list[Called]
    ref: str
    place: str
    points: str
    total: str

    @property
    def spelled(self) -> str:
        return ", ".join(tile.said for tile in self.tiles)

    @property
    def sentences(self) -> list[str]:
        """All that is said, one after the other."""
        if not self.word:
            return [self.points]
        return [self.word, self.place, self.points]


def rack_call(edition: Edition, turn: int, rack: str, seconds: int) -> RackCall:
    """How a rack in tile text is called."""
    alphabet = spelling_of(edition.language)
    faces = [edition.kinds[kind].face for kind in Tiles.parse(edition, rack).kinds()]
    return RackCall(turn, [Called(face, alphabet.tile(face)) for face in faces], time_said(seconds))


def move_call(
    edition: Edition, notation: Notation, turn: int, word: str, ref: str, score: int | None, total: int
) -> MoveCall:
    """How a move in tile text is called; one without a word when nothing was laid."""
    said_total = _("Total of all moves: %(total)d.") % {"total": total}
    if not word or score is None:
        return MoveCall(turn, "", [], "", "", _("Nothing is laid in this turn."), said_total)
    alphabet = spelling_of(edition.language)
    codes = edition.parse_word(word)
    return MoveCall(
        turn=turn,
        word="".join(edition.face(code) for code in codes).upper(),
        tiles=[Called(edition.face(code), alphabet.tile(edition.face(code))) for code in codes],
        ref=ref,
        place=place_said(parse_reference(ref, notation), notation, alphabet),
        points=ngettext("%(n)d point", "%(n)d points", score) % {"n": score},
        total=said_total,
    )


def place_said(reference: Reference, notation: Notation, alphabet: Spelling) -> str:
    """A reference as it is called: "8, H for Hotel, across"; in the order in which it is written."""
    rows, cols = edge_labels(notation)
    row, col = rows[reference.row], cols[reference.col]
    first, second = (row, col) if reference.direction is Direction.ACROSS else (col, row)
    way = _("across") if reference.direction is Direction.ACROSS else _("down")
    return ", ".join([*(sign if sign.isdigit() else alphabet.tile(sign) for sign in (first, second)), way])


def time_said(seconds: int) -> str:
    """How long: "3 minutes", "2 minutes 30 seconds"."""
    minutes, rest = divmod(seconds, 60)
    parts = []
    if minutes:
        parts.append(ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes})
    if rest or not minutes:
        parts.append(ngettext("%(n)d second", "%(n)d seconds", rest) % {"n": rest})
    return " ".join(parts)


def clock_calls(marks: Sequence[int]) -> dict[str, str]:
    """What is said when so many seconds are left, by their number; "0" is the end."""
    left = {str(seconds): _("%(time)s left") % {"time": time_said(seconds)} for seconds in marks if seconds > 5}
    return left | {str(seconds): _("Raise the slips") for seconds in marks if seconds <= 5} | {"0": _("Time is up")}
