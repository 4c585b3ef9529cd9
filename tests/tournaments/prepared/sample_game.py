"""Prepared games and replays as the tests make them."""

from __future__ import annotations

import json
from typing import Any

from django.contrib.auth.models import User

from engine.board.board import Board
from engine.board.coordinates import Notation
from engine.prepared.prepare_game import GameCriteria
from engine.tiles.tiles import Tiles
from tests.tournaments.club_game import START_TIME, ClubGame, seeded_random, submit_random_slips
from tournaments.lexicons.word_lists import Rulings, get_solver
from tournaments.models import PreparedGame
from tournaments.prepared import make_game as prepared_make_game
from tournaments.prepared.scripts import script_of, to_unsaved_game
from tournaments.prepared.services import prepared_games, scripted_game
from tournaments.prepared.services.prepared_games import Order
from tournaments.results.queries.archive import export_game

SECRET = bytes(range(100, 132))


def make_order(**changes: Any) -> Order:
    given: dict[str, Any] = {"edition": "it", "profile": "club", "lexicon": None, "switches": {"max_turns": 5}}
    return Order(**{**given, **changes})


def create_prepared_game(
    judge: User, title: str = "Winter cup", wishes: GameCriteria | None = None, secret: bytes = SECRET, **changes: Any
) -> PreparedGame:
    """Ordered and made."""
    ordered = make_order(wishes=wishes or GameCriteria(), **changes)
    prepared = prepared_games.order_game(title=title, order=ordered, by=judge, now=START_TIME, secret=secret)
    prepared_make_game.make_game(prepared.pk)
    prepared.refresh_from_db()
    return prepared


def follow_script(club_game: ClubGame, prepared: PreparedGame) -> ClubGame:
    """Let the event of this night follow the script."""
    club_game.game = scripted_game.follow_script(
        prepared=prepared, event=club_game.event, by=club_game.judge, now=club_game.later()
    )
    return club_game


def play_to_end(club_game: ClubGame, seed: int = 1) -> None:
    """Turn by turn to the end, with slips of all kinds."""
    rng = seeded_random(seed)
    while club_game.draw() is not None:
        club_game.announce()
        submit_random_slips(club_game, rng)
        club_game.close()
        club_game.place()
    club_game.refresh()


def game_facts(club_game: ClubGame) -> list[tuple[Any, ...]]:
    """The facts that a game shares with its script: leave, rejected racks, rack, board, tops and master move of every
    turn."""
    return [_facts(turn) for turn in export_game(club_game.refresh())["turns"]]


def script_facts(prepared: PreparedGame) -> list[tuple[Any, ...]]:
    """The same of a script."""
    return [_facts(dict(turn)) for turn in script_of(prepared)["turns"]]


def _facts(turn: dict[str, Any]) -> tuple[Any, ...]:
    master = turn["master"]
    return (
        turn["number"],
        turn["kept"],
        turn["rejected"],
        turn["rack"],
        turn["board"],
        turn["top"],
        turn["tops"],
        master and (master["word"], master["ref"], master["score"], master["chosen_by"]),
    )


def find_other_move(prepared: PreparedGame, turn: int) -> tuple[str, str]:
    """A legal move of this turn that is no top: word and reference."""
    script = script_of(prepared)
    solver = get_solver(to_unsaved_game(script), 1, Rulings())
    edition, at = solver.lexicon.edition, script["turns"][turn - 1]
    moves = solver.ranked(Board.parse(edition, at["board"]), Tiles.parse(edition, at["rack"]))
    move = next(move for move in moves if move.score < moves.top)
    return move.word_text(edition), move.reference_text(Notation(script["across"]))


def archive_text(club_game: ClubGame) -> str:
    return json.dumps(export_game(club_game.refresh()))
