"""A whole game played in advance by the engine, and the search for one that is interesting.

    found = find(secret, solver, profile, Wishes(bingo_turns=3, single_tops=60))

A prepared game is a seed whose master moves are known before: racks come from the same reproducible draw as those of a
live game (without a word of the hall), so its commitment proves them to everybody. Nothing here is random: the same
seed, word list and rules give the same game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from itertools import count, takewhile
from typing import Literal

from engine.board import Board
from engine.draw import Ended, draw, draw_key
from engine.game_solver import GameSolver
from engine.move import Move
from engine.rules.profile import Profile
from engine.rules.ties import RankedTop, order_tops
from engine.tiles import Tiles
from engine.turn import After, after_turn

MOST_TRIES = 2000
EndWhy = Literal["tiles_out", "minimum", "no_move", "turns"]


class NotPreparable(ValueError):
    """Rules by which the board depends on what players write, so that nothing after the first rack can be known."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A master move that the judge prefers to the engine's, and why."""

    move: Move
    why: str


@dataclass(frozen=True, slots=True)
class PreparedTurn:
    """A turn as it will be played. `board` and `kept` are those before the draw, `tops` in the order of preference.

    `choice` is the judge's, None where the engine's first top goes on the board.
    """

    number: int
    board: Board
    kept: Tiles
    rejected: tuple[Tiles, ...]
    rack: Tiles
    tops: tuple[RankedTop, ...]
    choice: Choice | None

    @property
    def top(self) -> int:
        return self.tops[0].move.score

    @property
    def master(self) -> Move:
        return self.choice.move if self.choice else self.tops[0].move


@dataclass(frozen=True, slots=True)
class PreparedGame:
    """A whole game: its seed, its turns, why it ends, and what is left then."""

    seed: bytes
    turns: tuple[PreparedTurn, ...]
    end: EndWhy
    kept: Tiles
    bag: Tiles

    @property
    def total(self) -> int:
        """What a player gets who finds every top."""
        return sum(turn.top for turn in self.turns)

    @property
    def single_tops(self) -> int:
        """Percent of the turns with one best move alone, rounded down."""
        alone = sum(len(turn.tops) == 1 for turn in self.turns)
        return 100 * alone // len(self.turns) if self.turns else 0


@dataclass(frozen=True, slots=True)
class Wishes:
    """What makes a game interesting; everything is left to chance by default.

    `bingo_turns`: each of so many first racks has a move that earns a bonus for the tiles laid. `least_total` and
    `most_total`: the sum of the tops lies between them, both included. `single_tops`: at least so many percent of the
    turns have one best move alone.
    """

    bingo_turns: int = 0
    least_total: int | None = None
    most_total: int | None = None
    single_tops: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """The first game that fits, and the number of the attempt, from 1."""

    game: PreparedGame
    attempts: int


def preparable(profile: Profile) -> Profile:
    """These rules, changed where a game by them cannot be known before: the engine's top goes on the board, and a turn
    in which nobody is correct is not played again."""
    return profile.with_switches(board_takes="top", nobody_correct="continue")


def find(
    secret: bytes,
    solver: GameSolver,
    profile: Profile,
    wishes: Wishes,
    *,
    tries: int = MOST_TRIES,
    go_on: Callable[[int], bool] = lambda attempt: True,
) -> Found | None:
    """The first game that fits, out of `tries` games whose seeds follow from `secret`; None when none of them does.

    `go_on` is asked before each attempt (1, 2 ...) and may end the search. `NotPreparable` for rules by which the board
    depends on the players.
    """
    for attempt in range(1, tries + 1):
        if not go_on(attempt):
            return None
        game = _fitting(seed_of(secret, attempt), solver, profile, wishes)
        if game is not None:
            return Found(game, attempt)
    return None


def seed_of(secret: bytes, attempt: int) -> bytes:
    """The seed of attempt 1, 2 ...: SHA-256 over the secret, "prepare" and the number as four bytes."""
    return sha256(secret + b"prepare" + attempt.to_bytes(4, "big")).digest()


def play(
    seed: bytes, solver: GameSolver, profile: Profile, choices: Mapping[int, Choice] | None = None
) -> PreparedGame:
    """The game of this seed; in the turns of `choices` the judge's move is laid, which the caller has checked there."""
    game = _play(seed, solver, profile, choices or {}, lambda turn: True)
    assert game is not None  # noqa: S101  every turn was let pass
    return game


def has_bingo(turn: PreparedTurn, solver: GameSolver, profile: Profile) -> bool:
    """Whether a move of this rack earns a bonus for the tiles that it lays."""
    earning = [laid for laid, points in profile.bonuses if points > 0]
    if not earning:
        return False
    least = min(points for points in profile.bonus_table.values() if points > 0)
    moves = solver.ranked(turn.board, turn.rack)
    return any(move.laid(turn.board).total in earning for move in takewhile(lambda move: move.score >= least, moves))


def _fitting(seed: bytes, solver: GameSolver, profile: Profile, wishes: Wishes) -> PreparedGame | None:
    """The game of this seed, given up at the first turn by which it cannot fit any more."""
    total = 0

    def fits(turn: PreparedTurn) -> bool:
        nonlocal total
        total += turn.top
        within = wishes.most_total is None or total <= wishes.most_total
        return within and (turn.number > wishes.bingo_turns or has_bingo(turn, solver, profile))

    game = _play(seed, solver, profile, {}, fits)
    if game is None or len(game.turns) < wishes.bingo_turns:
        return None
    enough = wishes.least_total is None or game.total >= wishes.least_total
    return game if enough and game.single_tops >= wishes.single_tops else None


def _play(
    seed: bytes,
    solver: GameSolver,
    profile: Profile,
    choices: Mapping[int, Choice],
    fits: Callable[[PreparedTurn], bool],
) -> PreparedGame | None:
    if preparable(profile) != profile:
        raise NotPreparable("by these rules the master move depends on the slips; let the engine's top be placed")
    edition = solver.lexicon.edition
    left = After(Board.empty(edition), Tiles.none(edition))
    turns: list[PreparedTurn] = []
    for number in count(1):
        turn = _turn(seed, number, left, solver, profile, choices.get(number))
        if not isinstance(turn, PreparedTurn):
            return PreparedGame(seed, tuple(turns), turn, left.kept, left.bag)
        if not fits(turn):
            return None
        turns.append(turn)
        left = after_turn(turn.board, turn.rack, turn.master, profile, solver.formula)
    raise AssertionError("a game ends")


def _turn(
    seed: bytes, number: int, left: After, solver: GameSolver, profile: Profile, choice: Choice | None
) -> PreparedTurn | EndWhy:
    """The turn of this number, or why there is none."""
    if profile.max_turns is not None and number > profile.max_turns:
        return "turns"
    drawn = draw(
        draw_key(seed, None),
        number,
        left.kept,
        left.bag,
        profile,
        partial(solver.has_move, left.board),
        formula=solver.formula,
        letters_of_blank=partial(solver.letters_of_blank, left.board),
    )
    if isinstance(drawn, Ended):
        return drawn.why
    best = solver.best(left.board, drawn.rack)
    tops = order_tops(best, left.board, drawn.rack, solver.lexicon, profile)
    return PreparedTurn(number, left.board, left.kept, drawn.rejected, drawn.rack, tops, choice)
