"""Scripts that a game follows: the next rack and master move, as long as the game has not deviated."""

from __future__ import annotations

from typing import cast

from engine.board.board import Board
from engine.board.move import Move
from engine.draw.reproducible import DrawnRack
from engine.judging.lexicon_protocol import WordList
from engine.judging.placement import Fault, Position, place_word
from engine.prepared import script as scripts
from engine.prepared.script import Script, ScriptTurn
from engine.prepared.script_check import position, read_move
from engine.rules.profile import Profile
from engine.simultaneous.sealing import OpenableGame, open_turns
from engine.tiles.tiles import Tiles
from engine.turn_results.master_move import MasterMove
from tournaments.enums import DrawMode, ScriptKind
from tournaments.models import Game, PreparedGame, Turn
from tournaments.play.draw_seeds import has_replaced_seed
from tournaments.play.position import DrawPosition, board_before, get_draw_position, rack_of

BY_SCRIPT = "script"


def script_of(prepared: PreparedGame, turns: int = 0) -> Script:
    """The script of a prepared game that is ready. Of a sealed one only the first `turns` turns are opened, in memory:
    what is stored stays sealed."""
    if prepared.script is None:
        raise LookupError(f"{prepared} is not ready")
    if prepared.kind == ScriptKind.SEALED:
        return open_turns(cast(OpenableGame, prepared.script), turns)
    return cast(Script, prepared.script)


def to_unsaved_game(script: Script) -> Game:
    """Build an unsaved game with the edition, rules, variant and word list of a script, for queries that take a
    game."""
    lexicon = script["lexicon"]
    seed = script["draw"]["seed"]
    return Game(
        edition=script["edition"],
        edition_toml=scripts.edition_of(script).toml,
        profile=str(script["profile"]["name"]),
        switches=script["profile"],
        variant=script["formula"],
        turn_seconds=script["rhythm_s"],
        lexicon_name=lexicon["name"],
        lexicon_words=lexicon["words"],
        lexicon_sha256=lexicon["sha256"],
        lexicon_parts=lexicon.get("parts", []),
        draw_mode=DrawMode.SEEDED if seed else DrawMode.TYPED,
        seed=bytes.fromhex(seed) if seed else b"",
        commitment=script["draw"]["commitment"],
    )


def next_turn(game: Game, left: DrawPosition) -> ScriptTurn | None:
    """The next turn of the script; None without a script, after a deviation, or after its last turn."""
    if game.prepared is None or has_replaced_seed(game, left.turn):
        return None
    turns = script_of(game.prepared, left.turn)["turns"]
    if left.turn > len(turns):
        return None
    turn = turns[left.turn - 1]
    same = turn["board"] == left.board.rows and turn["kept"] == left.kept.text
    return turn if same else None


def rack_without_seed(game: Game, left: DrawPosition) -> DrawnRack | None:
    """The next rack of a game whose racks are only in its script; None for other games."""
    if game.draw_mode != DrawMode.TYPED:
        return None
    turn = next_turn(game, left)
    if turn is None:
        return None
    edition = left.board.edition
    rejected = tuple(Tiles.parse(edition, rack) for rack in turn["rejected"])
    return DrawnRack(Tiles.parse(edition, turn["rack"]), rejected, len(rejected) + 1)


def replay_end_reason(game: Game, left: DrawPosition) -> str:
    """The reason for which a replayed game that followed its script is over; empty when it is not over or no replay."""
    if game.prepared is None or game.draw_mode != DrawMode.TYPED:
        return ""
    script = script_of(game.prepared, left.turn)
    end = script["end"]
    played_through = left.turn == len(script["turns"]) + 1
    same = (end["kept"], end["bag"]) == (left.kept.text, left.bag.text)
    return end["why"] if played_through and same else ""


def is_drawn_by_program(game: Game) -> bool:
    """Return True when the next rack needs no typing."""
    if game.draw_mode == DrawMode.SEEDED:
        return True
    if game.prepared is None:
        return False
    left = get_draw_position(game)
    return next_turn(game, left) is not None or bool(replay_end_reason(game, left))


def choose_scripted_move(turn: Turn, chosen: MasterMove | None, words: WordList, profile: Profile) -> MasterMove | None:
    """Get `chosen`, or the different move of the script if it is still legal. Another move placed by the judge, or a
    word struck since, ends the use of the script for the rest of the game."""
    if turn.game.prepared is None:
        return chosen
    script = script_of(turn.game.prepared, turn.number)
    if turn.number > len(script["turns"]):
        return chosen
    scripted = script["turns"][turn.number - 1]
    if (scripted["rack"], scripted["board"]) != (turn.rack, turn.board):
        return chosen
    move = find_legal_move(scripted, script, board_before(turn), rack_of(turn), words, profile)
    if move is None or (chosen is not None and chosen.move == move):
        return chosen
    return MasterMove(move, "judge", BY_SCRIPT)


def find_legal_move(
    scripted: ScriptTurn, script: Script, board: Board, rack: Tiles, words: WordList, profile: Profile
) -> Move | None:
    """The master move of the script, None when it is not legal by the words that count."""
    move = read_move(scripted, board.edition, profile)
    at: Position = position(board, rack, scripted["number"], profile, scripts.variant_of(script))
    laid = place_word(move.word, move.reference, at, profile, words)
    return None if isinstance(laid, Fault) or laid.move != move else move
