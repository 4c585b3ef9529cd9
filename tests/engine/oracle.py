"""Slow and simple reference search: every word at every place, scored by the printed rules; the fast one must agree.

It shares nothing with the engine but the value types: no graph, no anchors, no cross-checks, and points of its own, so
that `engine.board.scoring` is proved by it as well. numpy only lays all words over all places at once; whatever may lie
there is then looked at one by one. Some hundred words take it a few milliseconds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import prod

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from engine.board.board import CENTRE, EMPTY, Board, squares_of
from engine.board.coordinates import SIZE, Direction, Reference
from engine.board.move import Move
from engine.board.scoring import STANDARD_BONUSES
from engine.tiles.edition import BLANK_BIT, LETTER_MASK
from engine.tiles.tiles import Tiles

Word = tuple[int, ...]
Crossing = tuple[Word, Word]
Grid = NDArray[np.uint8]
Mask = NDArray[np.bool_]

MAX_LETTERS = 32


def all_moves(
    words: Collection[Word],
    board: Board,
    rack: Tiles,
    *,
    bonuses: Mapping[int, int] = STANDARD_BONUSES,
    largest_play: int = 7,
    first_word_across: bool = True,
    premiums_again: bool = False,
) -> list[Move]:
    """Every legal move, best first; `words` are letter numbers. A single tile that reads both ways is a move across.

    `premiums_again`: the premiums under tiles that lie already count as well, for all words over them.
    """
    known = frozenset(words)
    directions = [Direction.ACROSS] if board.is_empty and first_word_across else list(Direction)
    moves: list[Move] = []
    for direction in directions:
        crossed = _crossed(board, direction.other)
        for reference, word in _words_that_fit(known, board, rack, direction, largest_play):
            places = _Places(board, crossed, reference, word, again=premiums_again)
            if places.form_only(known):
                moves.extend(_moves(places, rack, bonuses))
    return sorted(moves, key=lambda move: -move.score)


@lru_cache(maxsize=64)
def _by_length(known: frozenset[Word]) -> dict[int, tuple[list[Word], Grid]]:
    """The words of each length, and the same as an array, one a row."""
    listed = {length: sorted(word for word in known if len(word) == length) for length in map(len, known)}
    return {length: (words, np.array(words, np.uint8)) for length, words in sorted(listed.items())}


def _words_that_fit(
    known: frozenset[Word], board: Board, rack: Tiles, direction: Direction, largest_play: int
) -> Iterator[tuple[Reference, Word]]:
    """Each word at each place where it meets no other letter, touches what lies and can be laid from the rack."""
    squares = np.frombuffer(board.squares, np.uint8).reshape(SIZE, SIZE)
    lines = squares if direction is Direction.ACROSS else squares.T
    near = _anchor_squares(squares) if direction is Direction.ACROSS else _anchor_squares(squares).T
    for length, (words, listed) in _by_length(known).items():
        line, start = np.nonzero(_possible_starts(lines, near, length, largest_play))
        lying = sliding_window_view(lines, length, axis=1)[line, start]
        fits = ((lying[:, None] == EMPTY) | (lying[:, None] & LETTER_MASK == listed)).all(axis=2)
        place, word = np.nonzero(fits)
        enough = _fits_rack(rack, listed[word], lying[place] == EMPTY)
        for at, number in zip(place[enough].tolist(), word[enough].tolist(), strict=True):
            first = (int(line[at]), int(start[at]))
            row, col = first if direction is Direction.ACROSS else first[::-1]
            yield Reference(row, col, direction), words[number]


def _anchor_squares(squares: Grid) -> Mask:
    """The squares of which a word must cover one: taken ones and their neighbours, or the centre of an empty board."""
    taken = np.pad(squares != EMPTY, 1)
    if not taken.any():
        taken[CENTRE + 1, CENTRE + 1] = True
        return taken[1:-1, 1:-1]
    touched = taken[1:-1, 1:-1] | taken[:-2, 1:-1] | taken[2:, 1:-1] | taken[1:-1, :-2] | taken[1:-1, 2:]
    return np.asarray(touched, np.bool_)


def _possible_starts(lines: Grid, near: Mask, length: int, largest_play: int) -> Mask:
    """For each line and start: free before and behind, in touch, and with 1 to `largest_play` free squares."""
    free = np.pad(lines == EMPTY, ((0, 0), (1, 1)), constant_values=True)
    before, behind = free[:, : SIZE + 1 - length], free[:, length + 1 :]
    room = sliding_window_view(lines == EMPTY, length, axis=1).sum(axis=2)
    touches = sliding_window_view(near, length, axis=1).any(axis=2)
    return np.asarray(before & behind & touches & (room >= 1) & (room <= largest_play))


def _fits_rack(rack: Tiles, words: Grid, free: Mask) -> Mask:
    """Return True if the rack, its blanks included, has the letters of each word that come on free squares."""
    have = np.zeros(MAX_LETTERS, np.int64)
    have[: len(rack.counts) - 1] = rack.counts[1:]
    needed = np.zeros((len(words), MAX_LETTERS), np.int64)
    row, col = np.nonzero(free)
    np.add.at(needed, (row, words[row, col]), 1)
    return np.asarray(np.maximum(needed - have, 0).sum(axis=1) <= rack.blanks)


def _crossed(board: Board, direction: Direction) -> dict[tuple[int, int], Crossing]:
    """For each free square the tiles that lie without a gap before and behind it in that direction, if there are."""
    found = {}
    for square in ((row, col) for row in range(SIZE) for col in range(SIZE)):
        if board.at(*square) == EMPTY:
            before, behind = _collect_run(board, square, direction, -1)[::-1], _collect_run(board, square, direction, 1)
            if before or behind:
                found[square] = before, behind
    return found


def _collect_run(board: Board, square: tuple[int, int], direction: Direction, sign: int) -> Word:
    """The tiles from this square on, itself left out, up to the first gap."""
    (row, col), (down, right) = square, direction.step
    run: list[int] = []
    while (code := board.at(row + sign * down * (len(run) + 1), col + sign * right * (len(run) + 1))) != EMPTY:
        run.append(code)
    return tuple(run)


class _Places:
    """A word on the board before it is said which of its tiles are blanks."""

    def __init__(
        self,
        board: Board,
        crossed: Mapping[tuple[int, int], Crossing],
        reference: Reference,
        word: Word,
        *,
        again: bool,
    ) -> None:
        self.again = again
        squares = list(squares_of(reference, len(word)))
        self.board, self.reference, self.word = board, reference, word
        self.lying = [board.at(*square) for square in squares]
        self.free = [i for i, code in enumerate(self.lying) if code == EMPTY]
        self.squares = [squares[i] for i in self.free]
        self.crossings = [crossed.get(square) for square in self.squares]

    def form_only(self, known: Collection[Word]) -> bool:
        """Return True if all other words are known, and this is the only or first name of the move."""
        if len(self.free) == 1 and self.reference.direction is Direction.DOWN and self.crossings[0]:
            return False
        return all(
            tuple(code & LETTER_MASK for code in (*crossing[0], self.word[i], *crossing[1])) in known
            for i, crossing in zip(self.free, self.crossings, strict=True)
            if crossing
        )

    def points(self) -> tuple[int, list[int]]:
        """(points of the tiles that lie, what each free square adds when no blank is laid there)."""
        values, premiums = self.board.edition.values, self.board.edition.premiums
        main = list(squares_of(self.reference, len(self.word)))
        counting = main if self.again else self.squares
        times = prod(premiums[row * SIZE + col].word for row, col in counting)
        rest = times * sum(
            values[code] * (premiums[row * SIZE + col].letter if self.again else 1)
            for code, (row, col) in zip(self.lying, main, strict=True)
            if code != EMPTY
        )
        adds = []
        for i, (row, col), crossing in zip(self.free, self.squares, self.crossings, strict=True):
            premium = premiums[row * SIZE + col]
            counts = times
            if crossing:
                factor, lying = self._crossing(row, col, crossing)
                counts += premium.word * factor
                rest += premium.word * factor * lying
            adds.append(values[self.word[i]] * premium.letter * counts)
        return rest, adds

    def _crossing(self, row: int, col: int, crossing: Crossing) -> tuple[int, int]:
        """(what the squares under the lying tiles of a crossing word multiply it by, what those tiles count in it)."""
        before, behind = crossing
        values, premiums = self.board.edition.values, self.board.edition.premiums
        if not self.again:
            return 1, sum(values[code] for code in (*before, *behind))
        down, right = self.reference.direction.other.step
        steps = [*range(-len(before), 0), *range(1, len(behind) + 1)]
        under = [premiums[(row + i * down) * SIZE + col + i * right] for i in steps]
        lying = sum(values[code] * premium.letter for code, premium in zip((*before, *behind), under, strict=True))
        return prod(premium.word for premium in under), lying


def _moves(places: _Places, rack: Tiles, bonuses: Mapping[int, int]) -> Iterator[Move]:
    """The word once for each choice of free squares on which blanks are laid."""
    free = places.free
    rest, adds = places.points()
    most = rest + sum(adds) + bonuses.get(len(free), 0)
    for blanks in range(min(rack.blanks, len(free)) + 1):
        for chosen in combinations(range(len(free)), blanks):
            if _has_tiles(rack, [places.word[i] for n, i in enumerate(free) if n not in chosen]):
                codes = places.lying.copy()
                for n, i in enumerate(free):
                    codes[i] = places.word[i] | (BLANK_BIT if n in chosen else 0)
                yield Move(places.reference, tuple(codes), most - sum(adds[n] for n in chosen))


def _has_tiles(rack: Tiles, letters: Sequence[int]) -> bool:
    kinds = [letter + 1 for letter in letters]
    return all(kind < len(rack.counts) and rack.counts[kind] >= kinds.count(kind) for kind in kinds)
