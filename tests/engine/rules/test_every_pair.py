"""Random games of every set of rules in every variant: what holds in all of them, whatever is on the slips.

No pair is forbidden: each set of rules may be played in each variant.
"""

from __future__ import annotations

import random
from functools import cache, partial
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board.board import Board
from engine.board.move import Move
from engine.draw.reproducible import DrawnRack, draw_next_rack
from engine.judging.placement import Position
from engine.judging.verdict import Verdict, judge_slip
from engine.play.turn import TurnOutcome, apply_master_move
from engine.rules.profile import Profile, load_profile, profile_codes
from engine.search.game_solver import GameSolver
from engine.slips.slip import Slip
from engine.tiles.tiles import Tiles
from engine.turn_results.averages import Fault, apply_averages, fault_of
from engine.turn_results.bonuses import apply_bonuses, find_solo_table
from engine.turn_results.master_move import choose_master, is_played_again
from engine.turn_results.ties import order_tops
from engine.variants.variant import load_variant, variant_codes
from tests.engine.archive.played_game import IT, lexicon
from tests.examples import examples, one_in

PAIRS = list(product(profile_codes(), variant_codes()))
TURNS = 3
TABLES = range(1, 7)
Results = tuple[dict[int, Verdict], int | None]


class Game:
    """A game that is going on, with what each player has so far."""

    def __init__(self, profile: str, variant: str, rng: random.Random) -> None:
        self.variant = load_variant(variant)
        # Bonuses as for a full hall.
        self.rules: Profile = self.variant.apply_to(load_profile(profile)).with_switches(solo_min_players=2)
        self.solver = GameSolver(lexicon(), self.rules, self.variant)
        self.rng = rng
        self.warnings = dict.fromkeys(TABLES, 0)
        self.bonuses = dict.fromkeys(TABLES, 0)
        self.faults: dict[int, Fault | None] = {}

    def draw(self, board: Board, kept: Tiles, number: int) -> Tiles:
        bag = Tiles.full_bag(IT) - board.tiles - kept
        outcome = draw_next_rack(
            self.rng.randbytes(32),
            number,
            kept,
            bag,
            self.rules,
            partial(self.solver.has_move, board),
            variant=self.variant,
            letters_of_blank=partial(self.solver.letters_of_blank, board),
        )
        if not isinstance(outcome, DrawnRack):  # few words: HO above AH is a board on which nothing finds a place
            assert outcome.why == "no_move"
            return Tiles.none(IT)
        assert (kept + bag).holds(outcome.rack)
        assert outcome.rack.total == self.rules.rack_size
        return outcome.rack

    def position(self, board: Board, rack: Tiles, number: int) -> Position:
        return Position(board, rack, number, self.variant.stock(board, rack), self.variant.most_laid(self.rules))

    def slips(self, moves: list[Move]) -> dict[int, Slip]:
        return {table: self._slip(moves) for table in TABLES}

    def _slip(self, moves: list[Move]) -> Slip:
        """One of the better moves, with something wrong on half of the slips."""
        move = moves[min(int(self.rng.expovariate(0.2)), len(moves) - 1)]
        word, ref = move.word_text(IT), move.reference_text(self.rules.notation)
        declared: int | None = move.score
        wrong = self.rng.randrange(16)
        if wrong < 3:
            word = (word.upper(), word[:-1], word[:-1] + self.rng.choice("AEIOSTZ"))[wrong]
        elif wrong < 6:
            ref = ("", "Z99", f"{self.rng.randint(1, 15)}H")[wrong - 3]
        elif wrong < 8:
            declared = (None, move.score + 1)[wrong - 6]
        return Slip("", "", None) if wrong == 8 else Slip(word, ref, declared)

    def judged(self, slips: dict[int, Slip], at: Position, top: int) -> Results:
        """The verdicts of a turn, the slips in this order, and whose solo it is."""
        single = {
            table: judge_slip(slip, at, self.rules, lexicon(), prior_warnings=self.warnings[table])
            for table, slip in slips.items()
        }
        averaged = apply_averages(single, self.faults, self.rules)
        return apply_bonuses(averaged, top, self.rules, self.bonuses), find_solo_table(single, top)

    def count(self, verdicts: dict[int, Verdict]) -> None:
        for table, verdict in verdicts.items():
            self.warnings[table] += len(verdict.warnings)
            self.bonuses[table] += verdict.bonus
            self.faults[table] = fault_of(verdict)

    def after(self, board: Board, rack: Tiles, move: Move | None) -> TurnOutcome:
        return apply_master_move(board, rack, move, self.rules, self.variant)


@pytest.mark.parametrize(("profile", "variant"), one_in(5, PAIRS))
@examples(2)
@given(seed=st.integers(0, 2**32))
def test_a_random_game_keeps_its_tiles_and_gives_nobody_less_than_nothing_or_more_than_there_is(
    profile: str, variant: str, seed: int
) -> None:
    rng = random.Random(seed)  # noqa: S311  nothing secret is drawn with it
    game = Game(profile, variant, rng)
    board, kept, again = Board.empty(IT), Tiles.none(IT), False
    for number in range(1, TURNS + 1):
        rack = kept if again else game.draw(board, kept, number)
        at = game.position(board, rack, number)
        moves = list(game.solver.ranked(board, rack))
        if not moves:
            return
        top = moves[0].score
        slips = game.slips(moves)
        verdicts, solo = game.judged(slips, at, top)
        shuffled = rng.sample(list(slips), len(slips))
        assert game.judged({table: slips[table] for table in shuffled}, at, top) == (verdicts, solo)
        for table, verdict in verdicts.items():
            _check(verdict, top, game, table)
        game.count(verdicts)
        tops = order_tops([move for move in moves if move.score == top], board, rack, lexicon(), game.rules)
        master = choose_master(verdicts.values(), tops, board, rack, lexicon(), game.rules)
        move = master.move if master else None
        again = is_played_again(move, top, game.rules)
        if again:
            kept = rack
            continue
        after = game.after(board, rack, move)
        assert game.after(board, rack, move) == after, "taken back and placed again"
        assert after.board.tiles + after.kept + after.bag == Tiles.full_bag(IT)
        assert not (game.rules.put_back == "always" and after.kept)
        board, kept = after.board, after.kept


def _check(verdict: Verdict, top: int, game: Game, table: int) -> None:
    """Source: the formats, section 3: points are those of the move, less penalty, plus bonus, never below zero."""
    cap = game.rules.bonus_cap
    assert 0 <= verdict.points <= top + verdict.bonus
    assert verdict.penalty >= 0
    assert 0 <= verdict.bonus <= max(game.rules.solo_bonus, game.rules.sole_best_bonus)
    assert cap is None or game.bonuses[table] + verdict.bonus <= cap
    if verdict.result == "zero":
        assert (verdict.points, verdict.penalty) == (0, 0)
    elif verdict.move_score is not None:
        assert verdict.points == verdict.move_score - verdict.penalty + verdict.bonus


@cache
def _bonuses_of(profile: str, variant: str) -> tuple[int, dict[int, int]]:
    rules = load_variant(variant).apply_to(load_profile(profile))
    return rules.rack_size, dict(rules.bonuses)


@pytest.mark.parametrize(("profile", "variant"), PAIRS)
def test_size_of_the_rack_and_bonuses_follow_from_the_variant_alone(profile: str, variant: str) -> None:
    assert _bonuses_of(profile, variant) == _bonuses_of("club", variant)
