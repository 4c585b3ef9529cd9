"""Games of a French club as its page prints them, played again turn by turn: racks, scores, jokers, totals, the end."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

from engine.board.board import EMPTY, Board, squares_of
from engine.board.coordinates import Notation, Reference, parse_reference
from engine.board.move import Move
from engine.board.scoring import formed_words, score_move
from engine.draw.reproducible import check_typed_rack, required_minimum
from engine.judging.placement import LegalMove, Position, place_word
from engine.play.turn import TurnOutcome, apply_master_move
from engine.rules.profile import load_profile
from engine.tiles.edition import BLANK_BIT, LETTER_MASK, load_edition
from engine.tiles.tiles import Tiles
from engine.variants.variant import Variant, load_variant

GAMES_FOLDER = Path(__file__).parents[3] / "fixtures/games"
FR = load_edition("fr")
RULES = load_profile("it-box").with_switches(notation="H8", board_takes="top")


class _AllWordsValid:
    """The words of a printed game are valid by definition."""

    def __contains__(self, word: object) -> bool:
        return True


@dataclass(frozen=True)
class Played:
    """A printed turn, and what the step from turn to turn makes of it. `left` is what it began with."""

    number: int
    printed_rack: str
    reference: Reference
    word: str
    points: int
    total: int
    left: TurnOutcome
    after: TurnOutcome
    move: Move

    @property
    def is_new(self) -> bool:
        return self.printed_rack.startswith("-")

    @property
    def rack(self) -> Tiles:
        return tiles(self.printed_rack)

    @property
    def stayed(self) -> list[str]:
        """Letters of the word that are printed as blanks."""
        return [letter for letter in self.word if letter.islower()]


def tiles(printed: str) -> Tiles:
    return Tiles.parse(FR, printed.strip("-").replace("+", ""))


def _play(game: dict[str, Any]) -> Iterator[Played]:
    left = TurnOutcome(Board.empty(FR), Tiles.none(FR))
    for number, line in enumerate(game["turns"].strip().splitlines(), 1):
        rack, ref, word, points, total = line.split()
        reference = parse_reference(ref, Notation.LETTER_FIRST)
        laid = place_word(
            FR.parse_word(word), reference, Position(left.board, tiles(rack), number), RULES, _AllWordsValid()
        )
        assert isinstance(laid, LegalMove), line
        after = apply_master_move(left.board, tiles(rack), laid.move, RULES, load_variant(game["formula"]))
        yield Played(number, rack, reference, word, int(points), int(total), left, after, laid.move)
        left = after


FILES = {path.stem: tomllib.loads(path.read_text("utf-8")) for path in sorted(GAMES_FOLDER.glob("hiersac-*.toml"))}
GAMES = {name: list(_play(game)) for name, game in FILES.items()}
each_game = pytest.mark.parametrize("name", GAMES)
JOKER_GAMES = [name for name, game in FILES.items() if game["formula"] == "joker"]
each_joker_game = pytest.mark.parametrize("name", JOKER_GAMES)


def variant(name: str) -> Variant:
    return load_variant(FILES[name]["formula"])


def test_there_are_a_normal_game_and_two_joker_games() -> None:
    assert {name: (len(turns), variant(name).code) for name, turns in GAMES.items()} == {
        "hiersac-2019-11-22": (19, "normal"),
        "hiersac-2022-01-21": (18, "joker"),
        "hiersac-2023-11-10": (17, "joker"),
    }


@each_game
def test_every_move_is_worth_what_is_printed(name: str) -> None:
    for turn in GAMES[name]:
        assert score_move(turn.left.board, turn.reference, turn.move.word) == turn.move.score == turn.points, turn.word


@each_game
def test_the_running_totals_are_those_that_are_printed(name: str) -> None:
    turns = GAMES[name]
    assert list(accumulate(turn.move.score for turn in turns)) == [turn.total for turn in turns]
    assert turns[-1].total == FILES[name]["total"]


@each_game
def test_every_rack_could_be_drawn_and_what_was_kept_is_in_it(name: str) -> None:
    """Also by the number of blanks; where a rack before it was rejected, everything went back."""
    for turn in GAMES[name]:
        kept, bag = turn.left.kept, turn.left.bag
        if turn.is_new:
            kept, bag = Tiles.none(FR), kept + bag
        assert check_typed_rack(turn.rack.text, kept, bag, turn.number, RULES, variant(name)) == turn.rack


@each_game
def test_what_is_kept_is_what_stands_before_the_plus(name: str) -> None:
    """The page prints the joker among the kept tiles, when it comes back; here it comes with the next rack."""
    letters = [
        (turn.printed_rack.partition("+")[0], turn.left.kept) for turn in GAMES[name] if "+" in turn.printed_rack
    ]
    assert [kept.text.replace("?", "") for _, kept in letters] == [
        tiles(printed).text.replace("?", "") for printed, _ in letters
    ]
    for before, turn in zip(GAMES[name], GAMES[name][1:], strict=False):
        if "+" not in turn.printed_rack and not turn.is_new:
            assert not before.after.kept, "a rack without a plus follows a whole rack that was laid"


def test_two_racks_of_the_third_game_came_after_a_rejected_one() -> None:
    assert [turn.number for turn in GAMES["hiersac-2023-11-10"] if turn.is_new] == [8, 12]


@each_joker_game
def test_every_rack_has_one_joker_until_both_lie_on_the_board(name: str) -> None:
    for turn in GAMES[name]:
        assert turn.rack.blanks == (1 if turn.left.board.tiles.blanks < 2 else 0), turn.number


@each_joker_game
def test_the_joker_is_replaced_unless_the_page_prints_it_as_a_blank(name: str) -> None:
    for turn in GAMES[name]:
        on_board = [FR.word_text((turn.after.board.at(*square),)) for square in _squares(turn)]
        assert "".join(on_board) == turn.word
        assert list(turn.after.replaced) == ([] if turn.stayed else sorted(_laid_blanks(turn)))


@each_joker_game
def test_where_the_joker_stays_its_letter_has_run_out(name: str) -> None:
    stays = [turn for turn in GAMES[name] if turn.stayed]
    assert len(stays) == 2
    for turn in stays:
        (letter,) = turn.stayed
        assert not turn.after.bag.holds(Tiles.parse(FR, letter))
        assert turn.after.board.tiles.blanks == turn.left.board.tiles.blanks + 1


@each_joker_game
def test_a_replaced_joker_counts_in_full_later(name: str) -> None:
    """Some later word goes through the square of a joker that was replaced; its letter has its value then."""
    replaced: dict[tuple[int, int], int] = {}
    gained = 0
    for turn in GAMES[name]:
        as_blanks = _with_blanks(turn.left.board, replaced)
        gained += score_move(turn.left.board, turn.reference, turn.move.word) - sum(
            formed.points for formed in formed_words(as_blanks, turn.reference, turn.move.word)
        )
        replaced |= {square: turn.after.board.at(*square) for square in turn.after.replaced}
    bonuses = 50 * sum(turn.move.laid(turn.left.board).total == 7 for turn in GAMES[name])
    assert gained - bonuses > 0


@each_game
def test_no_tile_is_lost_and_the_game_ends_where_the_rule_ends_it(name: str) -> None:
    for turn in GAMES[name]:
        after = turn.after
        assert after.board.tiles + after.kept + after.bag == Tiles.full_bag(FR)
    last = GAMES[name][-1]
    assert required_minimum(last.after.kept + last.after.bag, last.number + 1, RULES, variant(name)) is None


def _squares(turn: Played) -> Iterator[tuple[int, int]]:
    return squares_of(turn.reference, len(turn.move.word))


def _laid_blanks(turn: Played) -> Iterator[tuple[int, int]]:
    for code, square in zip(turn.move.word, _squares(turn), strict=True):
        if code & BLANK_BIT and turn.left.board.at(*square) == EMPTY:
            yield square


def _with_blanks(board: Board, replaced: dict[tuple[int, int], int]) -> Board:
    """The board as it would be, had no joker been replaced."""
    squares = bytearray(board.squares)
    for row, col in replaced:
        squares[row * 15 + col] = squares[row * 15 + col] & LETTER_MASK | BLANK_BIT
    return Board(board.edition, bytes(squares))
