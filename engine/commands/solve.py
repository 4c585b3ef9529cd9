"""`python -m engine solve`: all moves of positions, or the best ones, as JSON lines for other programs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.board.board import Board
from engine.board.coordinates import LETTERS, Direction, Notation
from engine.board.move import Move
from engine.commands.edition_option import add_edition_option
from engine.commands.json_lines import LineError, answer_all, read_stock, read_words
from engine.rules.profile import load_profile
from engine.search.game_solver import GameSolver
from engine.tiles.edition import Edition
from engine.tiles.tiles import Tiles
from engine.variants.variant import NORMAL, load_variant, variant_codes

_DEFAULT_PROFILE = "it-box"
"""Profile of the search; only its rack size and bonuses have an effect here."""


@dataclass(frozen=True, slots=True)
class SolveOptions:
    """Options that apply to all positions."""

    edition: Edition
    notation: Notation
    solver: GameSolver
    best_only: bool
    limit: int | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Read positions from standard input, one JSON object a line: "
        '{"board": 15 rows, "rack": "AEINRS?", "id": anything}. '
        "Write the moves to standard output, one object a line, in the same order."
    )
    add_edition_option(parser)
    parser.add_argument(
        "--words", required=True, type=Path, metavar="FILE", help="UTF-8, one word a line; or a graph (.npy)"
    )
    parser.add_argument("--best", action="store_true", help="only the moves with the top score; count and sum are null")
    parser.add_argument("--limit", type=_count, metavar="N", help="give the N best moves as well")
    parser.add_argument(
        "--across", type=Notation, choices=list(Notation), help="how a word across is written (as the edition does)"
    )
    parser.add_argument("--formula", dest="variant", default=NORMAL, choices=variant_codes(), help="%(default)s")
    parser.add_argument(
        "--first-any-direction", action="store_true", help="the first word may lie down as well as across"
    )


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError("a count is not negative")
    return number


def run(arguments: argparse.Namespace) -> int:
    """Solve standard input; return 1 if a line was malformed, 2 if the word list cannot be read, else 0."""
    edition: Edition = arguments.edition
    try:
        lexicon = read_words(arguments.words, edition)
    except (OSError, ValueError) as error:
        print(f"The word list {arguments.words} cannot be read: {error}", file=sys.stderr)
        return 2
    variant = load_variant(arguments.variant)
    rules = variant.apply_to(load_profile(_DEFAULT_PROFILE))
    solver = GameSolver(lexicon, rules, variant, first_word_across=not arguments.first_any_direction)
    question = SolveOptions(edition, arguments.across or edition.across, solver, arguments.best, arguments.limit)
    errors = answer_all(sys.stdin.buffer, lambda asked: solve_line(asked, question), sys.stdout.buffer)
    return 1 if errors else 0


def solve_line(asked: Mapping[str, object], question: SolveOptions) -> dict[str, Any]:
    """Return the moves of one position (see `docs/formats.md`); `ValueError` for a malformed line."""
    rows, rack_text = asked.get("board"), asked.get("rack")
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise LineError("board must be a list of 15 rows of text.")
    if not isinstance(rack_text, str):
        raise LineError("rack must be text.")
    board, rack = Board.parse(question.edition, rows), Tiles.parse(question.edition, rack_text)
    stock = read_stock(asked, question.solver.variant, board, rack)
    if question.best_only and question.limit is None:
        tops = question.solver.best(board, rack, stock)
        return {"count": None, "sum": None, "top": tops[0].score if tops else 0, "tops": _moves_as_json(tops, question)}
    moves = question.solver.ranked(board, rack, stock)
    answered: dict[str, Any] = {
        "count": None if question.best_only else len(moves),
        "sum": None if question.best_only else moves.sum_of_scores,
        "top": moves.top,
        "tops": _moves_as_json(moves.tops, question),
    }
    if question.limit is not None:
        answered["moves"] = _moves_as_json(tuple(moves[: question.limit]), question)
    return answered


def _moves_as_json(moves: Sequence[Move], question: SolveOptions) -> list[dict[str, Any]]:
    return [_move_as_json(move, question) for move in moves]


def _move_as_json(move: Move, question: SolveOptions) -> dict[str, Any]:
    return {
        "word": move.word_text(question.edition),
        "across": move.direction is Direction.ACROSS,
        "row": move.reference.row + 1,
        "col": LETTERS[move.reference.col],
        "score": move.score,
        "ref": move.reference_text(question.notation),
    }
