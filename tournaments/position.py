"""A game's position, derived by replaying its master moves: the board, what is kept, what is in the bag."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache

from engine.board import Board
from engine.coords import parse_reference
from engine.draw import left_on_rack
from engine.edition import Edition, load_edition
from engine.move import Move
from engine.rules.profile import Profile
from engine.tiles import Tiles
from tournaments.models import Game, Turn


@dataclass(frozen=True, slots=True)
class Left:
    """The position before the next draw. The bag does not hold what is kept."""

    turn: int
    board: Board
    kept: Tiles
    bag: Tiles

    @property
    def pool(self) -> Tiles:
        return self.kept + self.bag


def edition_of(game: Game) -> Edition:
    """The tile set a game is played with."""
    return load_edition(game.edition)


def profile_of(game: Game) -> Profile:
    """The rules a game is played by."""
    return _profile(json.dumps(game.switches, sort_keys=True))


@lru_cache(maxsize=64)
def _profile(switches: str) -> Profile:
    return Profile.from_switches(json.loads(switches))


def is_blitz(game: Game) -> bool:
    """Whether warnings are counted as in a blitz game."""
    return profile_of(game).is_blitz(game.rhythm_s)


def what_is_left(game: Game) -> Left:
    """What the placed turns have left; `turn` is the number of the next draw."""
    edition, profile = edition_of(game), profile_of(game)
    board, kept, number = Board.empty(edition), Tiles.none(edition), 0
    for turn in Turn.objects.filter(game=game, placed_at__isnull=False).order_by("number"):
        turn.game = game
        board, kept = _after(turn, board, Tiles.parse(edition, turn.rack), profile)
        number = turn.number
    return Left(number + 1, board, kept, Tiles.full_bag(edition) - board.tiles - kept)


def board_before(turn: Turn) -> Board:
    """The board that the players of this turn have before them."""
    return Board.parse(edition_of(turn.game), turn.board)


def rack_of(turn: Turn) -> Tiles:
    """The tiles of a turn's rack."""
    return Tiles.parse(edition_of(turn.game), turn.rack)


def master_of(turn: Turn) -> Move | None:
    """The move that went on the board, None when nothing did or nothing is placed yet."""
    if turn.master_score is None:
        return None
    reference = parse_reference(turn.master_ref, profile_of(turn.game).notation)
    return Move(reference, edition_of(turn.game).parse_word(turn.master_word), turn.master_score)


def _after(turn: Turn, board: Board, rack: Tiles, profile: Profile) -> tuple[Board, Tiles]:
    """(board, kept tiles) once the turn is placed."""
    move = master_of(turn)
    laid = move.laid(board) if move is not None else Tiles.none(board.edition)
    after = board.with_word(move.reference, move.word) if move is not None else board
    return after, left_on_rack(rack, laid, profile)
