"""Statistics of a played game: distribution of points, tops found, hardest turns, squares used by the players.

The input is counted by points and by move, so its size does not depend on the number of players.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate

from engine.board.board import EMPTY, Board, squares_of
from engine.board.coordinates import SIZE, Notation, UnreadableReference, parse_reference
from engine.standings.event import round_half_up
from engine.tiles.edition import Edition, UnknownLetter

MAX_BINS = 8
_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200)
PERCENT_STEP = 5


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """Move and the number of players who wrote it."""

    word: str
    ref: str
    score: int
    players: int


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """Played turn: the input of the statistics.

    `points`: number of players by points of their move, before penalty and bonus; `moves`: moves that could be laid,
    most players first; `board`: position before the turn.
    """

    number: int
    rack: str
    board: Sequence[str]
    top: int
    master: PlayedMove | None
    points: Mapping[int, int]
    moves: Sequence[PlayedMove]


@dataclass(frozen=True, slots=True)
class HistogramBin:
    """Number of players with `low` to `high` points; the last bin of a turn is its top."""

    low: int
    high: int
    players: int


@dataclass(frozen=True, slots=True)
class TurnStatistics:
    """Statistics of a turn.

    `on_top`: number of players with the top; `mean`: average points; `percent`: average percent of the top. Both are
    None if nobody played, `percent` also if the top is 0.
    """

    number: int
    rack: str
    top: int
    master: PlayedMove | None
    players: int
    on_top: int
    zeros: int
    mean: Decimal | None
    percent: Decimal | None
    spread: tuple[HistogramBin, ...]
    words: tuple[PlayedMove, ...]

    @property
    def top_share(self) -> Decimal | None:
        """Percent of the players who reached the top."""
        return round_half_up(Fraction(100 * self.on_top, self.players), 1) if self.players else None


def compute_turn_statistics(turn: TurnRecord, *, most_words: int = 8) -> TurnStatistics:
    """Compute the statistics of one turn."""
    players = sum(turn.points.values())
    got = sum(points * count for points, count in turn.points.items())
    possible = turn.top * players
    return TurnStatistics(
        number=turn.number,
        rack=turn.rack,
        top=turn.top,
        master=turn.master,
        players=players,
        on_top=sum(count for points, count in turn.points.items() if points >= turn.top > 0),
        zeros=turn.points.get(0, 0),
        mean=round_half_up(Fraction(got, players), 1) if players else None,
        percent=round_half_up(Fraction(100 * got, possible), 1) if possible else None,
        spread=points_histogram(turn.points, turn.top),
        words=tuple(turn.moves[:most_words]),
    )


def points_histogram(points: Mapping[int, int], top: int) -> tuple[HistogramBin, ...]:
    """Return the histogram of points: a bin for 0, bins of a round width, and a bin for the top."""
    if top <= 0:
        return ()
    step = next((step for step in _STEPS if (top - 1) / step <= MAX_BINS), _STEPS[-1])
    edges = [(0, 0), *((low, min(low + step, top) - 1) for low in range(1, top, step)), (top, max([top, *points]))]
    return tuple(HistogramBin(low, high, _count_between(points, low, high)) for low, high in edges)


def percent_histogram(percents: Iterable[Decimal]) -> tuple[HistogramBin, ...]:
    """Return the histogram of percents in steps of five, from the lowest step with a player."""
    counted = Counter(min(int(percent) // PERCENT_STEP, 100 // PERCENT_STEP - 1) for percent in percents)
    if not counted:
        return ()
    steps = range(min(counted), 100 // PERCENT_STEP)
    return tuple(HistogramBin(PERCENT_STEP * at, PERCENT_STEP * (at + 1), counted[at]) for at in steps)


def hardest_turns(turns: Sequence[TurnStatistics], most: int) -> tuple[TurnStatistics, ...]:
    """Return the turns with the lowest average percent of the top, the lowest first."""
    played = [turn for turn in turns if turn.percent is not None]
    return tuple(sorted(played, key=lambda turn: (turn.percent, turn.number))[:most])


def most_played_moves(turns: Sequence[TurnStatistics], most: int) -> tuple[tuple[int, PlayedMove], ...]:
    """Return (turn, move) for the moves that most players found in the whole game, at most one for each turn."""
    found = [(turn.number, turn.words[0]) for turn in turns if turn.words]
    return tuple(sorted(found, key=lambda it: (-it[1].players, it[0]))[:most])


def tile_heat_map(turns: Iterable[TurnRecord], edition: Edition, notation: Notation) -> tuple[tuple[int, ...], ...]:
    """Return by row and column the number of tiles that players laid there."""
    heat = [[0] * SIZE for _ in range(SIZE)]
    for turn in turns:
        board = Board.parse(edition, turn.board)
        for move in turn.moves:
            for row, col in _laid(board, move, notation):
                heat[row][col] += move.players
    return tuple(tuple(row) for row in heat)


def running_totals(points: Mapping[int, int], turns: Sequence[int]) -> tuple[int, ...]:
    """Return the total after each of these turns; a turn without a result adds 0."""
    return tuple(accumulate(points.get(turn, 0) for turn in turns))


def _count_between(points: Mapping[int, int], low: int, high: int) -> int:
    return sum(count for value, count in points.items() if low <= value <= high)


def _laid(board: Board, move: PlayedMove, notation: Notation) -> Iterator[tuple[int, int]]:
    """Yield the squares on which a move lays tiles; none if the move cannot be parsed."""
    try:
        reference = parse_reference(move.ref, notation)
        length = len(board.edition.parse_word(move.word))
    except (UnreadableReference, UnknownLetter):
        return
    for row, col in squares_of(reference, length):
        if row < SIZE and col < SIZE and board.at(row, col) == EMPTY:
            yield row, col
