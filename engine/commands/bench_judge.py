"""`python -m engine bench-judge`: time to judge the slips of one turn, identical ones once."""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine.board.board import Board
from engine.commands.bench import make_positions
from engine.commands.edition_option import add_edition_option
from engine.commands.json_lines import read_words
from engine.judging.verdict import Position, Verdict, judge_slip
from engine.lexicon.graph import Lexicon
from engine.rules.profile import Profile, load_profile, profile_codes
from engine.search.solver import Solver
from engine.slips.slip import Slip
from engine.tiles.tiles import Tiles

TURN = 12
"""Number of the turn for which slips are generated, in a game of the engine against itself."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Make slips up for one turn, right ones and all kinds of wrong ones, and judge them by every profile. "
        "Seconds for all of them, identical ones judged once, and microseconds for each different one."
    )
    add_edition_option(parser)
    parser.add_argument("--words", required=True, type=Path, metavar="FILE", help="a word list, or a graph (.npy)")
    parser.add_argument("--slips", type=int, default=100_000, help="%(default)s")
    parser.add_argument("--contents", type=int, default=1_000, help="how many of them differ (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of everything that is made up (%(default)s)")


def run(arguments: argparse.Namespace) -> int:
    """Run the benchmark; return 2 after an error message if the word list cannot be read or has no move, else 0."""
    try:
        lexicon = read_words(arguments.words, arguments.edition)
        board, rack = find_turn(lexicon, arguments.seed)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    rng = random.Random(arguments.seed)  # noqa: S311  nothing secret is drawn with it
    print(f"{'profile':12}{'seconds':>9}{'µs each':>10}{'different':>11}")
    for code in profile_codes():
        profile = load_profile(code)
        contents = list(make_slips(lexicon, board, rack, profile, arguments.contents, rng))
        slips = rng.choices(contents, k=arguments.slips)
        before = time.perf_counter()
        different = len(judge_distinct_slips(slips, Position(board, rack, TURN), profile, lexicon))
        seconds = time.perf_counter() - before
        print(f"{code:12}{seconds:9.2f}{seconds / different * 1e6:10.0f}{different:11}")
    return 0


def judge_distinct_slips(
    slips: Sequence[Slip], position: Position, profile: Profile, lexicon: Lexicon
) -> dict[tuple[object, ...], Verdict]:
    """Return the verdicts by content of the slips."""
    verdicts: dict[tuple[object, ...], Verdict] = {}
    for slip in slips:
        if slip.key not in verdicts:
            verdicts[slip.key] = judge_slip(slip, position, profile, lexicon)
    return verdicts


def find_turn(lexicon: Lexicon, seed: int) -> tuple[Board, Tiles]:
    """Return a position from the middle of a game, with one blank on the rack and a move; else `ValueError`."""
    solver = Solver(lexicon)
    for board, rack in reversed(make_positions(solver, seed, TURN)[1]):
        if solver.has_move(board, rack):
            return board, rack
    raise ValueError("With these words there is no move on any of the racks; take a longer word list.")


def make_slips(
    lexicon: Lexicon, board: Board, rack: Tiles, profile: Profile, number: int, rng: random.Random
) -> Iterator[Slip]:
    """Generate slips of players; one in three has a wrong score, reference, blank mark or letter."""
    ranked, edition = Solver(lexicon).ranked(board, rack), lexicon.edition
    for _ in range(number):
        move = ranked[min(int(rng.expovariate(0.01)), len(ranked) - 1)]
        word, ref = move.word_text(edition), move.reference_text(profile.notation)
        luck = rng.random()
        if luck < 0.1:
            word = word.upper()
        elif luck < 0.2:
            word = word[:-1] + rng.choice(edition.letters)
        elif luck < 0.3:
            ref = rng.choice(["", "Z99", f"{rng.randint(1, 15)}H"])
        yield Slip(word, ref, move.score + (luck > 0.9))
