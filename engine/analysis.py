"""What can be counted of a game that was played: how points spread, who found the top, which turns were hard, where on
the board people looked. Counts come in by points and by move, however many players there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate

from engine.board import EMPTY, Board, squares_of
from engine.coords import SIZE, Notation, UnreadableReference, parse_reference
from engine.edition import Edition, UnknownLetter
from engine.event_standings import half_up

MOST_BINS = 8
_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200)
PERCENT_STEP = 5


@dataclass(frozen=True, slots=True)
class Played:
    """A move that so many players wrote."""

    word: str
    ref: str
    score: int
    players: int


@dataclass(frozen=True, slots=True)
class TurnFacts:
    """A turn as it was played: `points` counts the players by what their moves got, before penalty and bonus; `moves`
    are those that were really laid, most players first; `board` is the one before it."""

    number: int
    rack: str
    board: Sequence[str]
    top: int
    master: Played | None
    points: Mapping[int, int]
    moves: Sequence[Played]


@dataclass(frozen=True, slots=True)
class Bin:
    """So many players from `low` to `high` points; the last bin of a turn is its top."""

    low: int
    high: int
    players: int


@dataclass(frozen=True, slots=True)
class TurnFigures:
    """What a turn was like. `on_top` of the players reached the top; `mean` is what a player got, `percent` of the top;
    None where nobody played or nothing could be got."""

    number: int
    rack: str
    top: int
    master: Played | None
    players: int
    on_top: int
    zeros: int
    mean: Decimal | None
    percent: Decimal | None
    spread: tuple[Bin, ...]
    words: tuple[Played, ...]

    @property
    def top_share(self) -> Decimal | None:
        """Percent of the players on the top."""
        return half_up(Fraction(100 * self.on_top, self.players), 1) if self.players else None


def figures_of(turn: TurnFacts, *, most_words: int = 8) -> TurnFigures:
    """The figures of one turn."""
    players = sum(turn.points.values())
    got = sum(points * count for points, count in turn.points.items())
    possible = turn.top * players
    return TurnFigures(
        number=turn.number,
        rack=turn.rack,
        top=turn.top,
        master=turn.master,
        players=players,
        on_top=sum(count for points, count in turn.points.items() if points >= turn.top > 0),
        zeros=turn.points.get(0, 0),
        mean=half_up(Fraction(got, players), 1) if players else None,
        percent=half_up(Fraction(100 * got, possible), 1) if possible else None,
        spread=spread_of(turn.points, turn.top),
        words=tuple(turn.moves[:most_words]),
    )


def spread_of(points: Mapping[int, int], top: int) -> tuple[Bin, ...]:
    """The players by points: those with nothing, steps of a round width, and the top by itself."""
    if top <= 0:
        return ()
    step = next((step for step in _STEPS if (top - 1) / step <= MOST_BINS), _STEPS[-1])
    edges = [(0, 0), *((low, min(low + step, top) - 1) for low in range(1, top, step)), (top, max([top, *points]))]
    return tuple(Bin(low, high, _within(points, low, high)) for low, high in edges)


def percents_of(percents: Iterable[Decimal]) -> tuple[Bin, ...]:
    """Players by the percent of the tops that they have, in steps of five, from the lowest step that has anybody."""
    counted = Counter(min(int(percent) // PERCENT_STEP, 100 // PERCENT_STEP - 1) for percent in percents)
    if not counted:
        return ()
    steps = range(min(counted), 100 // PERCENT_STEP)
    return tuple(Bin(PERCENT_STEP * at, PERCENT_STEP * (at + 1), counted[at]) for at in steps)


def hardest(turns: Sequence[TurnFigures], most: int) -> tuple[TurnFigures, ...]:
    """The turns in which the players got least of the top, the hardest first."""
    played = [turn for turn in turns if turn.percent is not None]
    return tuple(sorted(played, key=lambda turn: (turn.percent, turn.number))[:most])


def most_played(turns: Sequence[TurnFigures], most: int) -> tuple[tuple[int, Played], ...]:
    """(turn, move): the moves of the whole game that most players found, at most one a turn."""
    found = [(turn.number, turn.words[0]) for turn in turns if turn.words]
    return tuple(sorted(found, key=lambda it: (-it[1].players, it[0]))[:most])


def heat_of(turns: Iterable[TurnFacts], edition: Edition, notation: Notation) -> tuple[tuple[int, ...], ...]:
    """By row and column how many times a player laid a tile there."""
    heat = [[0] * SIZE for _ in range(SIZE)]
    for turn in turns:
        board = Board.parse(edition, turn.board)
        for move in turn.moves:
            for row, col in _laid(board, move, notation):
                heat[row][col] += move.players
    return tuple(tuple(row) for row in heat)


def running(points: Mapping[int, int], turns: Sequence[int]) -> tuple[int, ...]:
    """The total after each of these turns; a turn that somebody did not play adds nothing."""
    return tuple(accumulate(points.get(turn, 0) for turn in turns))


def _within(points: Mapping[int, int], low: int, high: int) -> int:
    return sum(count for value, count in points.items() if low <= value <= high)


def _laid(board: Board, move: Played, notation: Notation) -> Iterator[tuple[int, int]]:
    """The squares that a move fills; none for one that cannot be read on this board."""
    try:
        reference = parse_reference(move.ref, notation)
        length = len(board.edition.parse_word(move.word))
    except (UnreadableReference, UnknownLetter):
        return
    for row, col in squares_of(reference, length):
        if row < SIZE and col < SIZE and board.at(row, col) == EMPTY:
            yield row, col
