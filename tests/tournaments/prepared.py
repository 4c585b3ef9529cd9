"""Prepared games and replays as the tests make them."""

from __future__ import annotations

import json
from typing import Any

from django.contrib.auth.models import User

from engine.board import Board
from engine.coords import Notation
from engine.prepare import Wishes
from engine.tiles import Tiles
from tests.tournaments.night import EVENING, Night, chance, hand_in_something
from tournaments import making
from tournaments.lexicons import Rulings, solver_for
from tournaments.models import PreparedGame
from tournaments.scripts import as_game, script_of
from tournaments.selectors.archive import export_game
from tournaments.services import following, preparing
from tournaments.services.preparing import Order

SECRET = bytes(range(100, 132))


def order(**changes: Any) -> Order:
    given: dict[str, Any] = {"edition": "it", "profile": "club", "lexicon": None, "switches": {"max_turns": 5}}
    return Order(**{**given, **changes})


def prepared_game(judge: User, title: str = "Winter cup", wishes: Wishes | None = None, **changes: Any) -> PreparedGame:
    """Ordered and made."""
    ordered = order(wishes=wishes or Wishes(), **changes)
    prepared = preparing.ask(title=title, order=ordered, by=judge, now=EVENING, secret=SECRET)
    making.make_game(prepared.pk)
    prepared.refresh_from_db()
    return prepared


def play_on(night: Night, prepared: PreparedGame) -> Night:
    """Let the event of this night follow the script."""
    night.game = following.play(prepared=prepared, event=night.event, by=night.judge, now=night.later())
    return night


def play_through(night: Night, seed: int = 1) -> None:
    """Turn by turn to the end, with slips of all kinds."""
    rng = chance(seed)
    while night.draw() is not None:
        night.announce()
        hand_in_something(night, rng)
        night.close()
        night.place()
    night.refresh()


def played(night: Night) -> list[tuple[Any, ...]]:
    """What a game has in common with its script: kept, rejected, rack, board, tops and master of every turn."""
    return [_facts(turn) for turn in export_game(night.refresh())["turns"]]


def written(prepared: PreparedGame) -> list[tuple[Any, ...]]:
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


def another_move(prepared: PreparedGame, turn: int) -> tuple[str, str]:
    """A legal move of this turn that is no top: word and reference."""
    script = script_of(prepared)
    solver = solver_for(as_game(script), 1, Rulings())
    edition, at = solver.lexicon.edition, script["turns"][turn - 1]
    moves = solver.ranked(Board.parse(edition, at["board"]), Tiles.parse(edition, at["rack"]))
    move = next(move for move in moves if move.score < moves.top)
    return move.word_text(edition), move.reference_text(Notation(script["across"]))


def archive_text(night: Night) -> str:
    return json.dumps(export_game(night.refresh()))
