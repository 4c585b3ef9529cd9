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
from engine.edition import MAX_KINDS, Edition
from engine.lexicon.nodes import LETTERS

LANES = 2 * SIZE
SQUARES = SIZE + 2
EMPTY = 0xFF
MOST_TILES = 9

TILE_BITS = 6
TILE_FIELD = (1 << TILE_BITS) - 1
PLACE_SHIFT = TILE_BITS * MOST_TILES
BLANKS = 32
MOST_PLACES = LANES * SIZE * (SIZE + 1) // 2
SHELVES = 1024
"""Places with higher bounds lie on the last one."""
MOST_WORTH = 63
"""Tiles that are worth more count as worth so much, where a table asks who is worth enough."""
ANSWERS = 256


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
    """What multiplies a word over this square; 1 where a tile lies, unless premiums count again."""
    worth: int
    """What the tile that lies here counts."""


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


class Spot(Protocol):
    """What a square of a lane adds to the bound of a word that covers it. Numbers of 32 bits."""

    holes: int
    """1 when it is empty, 0 when a tile lies there, more than a play can fill when no tile of the rack may."""
    may_begin: int
    """1 when the square before is empty, so that a word may begin here."""
    may_end: int
    """1 when the next square is empty, so that a word may end here."""
    points: int
    """The tile that lies here, or the best that the cross-check allows; letter premium counted."""
    cross_points: int
    """What that tile makes of the crossing word."""
    open: int
    """On an empty square that is not crossed: 1, 10 or 100, for a letter factor of 1, 2 or 3."""
    word_factor: int


class Place(Protocol):
    """The exact squares of a word. Numbers of 32 bits, for there are hundreds of them."""

    following: int
    """The next place with the same bound."""
    bound: int
    """What a play here can score at most."""
    lane: int
    first: int
    last: int
    holes: int
    """How many of the squares are empty: a play lays just so many tiles."""


class Hole(Protocol):
    """An empty square of the place at hand; they are numbered as they lie. Numbers of 64 bits."""

    square: int
    weight: int
    """What multiplies the worth of a tile that is laid here, crossing word included."""
    cross_check: int
    fitting: int
    """Set of tiles that are not worth more than the best one that the cross-check allows."""
    step: int
    """When it is filled: the first one at 0."""


class Fill(Protocol):
    """A step of filling a place: the holes before are filled. Numbers of 64 bits."""

    pending: int
    """As in `Frame`."""
    node: int
    left: int
    """Set of tiles that are left on the rack."""
    points: int
    """All that is certain: tiles laid and lying, crossing words, bonus."""
    tiles: int
    """The tiles laid, as in a play."""


class Answer(Protocol):
    """Words that were listed: `found[begin:end]`. Numbers of 64 bits."""

    letter_sum: int
    """Of the tiles that lie at the place."""
    holes: int
    blanks: int
    begin: int
    end: int


class Search(Protocol):
    """Everything that a search reads and writes besides the graph: one record, so that nothing is counted or copied
    when the steps of a search hand it to each other."""

    # What the solver fills in once.
    empty_lanes: Grid[Square]
    letter_count: int
    first_word_across: int
    largest_play: int
    premiums_again: int
    """1: by a house rule, premiums under tiles that lie already count for every word over them."""
    values: Numbers
    """Worth by tile code, 64 long."""
    bonuses: Numbers
    """By number of tiles laid, 10 long."""

    # The question.
    squares: Numbers
    """225 tile codes."""
    rack: Numbers
    """Tiles by kind."""
    prepared: int
    """1 when these squares are on the lanes already. Whoever changes the squares sets it to 0."""

    # What both searches use.
    lanes: Grid[Square]
    taken: Numbers
    """By lane, as the next two: the set of squares (bit s is square s) on which a tile lies."""
    crossed: Numbers
    """Empty squares on which a tile forms a word in the crossing lane too."""
    anchors: Numbers
    """Squares from which words of this lane are grown."""
    lane: int
    """The lane at hand."""
    counts: Numbers
    """The hand, that is the rack less the tiles being tried: tiles by letter, the blanks at `BLANKS`."""
    hand: int
    """The whole rack, as `Frame.hand`."""
    tiles: int
    """How many tiles the rack has."""
    most: int
    """How many tiles a play may lay."""
    found: int
    """How many plays were harvested, those for which there was no room included."""

    # The stacks of the ranked search, for the part of a word up to the anchor and for the part behind it.
    left: Sequence[Frame]
    right: Sequence[Frame]

    # The rack of the best search. Its tiles are numbered by their worth, the best first, blanks last, so that a set of
    # tiles is a number of up to nine bits.
    floor: int
    """Plays below this score are not wanted."""
    worths: Numbers
    """By tile: its worth, and its letter or `BLANKS`."""
    kinds: Numbers
    twins: int
    """The set of tiles that are the same as the one before."""
    copies: Numbers
    """By letter, 33 long: the set of tiles that have it."""
    letters: Numbers
    """By set of tiles, 512 long: the set of their letters, and the sum of their letters."""
    sums: Numbers
    worthy: Numbers
    """By number of points: the set of letters on the rack that are worth so much or more, at 0 with the blanks."""
    best_worths: Numbers
    """By number of tiles: what the best tiles are worth together."""
    open_worths: Numbers
    """By sum of `Spot.open`: what the best tiles are worth there."""

    # The places of the best search.
    spots: Sequence[Spot]
    """The squares of the lane whose places are being listed."""
    places: Sequence[Place]
    shelves: Numbers
    """By bound: the number of the first place with it."""
    sums_before: Sequence[Numbers]
    """By lane and square: the sum of the letters that lie before it, see `lexicon/anagrams.py`."""

    # The place at hand.
    holes: Sequence[Hole]
    by_weight: Numbers
    """Numbers of the holes, the highest weight first."""
    lying: int
    """How many tiles lie there, where (from the first square) and which letters."""
    lying_at: Numbers
    lying_letter: Numbers
    steps: Numbers
    """Numbers of the holes in the order in which they are filled."""
    path: Numbers
    """What is spelled besides: first what comes before any hole. `paths[step]`: where that starts which comes behind
    the letter of this step."""
    paths: Numbers
    fills: Sequence[Fill]
    answers: Sequence[Answer]
    """What was listed, each at a slot that its key tells."""
    listed: int
    """How many numbers of words are kept."""
    blank_sums: Numbers
    """The letters that a blank is tried as."""


