"""Public interface of the move search.

solver = Solver(lexicon)
solver.best(board, rack)     # the moves with the top score
solver.ranked(board, rack)   # every legal move, best first
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.board.board import Board
from engine.board.scoring import STANDARD_BONUSES
from engine.lexicon.graph import Lexicon
from engine.search.best import find_best
from engine.search.layout import MAX_TILES, SEARCH, empty_lines
from engine.search.moves import RankedMoves, TopMoves
from engine.search.ranked import find_all, sort_by_score
from engine.tiles.tiles import Tiles


class Solver:
    """Finder of moves. Threads may share a solver; the searches release the GIL."""

    def __init__(
        self,
        lexicon: Lexicon,
        *,
        bonuses: Mapping[int, int] = STANDARD_BONUSES,
        largest_play: int = 7,
        first_word_across: bool = True,
        premiums_again: bool = False,
    ) -> None:
        """Create a solver for a word list.

        `bonuses`: extra points by number of tiles laid; `largest_play`: highest number of tiles of a move, 1 to 9;
        `first_word_across`: on the empty board, list only moves across; `premiums_again`: house rule by which the
        premiums under board tiles count for every word over them.
        """
        if not 1 <= largest_play <= MAX_TILES:
            raise ValueError(f"a play may have 1 to {MAX_TILES} tiles, not {largest_play}")
        self.lexicon = lexicon
        self.largest_play = largest_play
        self.first_word_across = first_word_across
        self.premiums_again = premiums_again
        self._bonuses = dict(bonuses)
        self._threads = threading.local()

    def ranked(self, board: Board, rack: Tiles) -> RankedMoves:
        """Return every legal move of this rack, best first. `ValueError` for a rack of more than 9 tiles."""
        work = self._ask(board, rack)
        found = self._find_all(work, self.largest_play)
        if found > len(work.plays):
            work.make_room(found)
            self._find_all(work, self.largest_play)
        return RankedMoves(board, *sort_by_score(work.plays, found))

    def best(self, board: Board, rack: Tiles) -> TopMoves:
        """Return all moves with the highest score, across first, from the top left; empty if there is no move.

        Moves are decoded on access, as in `ranked`. `ValueError` as in `ranked`.
        """
        work = self._ask(board, rack)
        found = self._find_best(work)
        if found > len(work.plays):
            work.make_room(found)
            self._find_best(work)
        return TopMoves(board, sorted(work.plays[:found].tolist()))

    def has_move(self, board: Board, rack: Tiles) -> bool:
        """Return True if there is any legal move. `ValueError` as in `ranked`."""
        work = self._ask(board, rack)
        # If there is a move, there is nearly always one of at most two tiles, which is found at once.
        return any(
            self._find_all(work, most, first_anchor_only=True)
            for most in (min(2, self.largest_play), self.largest_play)
        )

    def _ask(self, board: Board, rack: Tiles) -> _Workspace:
        """Return the workspace of this thread, filled with the position."""
        if sum(rack.counts) > MAX_TILES:
            raise ValueError(f"a rack has at most {MAX_TILES} tiles, not {rack.total}")
        edition = self.lexicon.edition
        if not (board.edition is edition is rack.edition or board.edition.code == rack.edition.code == edition.code):
            raise ValueError(f"board, rack and words must be of one edition, {edition.code}")
        work: _Workspace | None = getattr(self._threads, "work", None)
        if work is None:
            work = self._threads.work = _Workspace(
                self.lexicon, self._bonuses, self.largest_play, self.first_word_across
            )
            work.search["premiums_again"] = self.premiums_again
        if board.squares != work.asked:
            work.prepared[0] = 0
            work.squares[:] = work.asked = board.squares
        work.rack[: len(rack.counts)] = bytes(rack.counts)
        return work

    def _find_all(self, work: _Workspace, most: int, *, first_anchor_only: bool = False) -> int:
        return find_all(self.lexicon.graph, work.search, most, first_anchor_only, work.plays)

    def _find_best(self, work: _Workspace) -> int:
        return find_best(self.lexicon.graph, work.search, *self.lexicon.anagrams, work.found, work.plays)


class _Workspace:
    """Buffers of a search, reused between searches; one workspace for each thread."""

    # The compiled code sees a sequence of one record of `layout.py`, numpy an array of `void`.
    search: Any

    def __init__(
        self, lexicon: Lexicon, bonuses: Mapping[int, int], largest_play: int, first_word_across: bool
    ) -> None:
        self.search = np.zeros(1, SEARCH)
        self.search["values"] = lexicon.edition.values
        self.search["bonuses"] = [bonuses.get(laid, 0) for laid in range(MAX_TILES + 1)]
        self.search["empty_lines"] = empty_lines(lexicon.edition)
        self.search["letter_count"] = len(lexicon.edition.letters)
        self.search["largest_play"] = largest_play
        self.search["first_word_across"] = first_word_across
        self.squares = memoryview(self.search["squares"][0])
        self.rack = memoryview(self.search["rack"][0])
        self.prepared = memoryview(self.search["prepared"])
        self.asked = b""  # the squares of the last search; the lines are prepared again only if they differ
        self.found = np.empty(2 * lexicon.word_count + 1, np.int64)
        self.make_room(1 << 14)

    def make_room(self, plays: int) -> None:
        """Enlarge the buffer of plays (packed play, score); the next searches use it too."""
        self.plays = np.empty((plays, 2), np.int64)
