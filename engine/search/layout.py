"""Data layout of the search: lines of squares, frames of the move generator, packed plays.

**Lines.** Lines 0-14 are the rows from the top, 15-29 the columns from the left. A line has 17 squares; 0 and 16 are
borders on which nothing can be laid, so loops need no test for the edge. Each square of the board is in two lines: row
r, column c is square c + 1 of line r and square r + 1 of line 15 + c::

    square      0      1      2    ...    15     16
              border  A/1    B/2         O/15   border

**Plays.** A play is one 64-bit number; with the board it determines the move::

    bit 63   62 ........ 54   53 ..... 48   ...   11 ....... 6   5 ........ 0
      0      start, 9 bits    ninth tile          second tile    first tile
             line x 15 + index of the word's first square (0-14)

A tile takes six bits: its tile code + 1 (letter 1-30, + 32 for a blank that stands for it); 0: no more tiles. The
first tile is the leftmost or topmost of those laid; tiles already on the board are not included.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar, overload

import numpy as np

from engine.board.coordinates import SIZE
from engine.lexicon.nodes import LETTERS
from engine.tiles.edition import MAX_KINDS, Edition

LINES = 2 * SIZE
SQUARES = SIZE + 2
EMPTY = 0xFF
MAX_TILES = 9

TILE_BITS = 6
TILE_FIELD = (1 << TILE_BITS) - 1
PLACE_SHIFT = TILE_BITS * MAX_TILES
BLANKS = 32
MAX_PLACEMENTS = LINES * SIZE * (SIZE + 1) // 2
BUCKETS = 1024
"""Number of score buckets; placements with higher bounds are in the last one."""
MAX_VALUE = 63
"""Highest tile value in `Search.valuable_letters`; higher values count as this one."""
CACHE_SLOTS = 256


Cell = TypeVar("Cell", covariant=True)


class Grid(Protocol[Cell]):
    """Two-dimensional array, for the type checker."""

    @overload
    def __getitem__(self, at: int, /) -> Sequence[Cell]: ...
    @overload
    def __getitem__(self, at: tuple[int, int], /) -> Cell: ...
    def __setitem__(self, at: object, cell: object, /) -> None: ...


class Numbers(Protocol):
    """Array of integers, for the type checker."""

    def __getitem__(self, at: int, /) -> int: ...
    def __setitem__(self, at: object, number: int, /) -> None: ...


class Square(Protocol):
    """Square of a line: record of 32-bit numbers."""

    tile: int
    """Tile code; `EMPTY` if there is no tile."""
    cross_check: int
    """Set of letters that the crossing line allows here; 0 on borders."""
    cross_factor: int
    """Factor of the word that a tile laid here forms in the crossing line; 0 if it forms none."""
    cross_score: int
    """Points of the board tiles of that crossing word."""
    letter_factor: int
    word_factor: int
    """Factor of a word that covers this square; 1 under a board tile, unless premiums count again."""
    value: int
    """Points of the board tile here."""


class Frame(Protocol):
    """Step of the move generator: a partial word and the tiles to try next. Record of 64-bit numbers."""

    pending: int
    """Set of tiles still to be tried on `square`: bit l is the tile of letter l, bit 32 + l a blank standing for it,
    so the number of a bit is a tile code."""
    square: int
    """Empty square on which they are tried."""
    node: int
    """Node of the graph reached by the letters so far."""
    first: int
    """First square of the word so far."""
    rack_letters: int
    """Set of letters left on the rack: bit l for letter l, bit `BLANKS` for a blank."""
    laid: int
    """Number of tiles laid."""
    tiles: int
    """These tiles, packed as in a play."""
    points: int
    """Points of the letters of the word, letter premiums included."""
    word_factor: int
    cross_points: int
    """Points of all crossing words, premiums included."""
    tried: int
    """Tile code of the tile being tried; it goes back to the rack afterwards."""


class SquareBound(Protocol):
    """Contribution of a square of a line to the bound of a word that covers it. Record of 32-bit numbers."""

    gaps: int
    """1 for an empty square, 0 for a board tile; more than a play can fill if no tile of the rack is allowed here."""
    may_begin: int
    """1 if the previous square is empty, so that a word may begin here."""
    may_end: int
    """1 if the next square is empty, so that a word may end here."""
    points: int
    """Points of the board tile, or of the best tile that the cross-check allows; letter premium included."""
    cross_points: int
    """Points of the crossing word with that tile."""
    open: int
    """On an empty square that is not crossed: 1, 10 or 100, for a letter factor of 1, 2 or 3."""
    word_factor: int


class Placement(Protocol):
    """Exact squares of a word. Record of 32-bit numbers, because there are hundreds of them."""

    following: int
    """Number of the next placement in the same bucket."""
    bound: int
    """Upper bound of the score of a play here."""
    line: int
    first: int
    last: int
    gaps: int
    """Number of empty squares, that is of the tiles that a play lays."""


class Gap(Protocol):
    """Empty square of the current placement, numbered in the order of the squares. Record of 64-bit numbers."""

    square: int
    weight: int
    """Factor of the value of a tile laid here, crossing word included."""
    cross_check: int
    fitting: int
    """Set of tiles whose value is at most that of the best tile that the cross-check allows."""
    step: int
    """Step at which it is filled, from 0."""


class Fill(Protocol):
    """Step of the search of a placement; the gaps of earlier steps are filled. Record of 64-bit numbers."""

    pending: int
    """As in `Frame`."""
    node: int
    left: int
    """Set of the tiles left on the rack."""
    points: int
    """Fixed points plus those of the tiles laid so far."""
    tiles: int
    """Tiles laid, packed as in a play."""


class CacheEntry(Protocol):
    """Cached list of words: `found[begin:end]`. Record of 64-bit numbers."""

    letter_sum: int
    """Letter sum of the board tiles at the placement."""
    gaps: int
    blanks: int
    begin: int
    end: int


class Search(Protocol):
    """Everything that a search reads and writes besides the graph.

    It is one record, so that passing it between functions needs neither reference counting nor copying.
    """

    # Filled once by the solver.
    empty_lines: Grid[Square]
    letter_count: int
    first_word_across: int
    largest_play: int
    premiums_again: int
    """1 if premiums under board tiles count for every word over them (a house rule)."""
    values: Numbers
    """Tile value by tile code, 64 long."""
    bonuses: Numbers
    """Bonus by number of tiles laid, 10 long."""

    # The position.
    squares: Numbers
    """225 tile codes."""
    rack: Numbers
    """Number of tiles by kind."""
    prepared: int
    """1 if the lines are filled from these squares. Code that changes the squares sets it to 0."""

    # Used by both searches.
    lines: Grid[Square]
    taken: Numbers
    """By line, as the next two: set of the squares (bit s is square s) with a tile."""
    crossed: Numbers
    """Set of the empty squares on which a tile also forms a word in the crossing line."""
    anchors: Numbers
    """Set of the squares from which words of this line are generated."""
    line: int
    """Current line."""
    counts: Numbers
    """Rack without the tiles being tried: number of tiles by letter, blanks at `BLANKS`."""
    rack_letters: int
    """Set of letters on the whole rack, as in `Frame`."""
    tiles: int
    """Number of tiles on the rack."""
    most: int
    """Highest number of tiles that a play may lay."""
    found: int
    """Number of plays found, including those that did not fit into the buffer."""

    # The stacks of the ranked search, for the part of a word up to the anchor and for the part after it.
    left: Sequence[Frame]
    right: Sequence[Frame]

    # The rack of the best search. Its tiles are numbered by value, the highest first, blanks last, so that a set of
    # tiles is a bit mask of up to nine bits.
    floor: int
    """Highest score found so far; plays below it are discarded."""
    tile_values: Numbers
    """By tile: its value (`tile_values`) and its letter or `BLANKS` (`tile_letters`)."""
    tile_letters: Numbers
    repeats: int
    """Set of the tiles that equal the previous one."""
    letter_tiles: Numbers
    """By letter, 33 long: set of the tiles with this letter."""
    subset_letters: Numbers
    """By set of tiles, 512 long: set of their letters (`subset_letters`) and letter sum (`subset_sums`)."""
    subset_sums: Numbers
    valuable_letters: Numbers
    """By number of points: set of the letters on the rack with at least this value; at 0, blanks included."""
    best_values: Numbers
    """By number of tiles: sum of the values of the best tiles."""
    open_values: Numbers
    """By sum of `SquareBound.open`: points of the best tiles on these squares."""

    # The placements of the best search.
    square_bounds: Sequence[SquareBound]
    """Squares of the line whose placements are being listed."""
    placements: Sequence[Placement]
    buckets: Numbers
    """By bound: number of the first placement with it."""
    sums_before: Sequence[Numbers]
    """By line and square: letter sum of the board tiles before it, see `lexicon/anagrams.py`."""

    # The current placement.
    gaps: Sequence[Gap]
    by_weight: Numbers
    """Numbers of the gaps in descending order of weight."""
    board_tiles: int
    """Number of board tiles there, their offsets from the first square, and their letters."""
    board_tile_at: Numbers
    board_tile_letter: Numbers
    gap_order: Numbers
    """Numbers of the gaps in the order in which they are filled."""
    path: Numbers
    """Letters and separator that are spelled before, between and after the gaps. `path_starts[step]` is the index of
    the part that follows the letter of this step."""
    path_starts: Numbers
    fills: Sequence[Fill]
    cache: Sequence[CacheEntry]
    """Cached lists of words; the slot is computed from the key."""
    cached_count: int
    """Number of the words cached in `found`."""
    blank_sums: Numbers
    """Letter sums of the letters that a blank is tried as."""


def record_type(fields: type, number: type, *, fillers: int = 0) -> np.dtype[Any]:
    """Return the numpy record type with the fields of a class above, padded with `fillers` unused numbers."""
    names = [*fields.__annotations__, *(f"filler_{filler}" for filler in range(fillers))]
    return np.dtype([(name, number) for name in names], align=True)


# `Square` and `SquareBound` are padded to 32 bytes: half a cache line, and an index is a shift.
SQUARE = record_type(Square, np.int32, fillers=1)
FRAME = record_type(Frame, np.int64)
SQUARE_BOUND = record_type(SquareBound, np.int32, fillers=1)
PLACEMENT = record_type(Placement, np.int32)
GAP = record_type(Gap, np.int64)
FILL = record_type(Fill, np.int64)
CACHE_ENTRY = record_type(CacheEntry, np.int64)
SEARCH = np.dtype(
    [
        ("empty_lines", SQUARE, (LINES, SQUARES)),
        ("letter_count", np.int64),
        ("first_word_across", np.int64),
        ("largest_play", np.int64),
        ("premiums_again", np.int64),
        ("values", np.int64, 64),
        ("bonuses", np.int64, MAX_TILES + 1),
        ("squares", np.uint8, SIZE * SIZE),
        ("rack", np.uint8, MAX_KINDS + 1),
        ("prepared", np.int64),
        ("lines", SQUARE, (LINES, SQUARES)),
        ("taken", np.int64, LINES),
        ("crossed", np.int64, LINES),
        ("anchors", np.int64, LINES),
        ("line", np.int64),
        ("counts", np.int64, BLANKS + 1),
        ("rack_letters", np.int64),
        ("tiles", np.int64),
        ("most", np.int64),
        ("found", np.int64),
        ("left", FRAME, MAX_TILES + 2),
        ("right", FRAME, MAX_TILES + 2),
        ("floor", np.int64),
        ("tile_values", np.int64, MAX_TILES),
        ("tile_letters", np.int64, MAX_TILES),
        ("repeats", np.int64),
        ("letter_tiles", np.int64, BLANKS + 1),
        ("subset_letters", np.int64, 1 << MAX_TILES),
        ("subset_sums", np.int64, 1 << MAX_TILES),
        ("valuable_letters", np.int64, MAX_VALUE + 1),
        ("best_values", np.int64, MAX_TILES + 1),
        ("open_values", np.int32, 100 * MAX_TILES + 1),
        ("square_bounds", SQUARE_BOUND, SQUARES),
        ("placements", PLACEMENT, MAX_PLACEMENTS + 1),
        ("buckets", np.int32, BUCKETS),
        ("sums_before", np.int64, (LINES, SQUARES)),
        ("gaps", GAP, MAX_TILES),
        ("by_weight", np.int64, MAX_TILES),
        ("board_tiles", np.int64),
        ("board_tile_at", np.int64, SIZE),
        ("board_tile_letter", np.int64, SIZE),
        ("gap_order", np.int64, MAX_TILES),
        ("path", np.int64, SIZE + 1),
        ("path_starts", np.int64, MAX_TILES + 1),
        ("fills", FILL, MAX_TILES),
        ("cache", CACHE_ENTRY, CACHE_SLOTS),
        ("cached_count", np.int64),
        ("blank_sums", np.int64, MAX_KINDS + 1),
    ],
    align=True,
)


def empty_lines(edition: Edition) -> Any:
    """Return the lines of the empty board with its premiums; each position is built on a copy."""
    lines = np.zeros((LINES, SQUARES), SQUARE)
    lines["tile"] = EMPTY
    lines["letter_factor"] = lines["word_factor"] = 1
    premiums = np.array(edition.premiums, np.int32).reshape(SIZE, SIZE, 2)
    both = np.concatenate([premiums, premiums.transpose(1, 0, 2)])
    lines["letter_factor"][:, 1 : SIZE + 1] = both[:, :, 0]
    lines["word_factor"][:, 1 : SIZE + 1] = both[:, :, 1]
    lines["cross_check"][:, 1 : SIZE + 1] = LETTERS
    return lines
