"""The tops of a turn, as they are stored."""

from __future__ import annotations

from typing import TypedDict

from engine.board import Board
from engine.coords import parse_reference
from engine.move import Move
from engine.rules.ties import RankedTop, order_tops
from engine.tiles import Tiles
from tournaments import lexicons
from tournaments.lexicons import Rulings
from tournaments.models import Game, Turn
from tournaments.position import edition_of, profile_of


class StoredTop(TypedDict):
    """A top as a turn holds it; `why`, `ahead` and `behind` say what puts it before the next one."""

    word: str
    ref: str
    score: int
    why: str
    ahead: int
    behind: int


def search_tops(game: Game, turn_number: int, board: Board, rack: Tiles, rulings: Rulings) -> list[StoredTop]:
    """All moves with the best score, in the order of preference of the profile."""
    edition, profile = edition_of(game), profile_of(game)
    solver = lexicons.solver_for(game, turn_number, rulings)
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
