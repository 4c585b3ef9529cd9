"""How a position is laid out for the search: lanes of squares, frames of the walk, packed plays.

**Lanes.** A word lies in a *lane*: lanes 0-14 are the rows from the top, 15-29 the columns from the left. A lane
has 17 squares; 0 and 16 are borders on which nothing can be laid, so no loop has to ask for the edge. The same
square of the board is in two lanes: row r, column c is square c + 1 of lane r and square r + 1 of lane 15 + c::

    square      0      1      2    ...    15     16
              border  A/1    B/2         O/15   border

**Plays.** A play is one 64-bit number; together with the board it tells everything::

    bit 63   62 ........ 54   53 ..... 48   ...   11 ....... 6   5 ........ 0
      0      place, 9 bits    ninth tile          second tile    first tile
             lane x 15 + column of the word's first square (0-14)

A tile takes six bits: its tile code + 1 (letter 1-30, + 32 when a blank stands for it); 0: no more tiles. "First" is
the tile that lies leftmost, or topmost, among those that are laid; tiles already on the board are not written down.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar, overload

import numpy as np

from engine.coords import SIZE
from engine.edition import Edition
from engine.lexicon.nodes import LETTERS

LANES = 2 * SIZE
SQUARES = SIZE + 2
EMPTY = 0xFF
MOST_TILES = 9

TILE_BITS = 6
TILE_FIELD = (1 << TILE_BITS) - 1
PLACE_SHIFT = TILE_BITS * MOST_TILES
BLANKS = 32


Cell = TypeVar("Cell", covariant=True)


class Grid(Protocol[Cell]):
    """An array of two dimensions, as the type checker sees it."""

    @overload
    def __getitem__(self, at: int, /) -> Sequence[Cell]: ...
    @overload
    def __getitem__(self, at: tuple[int, int], /) -> Cell: ...
    def __setitem__(self, at: object, cell: object, /) -> None: ...


class Numbers(Protocol):
    """An array of whole numbers, as the type checker sees it."""

    def __getitem__(self, at: int, /) -> int: ...
    def __setitem__(self, at: object, number: int, /) -> None: ...


class Square(Protocol):
    """A square of a lane, as a record of 32-bit numbers."""

    tile: int
    """Tile code, `EMPTY` when nothing lies there."""
    cross_check: int
    """Set of letters that may be laid here as far as the crossing lane goes; 0 on borders."""
    cross_factor: int
    """What multiplies the word in the crossing lane that a tile laid here forms; 0 when it forms none."""
    cross_score: int
    """What the tiles of that crossing word that lie already are worth."""
    letter_factor: int
    word_factor: int
    anchor: int
    """1 when words of this lane are grown from here."""
    unused: int
    """Makes a square 32 bytes long, half a line of the processor's cache."""


class Frame(Protocol):
    """A step of the walk: a word begun, and the tiles that may come next. A record of 64-bit numbers."""

    pending: int
    """Set of tiles still to be tried on `square`: bit l is the tile of letter l, bit 32 + l a blank standing for it,
    so the number of a bit is a tile code."""
    square: int
    """The empty square where they are tried."""
    node: int
    """Where the letters so far lead in the graph."""
    first: int
    """The square on which the word begins, so far."""
    hand: int
    """Which tiles are left to try: bit l when the hand still has the letter l, bit `BLANKS` when it has a blank."""
    laid: int
    """How many tiles were laid."""
    tiles: int
    """Those tiles, as in a play."""
    points: int
    """Letters of the word, the premiums of letters counted."""
    word_factor: int
    cross_points: int
    """All crossing words, premiums counted."""
    tried: int
    """Tile code of the tile being tried. It goes back to the hand when the walk comes back."""


class Reach(Protocol):
    """What covering the nearest empty squares of an anchor, to one side, adds up to. Numbers of 64 bits."""

    edge: int
    """The outermost square of the word."""
    points: int
    """Tiles that lie already, and the best tiles on crossed squares, premiums of letters counted."""
    cross_points: int
    singles: int
    """Open squares without a premium of letters; then those that double and treble."""
    doubles: int
    triples: int
    word_factor: int
    letter_sum: int
    """Of the tiles that lie already, see `lexicon/anagrams.py`."""


