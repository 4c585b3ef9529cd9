"""`python -m engine judge`: verdicts on slips, JSON lines in and out, for other programs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast, get_args

from engine.board import Board
from engine.commands.edition_option import add_edition
from engine.commands.json_lines import LineError, answer_all, read_stock, read_words
from engine.coords import Direction
from engine.edition import Edition
from engine.formulas import NORMAL, Formula, formula_codes, load_formula
from engine.rules.profile import Profile, load_profile, profile_codes
from engine.rules.quota import WARNINGS_BY_JUDGE
from engine.rules.slip import Received, Slip
from engine.rules.verdict import Position, Verdict, judge
from engine.rules.words import RuledWords, WordList
from engine.tiles import Tiles


@dataclass(frozen=True, slots=True)
class Desk:
    """What all lines are judged by."""

    edition: Edition
    profile: Profile
    words: WordList
    formula: Formula


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Judge slips: JSON objects from standard input, one a line; verdicts to standard output."
    add_edition(parser)
    parser.add_argument("--profile", required=True, choices=profile_codes(), help="the rules")
    parser.add_argument(
        "--words", required=True, type=Path, metavar="FILE", help="UTF-8, one word a line; or a graph (.npy)"
    )
    parser.add_argument("--formula", default=NORMAL, choices=formula_codes(), help="%(default)s")


def run(arguments: argparse.Namespace) -> int:
    """1 when a line was not of the form, 2 when there is no word list, else 0."""
    edition: Edition = arguments.edition
    try:
        words = read_words(arguments.words, edition)
    except (OSError, ValueError) as error:
        print(f"The word list {arguments.words} cannot be read: {error}", file=sys.stderr)
        return 2
    formula = load_formula(arguments.formula)
    desk = Desk(edition, formula.applied_to(load_profile(arguments.profile)), words, formula)
    errors = answer_all(sys.stdin.buffer, lambda asked: answer(asked, desk), sys.stdout.buffer)
    return 1 if errors else 0


def answer(asked: Mapping[str, object], desk: Desk) -> dict[str, Any]:
    """The verdict on the slip of one line, as `docs/formats.md` has it; `ValueError` for another form.

    `received` and `hook` may stand in the slip or beside it; `turn`, `prior_warnings` and `given` may be left out.
    """
    return _verdict(asked, desk).as_json()


def _verdict(asked: Mapping[str, object], desk: Desk) -> Verdict:
    rows = asked.get("board")
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise LineError("board must be a list of 15 rows of text.")
    position = _position(Board.parse(desk.edition, rows), asked, desk)
    accepted, struck = _words(asked, "accepted"), _words(asked, "struck")
    words = RuledWords(desk.words, desk.edition, accepted, struck) if accepted or struck else desk.words
    prior, blitz = _whole(asked, "prior_warnings", default=0), asked.get("blitz", False)
    if not isinstance(blitz, bool):
        raise LineError("blitz must be true or false.")
    given = _given(asked)
    return judge(_slip(asked), position, desk.profile, words, prior_warnings=prior, blitz=blitz, given=given)


def _position(board: Board, asked: Mapping[str, object], desk: Desk) -> Position:
    """What the player had before him, by the formula. A rack of more tiles than usual is played whole."""
    rack, turn = Tiles.parse(desk.edition, _text(asked, "rack")), _whole(asked, "turn", default=1)
    stock = read_stock(asked, desk.formula, board, rack)
    if desk.formula.largest_play is None:
        return Position(board, rack, turn)
    return Position(board, rack, turn, stock, desk.formula.largest_play)


def _slip(asked: Mapping[str, object]) -> Slip:
    written = asked.get("slip")
    if not isinstance(written, dict):
        raise LineError("slip must be an object with word, ref and declared.")
    declared = written.get("declared")
    if declared is not None and (isinstance(declared, bool) or not isinstance(declared, int)):
        raise LineError("declared must be a whole number or null.")
    direction = written.get("direction")
    if direction is not None and direction not in list(Direction):
        raise LineError("direction must be across, down or null.")
    received = _optional(asked, written, "received", "in_time")
    if received not in get_args(Received):
        raise LineError("received must be in_time, late or several.")
    hook = _optional(asked, written, "hook", "")
    if not isinstance(hook, str):
        raise LineError("hook must be text.")
    return Slip(
        word=_text(written, "word"),
        ref="" if written.get("ref") is None else _text(written, "ref"),
        declared=declared,
        direction=Direction(direction) if direction else None,
        hook=hook,
        received=cast(Received, received),
    )


def _optional(asked: Mapping[str, object], slip: Mapping[str, object], name: str, default: object) -> object:
    """A field that may stand in the slip or beside it."""
    return slip.get(name, asked.get(name, default))


def _text(fields: Mapping[str, object], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise LineError(f"{name} must be text.")
    return value


def _whole(fields: Mapping[str, object], name: str, default: int) -> int:
    value = fields.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise LineError(f"{name} must be a whole number, 0 or more.")
    return value


def _given(asked: Mapping[str, object]) -> tuple[str, ...]:
    value = asked.get("given", [])
    if not isinstance(value, list) or not all(code in WARNINGS_BY_JUDGE for code in value):
        raise LineError(f"given must be a list of {' and '.join(WARNINGS_BY_JUDGE)}.")
    return tuple(value)


def _words(asked: Mapping[str, object], name: str) -> list[str]:
    value = asked.get(name, [])
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        raise LineError(f"{name} must be a list of words.")
    return value
