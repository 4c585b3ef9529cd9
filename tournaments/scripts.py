"""The script that a game follows: which rack and which master move come next, as long as the game keeps to it."""

from __future__ import annotations

from typing import cast

from engine import script as scripts
from engine.board import Board
from engine.draw import Drawn
from engine.move import Move
from engine.rules.master import Master
from engine.rules.place import Fault, Position, lay
from engine.rules.profile import Profile
from engine.rules.words import WordList
from engine.script import Script, ScriptTurn
from engine.script_check import position, read_move
from engine.tiles import Tiles
from tournaments.draws import is_drawn_anew
from tournaments.enums import DrawMode
from tournaments.models import Game, PreparedGame, Turn
from tournaments.position import Left, board_before, rack_of, what_is_left

BY_SCRIPT = "script"


def script_of(prepared: PreparedGame) -> Script:
    """The script of a prepared game that is ready."""
    if prepared.script is None:
        raise LookupError(f"{prepared} is not ready")
    return cast(Script, prepared.script)


def as_game(script: Script) -> Game:
    """An unsaved game with the edition, rules, formula and word list of a script: what asks about a game may be asked
    about it."""
    lexicon = script["lexicon"]
    seed = script["draw"]["seed"]
    return Game(
        edition=script["edition"],
        edition_toml=scripts.edition_of(script).toml,
        profile=str(script["profile"]["name"]),
        switches=script["profile"],
        formula=script["formula"],
        rhythm_s=script["rhythm_s"],
        lexicon_name=lexicon["name"],
        lexicon_words=lexicon["words"],
        lexicon_sha256=lexicon["sha256"],
        lexicon_parts=lexicon.get("parts", []),
        draw_mode=DrawMode.SEEDED if seed else DrawMode.TYPED,
        seed=bytes.fromhex(seed) if seed else b"",
        commitment=script["draw"]["commitment"],
    )


def next_turn(game: Game, left: Left) -> ScriptTurn | None:
    """The turn of the script that is due; None without a script, when the game has left it, or after its last turn."""
    if game.prepared is None or is_drawn_anew(game, left.turn):
        return None
    turns = script_of(game.prepared)["turns"]
    if left.turn > len(turns):
        return None
    turn = turns[left.turn - 1]
    same = turn["board"] == left.board.rows and turn["kept"] == left.kept.text
    return turn if same else None


def rack_without_seed(game: Game, left: Left) -> Drawn | None:
    """The rack of the turn that is due, for a game whose racks stand in its script alone; None where they do not."""
    if game.draw_mode != DrawMode.TYPED:
        return None
    turn = next_turn(game, left)
    if turn is None:
        return None
    edition = left.board.edition
    rejected = tuple(Tiles.parse(edition, rack) for rack in turn["rejected"])
    return Drawn(Tiles.parse(edition, turn["rack"]), rejected, len(rejected) + 1)


def end_of_replay(game: Game, left: Left) -> str:
    """Why a replayed game that has kept to its script is over now; empty when it is not, or is no replay."""
    if game.prepared is None or game.draw_mode != DrawMode.TYPED:
        return ""
    script = script_of(game.prepared)
    end = script["end"]
    played_through = left.turn == len(script["turns"]) + 1
    same = (end["kept"], end["bag"]) == (left.kept.text, left.bag.text)
    return end["why"] if played_through and same else ""


def is_drawn_by_program(game: Game) -> bool:
    """Whether the next rack needs no typing."""
    if game.draw_mode == DrawMode.SEEDED:
        return True
    if game.prepared is None:
        return False
    left = what_is_left(game)
    return next_turn(game, left) is not None or bool(end_of_replay(game, left))


def master_by_script(turn: Turn, chosen: Master | None, words: WordList, profile: Profile) -> Master | None:
    """`chosen`, or the move of the script where that is another one and still legal.

    A word struck since, or another move laid before by the judge, takes a game off its script for good.
    """
    if turn.game.prepared is None:
        return chosen
    script = script_of(turn.game.prepared)
    if turn.number > len(script["turns"]):
        return chosen
    scripted = script["turns"][turn.number - 1]
    if (scripted["rack"], scripted["board"]) != (turn.rack, turn.board):
        return chosen
    move = legal_master(scripted, script, board_before(turn), rack_of(turn), words, profile)
    if move is None or (chosen is not None and chosen.move == move):
        return chosen
    return Master(move, "judge", BY_SCRIPT)


def legal_master(
    scripted: ScriptTurn, script: Script, board: Board, rack: Tiles, words: WordList, profile: Profile
) -> Move | None:
    """The master move of the script, None when it is not legal by the words that count."""
    move = read_move(scripted, board.edition, profile)
    at: Position = position(board, rack, scripted["number"], profile, scripts.formula_of(script))
    laid = lay(move.word, move.reference, at, profile, words)
    return None if isinstance(laid, Fault) or laid.move != move else move