class Place(Protocol):
    """Where plays are to be looked for: an anchor, or the exact squares of a word. Numbers of 64 bits."""

    bound: int
    """What a play here can score at most."""
    lane: int
    first: int
    """The word's first square; of an anchor, the last square that belongs to the anchor before."""
    last: int
    """The word's last square; of an anchor, the anchor."""
    letter_sum: int


class Search(Protocol):
    """Everything that a search reads and writes besides the graph: one record, so that nothing is counted or copied
    when the steps of the walk hand it to each other."""

    lanes: Grid[Square]
    lane: int
    """The lane at hand."""
    values: Numbers
    """Worth by tile code, 64 long."""
    bonuses: Numbers
    """By number of tiles laid, 10 long."""
    counts: Numbers
    """The hand, that is the rack less the tiles being tried: tiles by letter, the blanks at `BLANKS`."""
    hand: int
    """The whole rack, as `Frame.hand`."""
    most: int
    """How many tiles a play may lay."""
    floor: int
    """Plays below this score are not wanted."""
    only_top: int
    """1: a play above the floor raises the floor and drops all plays before. 0: the floor stays."""
    found: int
    """How many plays were harvested, those for which there was no room included."""
    left: Sequence[Frame]
    right: Sequence[Frame]
    """The stacks of the walk, for the part of a word up to the anchor and for the part behind it."""
    bounds: Grid[int]
    """See `walk.py`."""
    best_values: Numbers
    """What the n most valuable tiles of the rack are worth."""
    to_left: Sequence[Reach]
    to_right: Sequence[Reach]
    """By number of empty squares covered, up to the anchor and behind it."""
    lefts: int
    rights: int
    """How many squares can be covered to either side."""
    free: Numbers
    """Empty squares of a word, and what multiplies the tile on each of them."""
    weights: Numbers


class Play(Protocol):
    """A play that was found."""

    packed: int
    """See the head of this file."""
    score: int


def record_type(fields: type, number: type) -> np.dtype[Any]:
    """The numpy record with the fields that a class above declares."""
    return np.dtype([(name, number) for name in fields.__annotations__], align=True)


SQUARE = record_type(Square, np.int32)
FRAME = record_type(Frame, np.int64)
REACH = record_type(Reach, np.int64)
PLACE = record_type(Place, np.int64)
PLAY = record_type(Play, np.int64)
SEARCH = np.dtype(
    [
        ("lanes", SQUARE, (LANES, SQUARES)),
        ("lane", np.int64),
        ("values", np.int64, 64),
        ("bonuses", np.int64, MOST_TILES + 1),
        ("counts", np.int64, BLANKS + 1),
        ("hand", np.int64),
        ("most", np.int64),
        ("floor", np.int64),
        ("only_top", np.int64),
        ("found", np.int64),
        ("left", FRAME, MOST_TILES + 2),
        ("right", FRAME, MOST_TILES + 2),
        ("bounds", np.int64, (MOST_TILES + 2, MOST_TILES + 2)),
        ("best_values", np.int64, MOST_TILES + 1),
        ("to_left", REACH, MOST_TILES + 1),
        ("to_right", REACH, MOST_TILES + 1),
        ("lefts", np.int64),
        ("rights", np.int64),
        ("free", np.int64, MOST_TILES),
        ("weights", np.int64, MOST_TILES),
    ],
    align=True,
)


def empty_lanes(edition: Edition) -> Any:
    """The lanes of the empty board, premiums filled in: what each position starts from."""
    lanes = np.zeros((LANES, SQUARES), SQUARE)
    lanes["tile"] = EMPTY
    lanes["letter_factor"] = lanes["word_factor"] = 1
    premiums = np.array(edition.premiums, np.int32).reshape(SIZE, SIZE, 2)
    both = np.concatenate([premiums, premiums.transpose(1, 0, 2)])
    lanes["letter_factor"][:, 1 : SIZE + 1] = both[:, :, 0]
    lanes["word_factor"][:, 1 : SIZE + 1] = both[:, :, 1]
    lanes["cross_check"][:, 1 : SIZE + 1] = LETTERS
    return lanes
