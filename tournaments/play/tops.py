"""Tops of a turn in their stored form."""

from __future__ import annotations

from typing import TypedDict

from engine.board.board import Board
from engine.board.coordinates import parse_reference
from engine.board.move import Move
from engine.tiles.tiles import Tiles
from engine.turn_results.ties import RankedTop, order_tops
from tournaments.lexicons import word_lists
from tournaments.lexicons.word_lists import Rulings
from tournaments.models import Game, Turn
from tournaments.play.position import edition_of, profile_of


class StoredTop(TypedDict):
    """A stored top; `why`, `ahead` and `behind` explain its rank before the next one."""

    word: str
    ref: str
    score: int
    why: str
    ahead: int
    behind: int


def search_tops(game: Game, turn_number: int, board: Board, rack: Tiles, rulings: Rulings) -> list[StoredTop]:
    """All moves with the best score, in the order of preference of the profile."""
    edition, profile = edition_of(game), profile_of(game)
    solver = word_lists.get_solver(game, turn_number, rulings)
    best = solver.best(board, rack)
    if not best:
        return []
    return [
        {
            "word": top.move.word_text(edition),
            "ref": top.move.reference_text(profile.notation),
            "score": top.move.score,
            "why": top.why,
            "ahead": top.ahead,
            "behind": top.behind,
        }
        for top in order_tops(best, board, rack, solver.lexicon, profile)
    ]


def stored_tops(turn: Turn) -> tuple[RankedTop, ...]:
    """The stored tops of a turn as the engine ranks them."""
    edition, notation = edition_of(turn.game), profile_of(turn.game).notation
    return tuple(
        RankedTop(
            Move(parse_reference(top["ref"], notation), edition.parse_word(top["word"]), top["score"]),
            top["why"],
            top["ahead"],
            top["behind"],
        )
        for top in turn.tops or ()
    )
