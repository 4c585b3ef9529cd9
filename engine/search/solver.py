"""The public face of the move search.

solver = Solver(lexicon)
solver.best(board, rack)     # the moves with the top score
solver.ranked(board, rack)   # every legal move, best first
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from engine.lexicon.graph import Lexicon
from engine.move import Move
from engine.scoring import STANDARD_BONUSES
from engine.search.best import MOST_ANCHORS, MOST_PLACES, find_best
from engine.search.layout import MOST_TILES, PLACE, PLAY, SEARCH, empty_lanes
from engine.search.moves import RankedMoves, decode
from engine.search.ranked import by_score, find_all
from engine.tiles import Tiles

_Position = tuple[NDArray[np.uint8], NDArray[np.uint8], bool]


class Solver:
    """Finds moves. One solver serves any number of threads at once; the searches run outside the GIL."""

    def __init__(
        self,
        lexicon: Lexicon,
        *,
        bonuses: Mapping[int, int] = STANDARD_BONUSES,
        largest_play: int = 7,
        first_word_across: bool = True,
    ) -> None:
        """`bonuses`: extra points by number of tiles laid; `largest_play`: how many tiles one move may lay, 1 to 9;
        `first_word_across`: on the empty board only moves across are given."""
        if not 1 <= largest_play <= MOST_TILES:
            raise ValueError(f"a play may have 1 to {MOST_TILES} tiles, not {largest_play}")
        self.lexicon = lexicon
        self.largest_play = largest_play
        self.first_word_across = first_word_across
        self._values = np.array(lexicon.edition.values, np.int64)
        self._bonuses = np.array([bonuses.get(laid, 0) for laid in range(MOST_TILES + 1)], np.int64)
        self._empty_lanes = empty_lanes(lexicon.edition)
        self._threads = threading.local()

    def ranked(self, board: Board, rack: Tiles) -> RankedMoves:
        """Every legal move of this rack, best first. `ValueError` for a rack of more than 9 tiles."""
        work, position = self._work(), self._position(board, rack)
        found = self._find_all(position, work, self.largest_play)
        if found > len(work.plays):
            work.make_room(found)
            self._find_all(position, work, self.largest_play)
        return RankedMoves(board, *by_score(work.plays[:found]))

    def best(self, board: Board, rack: Tiles) -> tuple[Move, ...]:
        """All moves with the highest score, across first, from the top left; empty when there is no move.

        `ValueError` as in `ranked`.
        """
        work, position = self._work(), self._position(board, rack)
        found = self._find_best(position, work)
        if found > len(work.plays):
            work.make_room(found)
            self._find_best(position, work)
        return tuple(decode(board, packed, score) for packed, score in sorted(work.plays[:found].tolist()))

    def has_move(self, board: Board, rack: Tiles) -> bool:
        """Whether there is any legal move at all. `ValueError` as in `ranked`."""
        work, position = self._work(), self._position(board, rack)
        # Where there is a move at all there is nearly always one of two tiles at most, which is found at once.
        return any(
            self._find_all(position, work, most, first_anchor_only=True)
            for most in (min(2, self.largest_play), self.largest_play)
        )

    def _position(self, board: Board, rack: Tiles) -> _Position:
        """Board, rack and the rule of the first word, as the compiled searches take them."""
        if rack.total > MOST_TILES:
            raise ValueError(f"a rack has at most {MOST_TILES} tiles, not {rack.total}")
        if not board.edition.code == rack.edition.code == self.lexicon.edition.code:
            raise ValueError(f"board, rack and words must be of one edition, {self.lexicon.edition.code}")
        squares = np.frombuffer(board.squares, np.uint8)
        return squares, np.frombuffer(bytes(rack.counts), np.uint8), self.first_word_across

    def _find_all(self, position: _Position, work: _Work, most: int, *, first_anchor_only: bool = False) -> int:
        work.search["most"] = most
        return find_all(self.lexicon.graph, work.search, self._empty_lanes, *position, first_anchor_only, work.plays)

    def _find_best(self, position: _Position, work: _Work) -> int:
        work.search["most"] = self.largest_play
        hints, starts, sums, letters = self.lexicon.anagrams
        return find_best(
            self.lexicon.graph,
            work.search,
            self._empty_lanes,
            *position,
            len(self.lexicon.edition.letters),
            hints,
            starts,
            sums,
            letters,
            work.found,
            work.anchors,
            work.places,
            work.plays,
        )

    def _work(self) -> _Work:
        """The arrays in which the search of this thread works."""
        work: _Work | None = getattr(self._threads, "work", None)
        if work is None:
            work = self._threads.work = _Work(self._values, self._bonuses, self.lexicon.word_count)
        return work


class _Work:
    """What a search fills, kept from search to search, one for each thread."""

    # To the compiled code these are sequences of the records of `layout.py`, to numpy arrays of `void`.
    search: Any
    anchors: Any
    places: Any
    plays: Any

    def __init__(self, values: NDArray[np.int64], bonuses: NDArray[np.int64], word_count: int) -> None:
        self.search = np.zeros(1, SEARCH)
        self.search["values"] = values
        self.search["bonuses"] = bonuses
        self.found = np.empty(2 * word_count + 1, np.int64)
        self.anchors = np.empty(MOST_ANCHORS, PLACE)
        self.places = np.empty(MOST_PLACES, PLACE)
        self.make_room(1 << 14)

    def make_room(self, plays: int) -> None:
        self.plays = np.empty(plays, PLAY)
