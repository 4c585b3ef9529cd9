"""`python -m engine solve`: all moves of positions, or the best ones, for other programs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.board import Board
from engine.commands.edition_option import add_edition
from engine.commands.json_lines import LineError, answer_all, read_stock, read_words
from engine.coords import LETTERS, Direction, Notation
from engine.edition import Edition
from engine.formulas import NORMAL, formula_codes, load_formula
from engine.game_solver import GameSolver
from engine.move import Move
from engine.rules.profile import load_profile
from engine.tiles import Tiles

_PLAIN_RULES = "it-box"
"""Of these rules only the usual rack and bonus count here."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked about every position."""

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
    add_edition(parser)
    parser.add_argument(
        "--words", required=True, type=Path, metavar="FILE", help="UTF-8, one word a line; or a graph (.npy)"
    )
    parser.add_argument("--best", action="store_true", help="only the moves with the top score; count and sum are null")
    parser.add_argument("--limit", type=_count, metavar="N", help="give the N best moves as well")
    parser.add_argument(
        "--across", type=Notation, choices=list(Notation), help="how a word across is written (as the edition does)"
    )
    parser.add_argument("--formula", default=NORMAL, choices=formula_codes(), help="%(default)s")
    parser.add_argument(
        "--first-any-direction", action="store_true", help="the first word may lie down as well as across"
    )


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError("a count is not negative")
    return number


def run(arguments: argparse.Namespace) -> int:
    """1 when a line was not of the form, 2 when there is no word list, else 0."""
    edition: Edition = arguments.edition
    try:
        lexicon = read_words(arguments.words, edition)
    except (OSError, ValueError) as error:
        print(f"The word list {arguments.words} cannot be read: {error}", file=sys.stderr)
        return 2
    formula = load_formula(arguments.formula)
    rules = formula.applied_to(load_profile(_PLAIN_RULES))
    solver = GameSolver(lexicon, rules, formula, first_word_across=not arguments.first_any_direction)
    question = Question(edition, arguments.across or edition.across, solver, arguments.best, arguments.limit)
    errors = answer_all(sys.stdin.buffer, lambda asked: answer(asked, question), sys.stdout.buffer)
    return 1 if errors else 0


def answer(asked: Mapping[str, object], question: Question) -> dict[str, Any]:
    """The moves of one position, as `docs/formats.md` has it; `ValueError` when it is no position."""
    rows, rack_text = asked.get("board"), asked.get("rack")
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise LineError("board must be a list of 15 rows of text.")
    if not isinstance(rack_text, str):
        raise LineError("rack must be text.")
    board, rack = Board.parse(question.edition, rows), Tiles.parse(question.edition, rack_text)
    stock = read_stock(asked, question.solver.formula, board, rack)
    if question.best_only and question.limit is None:
        tops = question.solver.best(board, rack, stock)
        return {"count": None, "sum": None, "top": tops[0].score if tops else 0, "tops": _all_as_json(tops, question)}
    moves = question.solver.ranked(board, rack, stock)
    answered: dict[str, Any] = {
        "count": None if question.best_only else len(moves),
        "sum": None if question.best_only else moves.sum_of_scores,
        "top": moves.top,
        "tops": _all_as_json(moves.tops, question),
    }
    if question.limit is not None:
        answered["moves"] = _all_as_json(tuple(moves[: question.limit]), question)
    return answered


def _all_as_json(moves: Sequence[Move], question: Question) -> list[dict[str, Any]]:
    return [_as_json(move, question) for move in moves]


def _as_json(move: Move, question: Question) -> dict[str, Any]:
    return {
        "word": move.word_text(question.edition),
        "across": move.direction is Direction.ACROSS,
        "row": move.reference.row + 1,
        "col": LETTERS[move.reference.col],
        "score": move.score,
        "ref": move.reference_text(question.notation),
    }
