"""The game that the Italian box prints, played again: 33 turns, each score to the point."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from engine.board.board import Board
from engine.board.coordinates import Reference, parse_reference
from engine.board.scoring import formed_words, score_move
from engine.judging.verdict import Position, judge_slip
from engine.rules.profile import load_profile
from engine.slips.slip import Slip
from engine.tiles.edition import load_edition
from engine.tiles.tiles import Tiles, tiles_of

GAME = tomllib.loads((Path(__file__).parents[3] / "fixtures/games/italian-box-sample.toml").read_text(encoding="utf-8"))
EDITION = load_edition(GAME["edition"])


@dataclass(frozen=True)
class Played:
    """A turn of the manual and the board on which it is played."""

    number: int
    entry: Mapping[str, Any]
    board: Board
    reference: Reference
    word: tuple[int, ...]

    @property
    def score(self) -> int:
        """The right score, also where the manual misprints it."""
        return int(self.entry.get("score", self.entry["printed"]))

    @property
    def also(self) -> list[str]:
        return [str(word) for word in self.entry.get("also", [])]


def _turns() -> Iterator[Played]:
    board = Board.empty(EDITION)
    for number, entry in enumerate(GAME["turns"], 1):
        reference, word = parse_reference(entry["ref"], EDITION.across), EDITION.parse_word(entry["word"])
        yield Played(number, entry, board, reference, word)
        board = board.with_word(reference, word)


TURNS = list(_turns())
each_turn = pytest.mark.parametrize("turn", TURNS, ids=[f"{turn.number} {turn.entry['word']}" for turn in TURNS])


@each_turn
def test_a_turn_scores_what_the_box_prints(turn: Played) -> None:
    assert score_move(turn.board, turn.reference, turn.word) == turn.score


@each_turn
def test_a_turn_forms_the_words_that_the_box_names(turn: Played) -> None:
    main, *cross = formed_words(turn.board, turn.reference, turn.word)
    assert EDITION.word_text(main.codes).upper() == turn.entry["word"].upper()
    assert sorted(EDITION.word_text(word.codes).upper() for word in cross) == sorted(turn.also)


@each_turn
def test_a_turn_written_on_a_slip_is_valid(turn: Played) -> None:
    words = {EDITION.parse_word(word.upper()) for other in TURNS for word in [other.entry["word"], *other.also]}
    laid = (
        tiles_of(EDITION, turn.board.with_word(turn.reference, turn.word).squares.replace(b"\xff", b""))
        - turn.board.tiles
    )
    slip = Slip(turn.entry["word"], turn.entry["ref"], turn.score)
    verdict = judge_slip(slip, Position(turn.board, laid, turn.number), load_profile("it-box"), words)
    assert (verdict.result, verdict.points, verdict.warnings) == ("valid", turn.score, ())
    assert verdict.move is not None
    assert turn.board.with_word(turn.reference, verdict.move.word) == turn.board.with_word(turn.reference, turn.word)


def test_the_printed_scores_add_up_to_the_printed_totals() -> None:
    printed = [turn.entry["printed"] for turn in TURNS]
    assert len(printed) == 33
    assert [sum(printed[0::2]), sum(printed[1::2])] == GAME["totals"]


def test_two_letters_are_left_when_the_game_is_over() -> None:
    last = TURNS[-1]
    lying = last.board.with_word(last.reference, last.word).tiles
    assert Tiles.full_bag(EDITION) - lying == Tiles.parse(EDITION, GAME["left"])


def test_the_word_that_could_go_to_two_places_scores_the_same_at_both() -> None:
    bob = next(turn for turn in TURNS if turn.entry["word"] == "BOB")
    other = parse_reference("M3", EDITION.across)
    assert score_move(bob.board, other, bob.word) == bob.score == 22