def record_type(fields: type, number: type, *, fillers: int = 0) -> np.dtype[Any]:
    """The numpy record with the fields that a class above declares, and so many numbers more that nobody reads."""
    names = [*fields.__annotations__, *(f"filler_{filler}" for filler in range(fillers))]
    return np.dtype([(name, number) for name in names], align=True)


# Squares and spots are filled up to 32 bytes: half a line of the processor's cache, and found by a shift.
SQUARE = record_type(Square, np.int32, fillers=1)
FRAME = record_type(Frame, np.int64)
SPOT = record_type(Spot, np.int32, fillers=1)
PLACE = record_type(Place, np.int32)
HOLE = record_type(Hole, np.int64)
FILL = record_type(Fill, np.int64)
ANSWER = record_type(Answer, np.int64)
SEARCH = np.dtype(
    [
        ("empty_lanes", SQUARE, (LANES, SQUARES)),
        ("letter_count", np.int64),
        ("first_word_across", np.int64),
        ("largest_play", np.int64),
        ("premiums_again", np.int64),
        ("values", np.int64, 64),
        ("bonuses", np.int64, MOST_TILES + 1),
        ("squares", np.uint8, SIZE * SIZE),
        ("rack", np.uint8, MAX_KINDS + 1),
        ("prepared", np.int64),
        ("lanes", SQUARE, (LANES, SQUARES)),
        ("taken", np.int64, LANES),
        ("crossed", np.int64, LANES),
        ("anchors", np.int64, LANES),
        ("lane", np.int64),
        ("counts", np.int64, BLANKS + 1),
        ("hand", np.int64),
        ("tiles", np.int64),
        ("most", np.int64),
        ("found", np.int64),
        ("left", FRAME, MOST_TILES + 2),
        ("right", FRAME, MOST_TILES + 2),
        ("floor", np.int64),
        ("worths", np.int64, MOST_TILES),
        ("kinds", np.int64, MOST_TILES),
        ("twins", np.int64),
        ("copies", np.int64, BLANKS + 1),
        ("letters", np.int64, 1 << MOST_TILES),
        ("sums", np.int64, 1 << MOST_TILES),
        ("worthy", np.int64, MOST_WORTH + 1),
        ("best_worths", np.int64, MOST_TILES + 1),
        ("open_worths", np.int32, 100 * MOST_TILES + 1),
        ("spots", SPOT, SQUARES),
        ("places", PLACE, MOST_PLACES + 1),
        ("shelves", np.int32, SHELVES),
        ("sums_before", np.int64, (LANES, SQUARES)),
        ("holes", HOLE, MOST_TILES),
        ("by_weight", np.int64, MOST_TILES),
        ("lying", np.int64),
        ("lying_at", np.int64, SIZE),
        ("lying_letter", np.int64, SIZE),
        ("steps", np.int64, MOST_TILES),
        ("path", np.int64, SIZE + 1),
        ("paths", np.int64, MOST_TILES + 1),
        ("fills", FILL, MOST_TILES),
        ("answers", ANSWER, ANSWERS),
        ("listed", np.int64),
        ("blank_sums", np.int64, MAX_KINDS + 1),
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
