"""`python -m engine judge`: verdicts on slips, JSON lines in and out, for other programs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast, get_args

from engine.board.board import Board
from engine.board.coordinates import Direction
from engine.commands.edition_option import add_edition_option
from engine.commands.json_lines import LineError, answer_all, read_stock, read_words
from engine.judging.lexicon_protocol import WordList, WordListWithRulings
from engine.judging.verdict import Position, Verdict, judge_slip
from engine.judging.warning_quota import WARNINGS_BY_JUDGE
from engine.rules.profile import Profile, load_profile, profile_codes
from engine.slips.slip import Received, Slip
from engine.tiles.edition import Edition
from engine.tiles.tiles import Tiles
from engine.variants.variant import NORMAL, Variant, load_variant, variant_codes


@dataclass(frozen=True, slots=True)
class JudgeContext:
    """Settings that apply to all lines."""

    edition: Edition
    profile: Profile
    words: WordList
    variant: Variant


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Judge slips: JSON objects from standard input, one a line; verdicts to standard output."
    add_edition_option(parser)
    parser.add_argument("--profile", required=True, choices=profile_codes(), help="the rules")
    parser.add_argument(
        "--words", required=True, type=Path, metavar="FILE", help="UTF-8, one word a line; or a graph (.npy)"
    )
    parser.add_argument("--formula", dest="variant", default=NORMAL, choices=variant_codes(), help="%(default)s")


def run(arguments: argparse.Namespace) -> int:
    """Judge standard input; return 1 if a line was malformed, 2 if the word list cannot be read, else 0."""
    edition: Edition = arguments.edition
    try:
        words = read_words(arguments.words, edition)
    except (OSError, ValueError) as error:
        print(f"The word list {arguments.words} cannot be read: {error}", file=sys.stderr)
        return 2
    variant = load_variant(arguments.variant)
    desk = JudgeContext(edition, variant.apply_to(load_profile(arguments.profile)), words, variant)
    errors = answer_all(sys.stdin.buffer, lambda asked: judge_line(asked, desk), sys.stdout.buffer)
    return 1 if errors else 0


def judge_line(asked: Mapping[str, object], desk: JudgeContext) -> dict[str, Any]:
    """Judge the slip of one line (see `docs/formats.md`); `ValueError` for a malformed line.

    `received` and `hook` may be fields of the slip or of the line; `turn`, `prior_warnings` and `given` are optional.
    """
    return _verdict(asked, desk).as_json()


def _verdict(asked: Mapping[str, object], desk: JudgeContext) -> Verdict:
    rows = asked.get("board")
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise LineError("board must be a list of 15 rows of text.")
    position = _position(Board.parse(desk.edition, rows), asked, desk)
    accepted, struck = _words(asked, "accepted"), _words(asked, "struck")
    words = WordListWithRulings(desk.words, desk.edition, accepted, struck) if accepted or struck else desk.words
    prior, blitz = _whole(asked, "prior_warnings", default=0), asked.get("blitz", False)
    if not isinstance(blitz, bool):
        raise LineError("blitz must be true or false.")
    given = _read_judge_warnings(asked)
    return judge_slip(_slip(asked), position, desk.profile, words, prior_warnings=prior, blitz=blitz, given=given)


def _position(board: Board, asked: Mapping[str, object], desk: JudgeContext) -> Position:
    """Return the position of the player by the variant. A rack of more tiles than usual may be played whole."""
    rack, turn = Tiles.parse(desk.edition, _text(asked, "rack")), _whole(asked, "turn", default=1)
    stock = read_stock(asked, desk.variant, board, rack)
    if desk.variant.largest_play is None:
        return Position(board, rack, turn)
    return Position(board, rack, turn, stock, desk.variant.largest_play)


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
        raise LineError("received must be in_time, late, delayed or several.")
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
    """Return a field of the slip, else of the line, else the default."""
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


def _read_judge_warnings(asked: Mapping[str, object]) -> tuple[str, ...]:
    value = asked.get("given", [])
    if not isinstance(value, list) or not all(code in WARNINGS_BY_JUDGE for code in value):
        raise LineError(f"given must be a list of {' and '.join(WARNINGS_BY_JUDGE)}.")
    return tuple(value)


def _words(asked: Mapping[str, object], name: str) -> list[str]:
    value = asked.get(name, [])
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        raise LineError(f"{name} must be a list of words.")
    return value
