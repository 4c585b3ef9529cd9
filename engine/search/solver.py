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

from engine.board import Board
from engine.lexicon.graph import Lexicon
from engine.scoring import STANDARD_BONUSES
from engine.search.best import find_best
from engine.search.layout import MOST_TILES, SEARCH, empty_lanes
from engine.search.moves import RankedMoves, TopMoves
from engine.search.ranked import by_score, find_all
from engine.tiles import Tiles


class Solver:
    """Finds moves. One solver serves any number of threads at once; the searches run outside the GIL."""

    def __init__(
        self,
        lexicon: Lexicon,
        *,
        bonuses: Mapping[int, int] = STANDARD_BONUSES,
        largest_play: int = 7,
        first_word_across: bool = True,
        premiums_again: bool = False,
    ) -> None:
        """`bonuses`: extra points by number of tiles laid; `largest_play`: how many tiles one move may lay, 1 to 9;
        `first_word_across`: on the empty board only moves across are given; `premiums_again`: the house rule by which
        the premiums under tiles that lie already count for every word over them."""
        if not 1 <= largest_play <= MOST_TILES:
            raise ValueError(f"a play may have 1 to {MOST_TILES} tiles, not {largest_play}")
        self.lexicon = lexicon
        self.largest_play = largest_play
        self.first_word_across = first_word_across
        self.premiums_again = premiums_again
        self._bonuses = dict(bonuses)
        self._threads = threading.local()

    def ranked(self, board: Board, rack: Tiles) -> RankedMoves:
        """Every legal move of this rack, best first. `ValueError` for a rack of more than 9 tiles."""
        work = self._ask(board, rack)
        found = self._find_all(work, self.largest_play)
        if found > len(work.plays):
            work.make_room(found)
            self._find_all(work, self.largest_play)
        return RankedMoves(board, *by_score(work.plays, found))

    def best(self, board: Board, rack: Tiles) -> TopMoves:
        """All moves with the highest score, across first, from the top left; empty when there is no move.

        Like those of `ranked` they are decoded when somebody looks at them. `ValueError` as in `ranked`.
        """
        work = self._ask(board, rack)
        found = self._find_best(work)
        if found > len(work.plays):
            work.make_room(found)
            self._find_best(work)
        return TopMoves(board, sorted(work.plays[:found].tolist()))

    def has_move(self, board: Board, rack: Tiles) -> bool:
        """Whether there is any legal move at all. `ValueError` as in `ranked`."""
        work = self._ask(board, rack)
        # Where there is a move at all there is nearly always one of two tiles at most, which is found at once.
        return any(
            self._find_all(work, most, first_anchor_only=True)
            for most in (min(2, self.largest_play), self.largest_play)
        )

    def _ask(self, board: Board, rack: Tiles) -> _Work:
        """The room of this thread, with the question put into it."""
        if sum(rack.counts) > MOST_TILES:
            raise ValueError(f"a rack has at most {MOST_TILES} tiles, not {rack.total}")
        edition = self.lexicon.edition
        if not (board.edition is edition is rack.edition or board.edition.code == rack.edition.code == edition.code):
            raise ValueError(f"board, rack and words must be of one edition, {edition.code}")
        work: _Work | None = getattr(self._threads, "work", None)
        if work is None:
            work = self._threads.work = _Work(self.lexicon, self._bonuses, self.largest_play, self.first_word_across)
            work.search["premiums_again"] = self.premiums_again
        if board.squares != work.asked:
            work.prepared[0] = 0
            work.squares[:] = work.asked = board.squares
        work.rack[: len(rack.counts)] = bytes(rack.counts)
        return work

    def _find_all(self, work: _Work, most: int, *, first_anchor_only: bool = False) -> int:
        return find_all(self.lexicon.graph, work.search, most, first_anchor_only, work.plays)

    def _find_best(self, work: _Work) -> int:
        return find_best(self.lexicon.graph, work.search, *self.lexicon.anagrams, work.found, work.plays)


class _Work:
    """What a search fills, kept from search to search, one for each thread."""

    # To the compiled code this is a sequence of one record of `layout.py`, to numpy an array of `void`.
    search: Any

    def __init__(
        self, lexicon: Lexicon, bonuses: Mapping[int, int], largest_play: int, first_word_across: bool
    ) -> None:
        self.search = np.zeros(1, SEARCH)
        self.search["values"] = lexicon.edition.values
        self.search["bonuses"] = [bonuses.get(laid, 0) for laid in range(MOST_TILES + 1)]
        self.search["empty_lanes"] = empty_lanes(lexicon.edition)
        self.search["letter_count"] = len(lexicon.edition.letters)
        self.search["largest_play"] = largest_play
        self.search["first_word_across"] = first_word_across
        self.squares = memoryview(self.search["squares"][0])
        self.rack = memoryview(self.search["rack"][0])
        self.prepared = memoryview(self.search["prepared"])
        self.asked = b""  # the squares of the last question: while they are the same, its lanes are kept
        self.found = np.empty(2 * lexicon.word_count + 1, np.int64)
        self.make_room(1 << 14)

    def make_room(self, plays: int) -> None:
        """Have room for so many plays, each its packed number and its score; it stays for the next search."""
        self.plays = np.empty((plays, 2), np.int64)
