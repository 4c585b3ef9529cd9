"""Games played in advance by the engine, and the search for one that meets given criteria.

    found = find_game(secret, solver, profile, GameCriteria(bingo_turns=3, single_tops=60))

A prepared game is a seed whose master moves are known in advance. Its racks come from the same reproducible draw as
those of a live game (without a hall word), so its commitment proves them. The result is deterministic: the same seed,
word list and rules give the same game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from itertools import count, takewhile
from typing import Literal

from engine.board.board import Board
from engine.board.move import Move
from engine.draw.reproducible import GameOver, draw_key, draw_next_rack
from engine.play.turn import TurnOutcome, apply_master_move
from engine.rules.profile import Profile
from engine.search.game_solver import GameSolver
from engine.tiles.tiles import Tiles
from engine.turn_results.ties import RankedTop, order_tops

MAX_ATTEMPTS = 2000
EndReason = Literal["tiles_out", "minimum", "no_move", "turns"]


class NotPreparableError(ValueError):
    """Rules by which the board depends on the slips of the players, so that the game cannot be known in advance."""


@dataclass(frozen=True, slots=True)
class JudgeChoice:
    """Master move chosen by the judge instead of the engine's, and the reason."""

    move: Move
    why: str


@dataclass(frozen=True, slots=True)
class PreparedTurn:
    """Turn of a prepared game. `board` and `kept` are those before the draw, `tops` in the order of preference.

    `choice`: choice of the judge, or None if the engine's first top goes on the board.
    """

    number: int
    board: Board
    kept: Tiles
    rejected: tuple[Tiles, ...]
    rack: Tiles
    tops: tuple[RankedTop, ...]
    choice: JudgeChoice | None

    @property
    def top(self) -> int:
        return self.tops[0].move.score

    @property
    def master(self) -> Move:
        return self.choice.move if self.choice else self.tops[0].move


@dataclass(frozen=True, slots=True)
class PreparedGame:
    """Prepared game: its seed, its turns, the reason of its end, and the tiles left then."""

    seed: bytes
    turns: tuple[PreparedTurn, ...]
    end: EndReason
    kept: Tiles
    bag: Tiles

    @property
    def total(self) -> int:
        """Sum of the tops."""
        return sum(turn.top for turn in self.turns)

    @property
    def single_tops(self) -> int:
        """Percent of the turns with a single best move, rounded down."""
        alone = sum(len(turn.tops) == 1 for turn in self.turns)
        return 100 * alone // len(self.turns) if self.turns else 0


@dataclass(frozen=True, slots=True)
class GameCriteria:
    """Criteria for a prepared game; the defaults accept every game.

    `bingo_turns`: number of turns from the first in which a move earns a bonus for the tiles laid. `least_total` and
    `most_total`: inclusive limits of the sum of the tops. `single_tops`: minimum percent of turns with a single best
    move.
    """

    bingo_turns: int = 0
    least_total: int | None = None
    most_total: int | None = None
    single_tops: int = 0


@dataclass(frozen=True, slots=True)
class FoundGame:
    """First game that meets the criteria, and the number of the attempt, from 1."""

    game: PreparedGame
    attempts: int


def preparable_profile(profile: Profile) -> Profile:
    """Return the rules with the changes that a prepared game needs.

    The engine's top goes on the board, and a turn in which nobody is correct is not repeated.
    """
    return profile.with_switches(board_takes="top", nobody_correct="continue")


def find_game(
    secret: bytes,
    solver: GameSolver,
    profile: Profile,
    wishes: GameCriteria,
    *,
    tries: int = MAX_ATTEMPTS,
    go_on: Callable[[int], bool] = lambda attempt: True,
) -> FoundGame | None:
    """Return the first of `tries` games that meets the criteria, or None; the seeds are derived from `secret`.

    `go_on` is called before each attempt (1, 2 ...) and may end the search. `NotPreparableError` for rules by which the
    board depends on the players.
    """
    for attempt in range(1, tries + 1):
        if not go_on(attempt):
            return None
        game = _play_fitting_game(seed_of(secret, attempt), solver, profile, wishes)
        if game is not None:
            return FoundGame(game, attempt)
    return None


def seed_of(secret: bytes, attempt: int) -> bytes:
    """Return the seed of attempt 1, 2 ...: SHA-256 of the secret, "prepare" and the number as four bytes."""
    return sha256(secret + b"prepare" + attempt.to_bytes(4, "big")).digest()


def play_game(
    seed: bytes, solver: GameSolver, profile: Profile, choices: Mapping[int, JudgeChoice] | None = None
) -> PreparedGame:
    """Play the game of this seed; in the turns of `choices`, the judge's move, checked by the caller, is laid."""
    game = _play(seed, solver, profile, choices or {}, lambda turn: True)
    assert game is not None  # noqa: S101  every turn fits
    return game


def has_bingo(turn: PreparedTurn, solver: GameSolver, profile: Profile) -> bool:
    """Return True if a move of this rack earns a bonus for the number of tiles laid."""
    earning = [laid for laid, points in profile.bonuses if points > 0]
    if not earning:
        return False
    least = min(points for points in profile.bonus_table.values() if points > 0)
    moves = solver.ranked(turn.board, turn.rack)
    return any(move.laid(turn.board).total in earning for move in takewhile(lambda move: move.score >= least, moves))


def _play_fitting_game(seed: bytes, solver: GameSolver, profile: Profile, wishes: GameCriteria) -> PreparedGame | None:
    """Play the game of this seed; stop with None at the first turn after which it cannot meet the criteria."""
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
    choices: Mapping[int, JudgeChoice],
    fits: Callable[[PreparedTurn], bool],
) -> PreparedGame | None:
    if preparable_profile(profile) != profile:
        raise NotPreparableError("by these rules the master move depends on the slips; let the engine's top be placed")
    edition = solver.lexicon.edition
    left = TurnOutcome(Board.empty(edition), Tiles.none(edition))
    turns: list[PreparedTurn] = []
    for number in count(1):
        turn = _turn(seed, number, left, solver, profile, choices.get(number))
        if not isinstance(turn, PreparedTurn):
            return PreparedGame(seed, tuple(turns), turn, left.kept, left.bag)
        if not fits(turn):
            return None
        turns.append(turn)
        left = apply_master_move(turn.board, turn.rack, turn.master, profile, solver.variant)
    raise AssertionError("a game ends")


def _turn(
    seed: bytes, number: int, left: TurnOutcome, solver: GameSolver, profile: Profile, choice: JudgeChoice | None
) -> PreparedTurn | EndReason:
    """Return the turn of this number, or the reason why the game ends."""
    if profile.max_turns is not None and number > profile.max_turns:
        return "turns"
    drawn = draw_next_rack(
        draw_key(seed, None),
        number,
        left.kept,
        left.bag,
        profile,
        partial(solver.has_move, left.board),
        variant=solver.variant,
        letters_of_blank=partial(solver.letters_of_blank, left.board),
    )
    if isinstance(drawn, GameOver):
        return drawn.why
    best = solver.best(left.board, drawn.rack)
    tops = order_tops(best, left.board, drawn.rack, solver.lexicon, profile)
    return PreparedTurn(number, left.board, left.kept, drawn.rejected, drawn.rack, tops, choice)
