"""Positions with independently known moves: games and moves that others printed, counts that others reckoned.

What the files hold and where it comes from is told in `fixtures/perft/README.md`.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from engine.board.board import EMPTY, Board, squares_of
from engine.board.coordinates import SIZE, Reference, parse_reference
from engine.board.move import Move
from engine.board.scoring import STANDARD_BONUSES, formed_words, score_move
from engine.judging.placement import Position
from engine.judging.verdict import judge_slip
from engine.lexicon.graph import Lexicon
from engine.rules.profile import load_profile
from engine.search.solver import Solver
from engine.slips.slip import Slip
from engine.tiles.edition import BLANK_BIT, LETTER_MASK, Edition, load_edition
from engine.tiles.tiles import Tiles, tiles_of

FIXTURES = Path(__file__).parents[3] / "fixtures"
PERFT = FIXTURES / "perft"


def _toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Turn:
    """A printed turn, and the board on which it is played."""

    board: Board
    rack: Tiles
    move: Move
    count: int
    sum_of_scores: int

    @property
    def text(self) -> str:
        edition = self.board.edition
        return f"{self.move.reference_text(edition.across)} {self.move.word_text(edition)} {self.move.score}"

    def words(self) -> Iterator[str]:
        """The words that the move forms, blanks as letters."""
        for formed in formed_words(self.board, self.move.reference, self.move.word):
            yield self.board.edition.word_text([code & LETTER_MASK for code in formed.codes])


def _turns(edition: Edition, game: Mapping[str, Any]) -> Iterator[Turn]:
    board = Board.empty(edition)
    for line in game["turns"].split("\n"):
        if line:
            rack_text, ref, word, points, count, total = line.split()
            rack, reference = Tiles.parse(edition, rack_text), parse_reference(ref, edition.across)
            move = Move(reference, _as_it_lies(board, reference, edition.parse_word(word)), int(points))
            yield Turn(board, rack, move, int(count), int(total))
            kept = rack - move.laid(board)
            board = board.with_word(reference, move.word)
            if game["formula"] == "joker":
                board = _with_blanks_replaced(board, move, kept)


def _as_it_lies(board: Board, reference: Reference, word: tuple[int, ...]) -> tuple[int, ...]:
    """The word with the tiles that lie already: printed words do not say which of those are blanks."""
    lying = [board.at(*square) for square in squares_of(reference, len(word))]
    return tuple(code if there == EMPTY else there for code, there in zip(word, lying, strict=True))


def _with_blanks_replaced(board: Board, move: Move, kept: Tiles) -> Board:
    """The blanks of the move become the letters they stand for, as long as the bag has them."""
    squares = bytearray(board.squares)
    for row, col in squares_of(move.reference, len(move.word)):
        code = board.at(row, col)
        letter = tiles_of(board.edition, [code & LETTER_MASK])
        if code & BLANK_BIT and (Tiles.full_bag(board.edition) - board.tiles - kept).holds(letter):
            squares[row * SIZE + col] = code & LETTER_MASK
    return Board(board.edition, bytes(squares))


FRENCH = _toml(PERFT / "french-games.toml")
FR = load_edition(FRENCH["edition"])
GAMES = {game["name"]: list(_turns(FR, game)) for game in FRENCH["games"]}
FRENCH_WORDS = Lexicon.build(FR, {word for turns in GAMES.values() for turn in turns for word in turn.words()})
TOTALS = {game["name"]: game["total"] for game in FRENCH["games"]}
each_game = pytest.mark.parametrize("name", GAMES)


@each_game
def test_every_printed_score_is_right_and_so_is_the_total(name: str) -> None:
    turns = GAMES[name]
    reckoned = [score_move(turn.board, turn.move.reference, turn.move.word) for turn in turns]
    assert reckoned == [turn.move.score for turn in turns]
    assert sum(reckoned) == TOTALS[name]


@each_game
def test_the_printed_move_is_a_top_and_nothing_is_better(name: str) -> None:
    solver = Solver(FRENCH_WORDS)
    for turn in GAMES[name]:
        tops = solver.best(turn.board, turn.rack)
        assert turn.move in tops, turn.text
        assert {move.score for move in tops} == {turn.move.score}


@each_game
def test_the_moves_of_printed_games_are_as_many_and_worth_as_much_as_others_reckoned(name: str) -> None:
    solver = Solver(FRENCH_WORDS)
    found = [(turn, solver.ranked(turn.board, turn.rack)) for turn in GAMES[name]]
    assert [(turn.text, moves.count, moves.sum_of_scores) for turn, moves in found] == [
        (turn.text, turn.count, turn.sum_of_scores) for turn, _ in found
    ]
    assert all(solver.has_move(turn.board, turn.rack) for turn in GAMES[name])


@each_game
def test_a_printed_move_on_a_slip_is_valid_for_the_printed_points(name: str) -> None:
    profile = load_profile("it-box").with_switches(notation=FR.across.value, blank_unmarked="zero", wrong_score="zero")
    for number, turn in enumerate(GAMES[name], 1):
        slip = Slip(turn.move.word_text(FR), turn.move.reference_text(FR.across), turn.move.score)
        verdict = judge_slip(slip, Position(turn.board, turn.rack, number), profile, FRENCH_WORDS)
        assert (verdict.result, verdict.points, verdict.warnings) == ("valid", turn.move.score, ()), turn.text


def _laid(edition: Edition, moves: list[str]) -> Board:
    board = Board.empty(edition)
    for move in moves:
        ref, word = move.split()
        board = board.with_word(parse_reference(ref, edition.across), edition.parse_word(word))
    return board


@pytest.mark.parametrize("printed", _toml(PERFT / "printed-moves.toml")["moves"], ids=lambda printed: printed["name"])
def test_a_printed_move_is_found_for_its_printed_points(printed: Mapping[str, Any]) -> None:
    edition = load_edition(printed["edition"])
    board, rack = _laid(edition, printed["lying"]), Tiles.parse(edition, printed["rack"])
    best = Solver(Lexicon.build(edition, printed["words"].split())).best(board, rack)
    tops = {f"{move.reference_text(edition.across)} {move.word_text(edition)}" for move in best}
    assert {move.score for move in best} == {printed["score"]}
    assert set(printed["top"]) <= tops
    if "formed" in printed:
        (move,) = best
        words = formed_words(board, move.reference, move.word)
        assert [formed.points for formed in words] == printed["formed"]
        assert STANDARD_BONUSES[move.laid(board).total] == printed["bonus"]


def test_the_moves_on_the_boards_of_the_italian_manual_are_as_many_as_others_reckoned() -> None:
    known = _toml(PERFT / "italian-box-sample.toml")
    game = _toml(FIXTURES / "games" / f"{known['game']}.toml")
    edition = load_edition(game["edition"])
    board, boards, words = Board.empty(edition), [], set()
    for turn in game["turns"]:
        reference, word = parse_reference(turn["ref"], edition.across), edition.parse_word(turn["word"])
        words |= {
            edition.word_text([code & LETTER_MASK for code in formed.codes])
            for formed in formed_words(board, reference, word)
        }
        boards.append(board)
        board = board.with_word(reference, word)
    solver = Solver(Lexicon.build(edition, words))
    lines = known["turns"].split("\n")[:-1]
    assert len(lines) == len(boards) == 33
    for line, board in zip(lines, boards, strict=True):
        rack = Tiles.parse(edition, line.split()[0])
        moves, best = solver.ranked(board, rack), solver.best(board, rack)
        assert f"{rack.text} {moves.count} {moves.sum_of_scores} {moves.top}" == line
        assert best == moves.tops


@pytest.mark.parametrize("code", [path.stem for path in sorted(PERFT.glob("*.jsonl"))])
def test_the_moves_with_invented_words_are_those_that_others_reckoned(code: str) -> None:
    edition = load_edition(code)
    words = (PERFT / f"{code}.txt").read_text(encoding="utf-8").split()
    solver = Solver(Lexicon.build(edition, words))
    assert solver.lexicon.word_count == len(words)
    for line in (PERFT / f"{code}.jsonl").read_text(encoding="utf-8").splitlines():
        known = json.loads(line)
        board, rack = Board.parse(edition, known["board"]), Tiles.parse(edition, known["rack"])
        moves, best = solver.ranked(board, rack), solver.best(board, rack)
        tops = sorted(f"{move.reference_text(edition.across)} {move.word_text(edition)}" for move in best)
        found = {"count": moves.count, "sum": moves.sum_of_scores, "top": moves.top, "tops": tops}
        assert {name: known[name] for name in found} == found, known["id"]
        assert solver.has_move(board, rack) == bool(known["count"])
