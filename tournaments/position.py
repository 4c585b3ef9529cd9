"""A game's position, derived by replaying its master moves: the board, what is kept, what is in the bag."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache

from engine.board import Board
from engine.coords import parse_reference
from engine.edition import Edition, load_edition, read_edition
from engine.formulas import Formula, load_formula
from engine.move import Move
from engine.rules.master import is_played_again
from engine.rules.place import Position
from engine.rules.profile import Profile
from engine.tiles import Tiles
from engine.turn import After, after_turn
from tournaments.models import Game, Turn


@dataclass(frozen=True, slots=True)
class Left:
    """The position before the next draw. The bag does not hold what is kept.

    `again`: nothing is drawn, since the letters that are kept are played again.
    """

    turn: int
    board: Board
    kept: Tiles
    bag: Tiles
    again: bool = False

    @property
    def pool(self) -> Tiles:
        return self.kept + self.bag


def edition_of(game: Game) -> Edition:
    """The tile set a game is played with: as it was when the game began, whatever became of its file."""
    return read_edition(game.edition, game.edition_toml) if game.edition_toml else load_edition(game.edition)


def profile_of(game: Game) -> Profile:
    """The rules a game is played by."""
    return _profile(json.dumps(game.switches, sort_keys=True))


def formula_of(game: Game) -> Formula:
    """How the game differs from a normal one."""
    return load_formula(game.formula)


@lru_cache(maxsize=64)
def _profile(switches: str) -> Profile:
    return Profile.from_switches(json.loads(switches))


def is_blitz(game: Game) -> bool:
    """Whether warnings are counted as in a blitz game."""
    return profile_of(game).is_blitz(game.rhythm_s)


def what_is_left(game: Game) -> Left:
    """What the placed turns have left; `turn` is the number of the next draw."""
    edition, profile, formula = edition_of(game), profile_of(game), formula_of(game)
    left, number, again = After(Board.empty(edition), Tiles.none(edition)), 0, False
    for turn in Turn.objects.filter(game=game, placed_at__isnull=False).order_by("number"):
        turn.game = game
        rack, number, again = Tiles.parse(edition, turn.rack), turn.number, is_to_be_repeated(turn)
        left = After(left.board, rack) if again else after_turn(left.board, rack, master_of(turn), profile, formula)
    return Left(number + 1, left.board, left.kept, left.bag, again)


def board_before(turn: Turn) -> Board:
    """The board that the players of this turn have before them."""
    return Board.parse(edition_of(turn.game), turn.board)


def rack_of(turn: Turn) -> Tiles:
    """The tiles of a turn's rack."""
    return Tiles.parse(edition_of(turn.game), turn.rack)


def position_of(turn: Turn) -> Position:
    """What the players of this turn have before them, by the formula of the game."""
    board, rack, formula = board_before(turn), rack_of(turn), formula_of(turn.game)
    most = formula.most_laid(profile_of(turn.game))
    return Position(board, rack, turn.number, formula.stock(board, rack), most)


def after(turn: Turn) -> After:
    """What follows from the turn once its master move is placed."""
    if is_to_be_repeated(turn):
        return After(board_before(turn), rack_of(turn))
    formula = formula_of(turn.game)
    return after_turn(board_before(turn), rack_of(turn), master_of(turn), profile_of(turn.game), formula)


def is_to_be_repeated(turn: Turn) -> bool:
    """Whether the letters of this placed turn are played again, since nobody was correct."""
    return turn.placed_at is not None and is_played_again(master_of(turn), turn.top or 0, profile_of(turn.game))


def master_of(turn: Turn) -> Move | None:
    """The move that went on the board, None when nothing did or nothing is placed yet."""
    if turn.master_score is None:
        return None
    reference = parse_reference(turn.master_ref, profile_of(turn.game).notation)
    return Move(reference, edition_of(turn.game).parse_word(turn.master_word), turn.master_score)
