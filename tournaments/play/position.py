"""Positions of a game, derived by replaying its master moves: board, leave and bag."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache

from engine.board.board import Board
from engine.board.coordinates import parse_reference
from engine.board.move import Move
from engine.judging.placement import Position
from engine.play.turn import TurnOutcome, apply_master_move
from engine.rules.profile import Profile
from engine.tiles.edition import Edition, load_edition, read_edition
from engine.tiles.tiles import Tiles
from engine.turn_results.master_move import is_played_again
from engine.variants.variant import Variant, load_variant
from tournaments.models import Game, Turn


@dataclass(frozen=True, slots=True)
class DrawPosition:
    """The position before the next draw. The bag does not contain the leave.

    `again`: nothing is drawn, because the letters of the leave are played again.
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


def variant_of(game: Game) -> Variant:
    """The variant of a game."""
    return load_variant(game.variant)


@lru_cache(maxsize=64)
def _profile(switches: str) -> Profile:
    return Profile.from_switches(json.loads(switches))


def is_blitz(game: Game) -> bool:
    """Return True when warnings are counted as in a blitz game."""
    return profile_of(game).is_blitz(game.turn_seconds)


def get_draw_position(game: Game) -> DrawPosition:
    """Get the position after the placed turns; `turn` is the number of the next draw."""
    edition, profile, variant = edition_of(game), profile_of(game), variant_of(game)
    left, number, again = TurnOutcome(Board.empty(edition), Tiles.none(edition)), 0, False
    for turn in Turn.objects.filter(game=game, placed_at__isnull=False).order_by("number"):
        turn.game = game
        rack, number, again = Tiles.parse(edition, turn.rack), turn.number, is_to_be_repeated(turn)
        left = (
            TurnOutcome(left.board, rack)
            if again
            else apply_master_move(left.board, rack, master_of(turn), profile, variant)
        )
    return DrawPosition(number + 1, left.board, left.kept, left.bag, again)


def board_before(turn: Turn) -> Board:
    """The board that the players of this turn have before them."""
    return Board.parse(edition_of(turn.game), turn.board)


def rack_of(turn: Turn) -> Tiles:
    """The tiles of a turn's rack."""
    return Tiles.parse(edition_of(turn.game), turn.rack)


def position_of(turn: Turn) -> Position:
    """The position that the players of this turn see, by the variant of the game."""
    board, rack, variant = board_before(turn), rack_of(turn), variant_of(turn.game)
    most = variant.most_laid(profile_of(turn.game))
    return Position(board, rack, turn.number, variant.stock(board, rack), most)


def draw_position_after(turn: Turn) -> TurnOutcome:
    """The draw position after the master move of the turn is placed."""
    if is_to_be_repeated(turn):
        return TurnOutcome(board_before(turn), rack_of(turn))
    variant = variant_of(turn.game)
    return apply_master_move(board_before(turn), rack_of(turn), master_of(turn), profile_of(turn.game), variant)


def is_to_be_repeated(turn: Turn) -> bool:
    """Return True when the letters of this placed turn are played again because no player was correct."""
    return turn.placed_at is not None and is_played_again(master_of(turn), turn.top or 0, profile_of(turn.game))


def master_of(turn: Turn) -> Move | None:
    """The move that went on the board, None when nothing did or nothing is placed yet."""
    if turn.master_score is None:
        return None
    reference = parse_reference(turn.master_ref, profile_of(turn.game).notation)
    return Move(reference, edition_of(turn.game).parse_word(turn.master_word), turn.master_score)
