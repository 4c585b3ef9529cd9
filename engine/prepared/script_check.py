"""Validation of scripts: a prepared game is derived again from its seed, a replayed one checked move by move."""

from __future__ import annotations

from dataclasses import dataclass

from engine.archive.schema import EndEntry
from engine.board.board import Board, squares_of
from engine.board.coordinates import SIZE, UnreadableReference, parse_reference
from engine.board.move import Move
from engine.board.scoring import formed_words
from engine.judging.lexicon_protocol import WordList
from engine.judging.placement import Fault, Position, place_word
from engine.play.turn import TurnOutcome, apply_master_move
from engine.prepared.prepare_game import JudgeChoice, PreparedGame, play_game
from engine.prepared.script import (
    Script,
    ScriptError,
    ScriptTurn,
    edition_of,
    letters_of,
    profile_of,
    script_of,
    variant_of,
)
from engine.rules.profile import Profile
from engine.search.game_solver import GameSolver
from engine.tiles.edition import Edition, UnknownLetter
from engine.tiles.tiles import Tiles
from engine.variants.variant import Variant, unseen_tiles

Word = tuple[int, ...]


def check_seeded_game(script: Script, solver: GameSolver) -> PreparedGame:
    """Return the game derived from the seed of the script; `ScriptError` if it differs from the script."""
    rules, edition = profile_of(script), edition_of(script)
    try:
        seed = bytes.fromhex(script["draw"]["seed"] or "")
    except ValueError:
        seed = b""
    if len(seed) != 32:
        raise ScriptError("The seed of this prepared game is not 32 bytes in hex: ask for the file again.")
    choices = {
        turn["number"]: JudgeChoice(read_move(turn, edition, rules), turn["master"]["why"] or "")
        for turn in script["turns"]
        if turn["master"] and turn["master"]["chosen_by"] == "judge"
    }
    _require_legal_choices(script, choices, solver)
    game = play_game(seed, solver, rules, choices)
    facts = {"title": script["title"], "rhythm_s": script["rhythm_s"], "lexicon": script["lexicon"]}
    derived = script_of(game, edition, rules, solver.variant, **facts)
    for name in ("draw", "turns", "end"):
        if derived[name] != script[name]:
            raise ScriptError(
                f"This prepared game does not follow from its seed and word list ({name} differ): it was changed."
            )
    return game


@dataclass(frozen=True, slots=True)
class ReplayableGame:
    """Valid replayed game.

    `script` has boards and leaves derived again; `missing` are the words that the word list lacks, each with the turn
    from which it must be accepted.
    """

    script: Script
    missing: tuple[tuple[Word, int], ...]


def check_replayable(script: Script, words: WordList) -> ReplayableGame:
    """Check a replayed game move by move; `ScriptError` names the first turn that cannot be played."""
    rules, edition, variant = profile_of(script), edition_of(script), variant_of(script)
    left = TurnOutcome(Board.empty(edition), Tiles.none(edition))
    turns: list[ScriptTurn] = []
    missing: dict[Word, int] = {}
    for number, stored in enumerate(script["turns"], 1):
        turn: ScriptTurn = {**stored, "number": number, "board": list(left.board.rows), "kept": left.kept.text}
        rack = _rack(turn, edition, left)
        move = read_move(turn, edition, rules)
        require_legal(turn, move, position(left.board, rack, number, rules, variant), rules, _AllWordsValid())
        for letters in (letters_of(word.codes) for word in formed_words(left.board, move.reference, move.word)):
            if len(letters) > 1 and letters not in words:
                missing.setdefault(letters, number)
        turns.append({**turn, "rack": rack.text})
        left = apply_master_move(left.board, rack, move, rules, variant)
    if not turns:
        raise ScriptError("This game has no turns: nothing was played.")
    end: EndEntry = {**script["end"], "kept": left.kept.text, "bag": left.bag.text}
    return ReplayableGame({**script, "turns": turns, "end": end}, tuple(missing.items()))


class _AllWordsValid:
    """Word list that accepts every word, because the words of a played game were valid then."""

    def __contains__(self, word: object) -> bool:
        return True


def position(board: Board, rack: Tiles, turn: int, rules: Profile, variant: Variant) -> Position:
    """Return the position of the players in a turn, by the variant."""
    return Position(board, rack, turn, variant.stock(board, rack), variant.most_laid(rules))


def read_move(turn: ScriptTurn, edition: Edition, rules: Profile) -> Move:
    """Return the master move of a turn; `ScriptError` if there is none or it does not fit on the board."""
    master, where = turn["master"], f"Turn {turn['number']} of this game cannot be played again"
    if master is None:
        raise ScriptError(f"{where}: nothing went on the board in it, since nobody was correct.")
    try:
        reference = parse_reference(master["ref"], rules.notation)
        move = Move(reference, edition.parse_word(master["word"]), master["score"])
    except (UnreadableReference, UnknownLetter):
        raise ScriptError(f"{where}: {master['word']} {master['ref']} cannot be read.") from None
    if not move.word or not all(row < SIZE and col < SIZE for row, col in squares_of(reference, len(move.word))):
        raise ScriptError(f"{where}: {master['word']} {master['ref']} does not fit on the board.")
    return move


def require_legal(turn: ScriptTurn, move: Move, at: Position, rules: Profile, words: WordList) -> None:
    """Raise `ScriptError` unless the move is legal in this position and has the right score."""
    laid = place_word(move.word, move.reference, at, rules, words)
    if isinstance(laid, Fault) or laid.move != move:
        why = laid.reason if isinstance(laid, Fault) else f"it is worth {laid.move.score}"
        raise ScriptError(
            f"Turn {turn['number']} of this game cannot be played again: {_turn_label(turn)} "
            f"is not legal there ({why})."
        )


def _turn_label(turn: ScriptTurn) -> str:
    master = turn["master"]
    return f"{master['word']} {master['ref']} {master['score']}" if master else "-"


def _require_legal_choices(script: Script, choices: dict[int, JudgeChoice], solver: GameSolver) -> None:
    """Check each choice of the judge on the board of the script; the boards themselves are compared later."""
    rules, edition = profile_of(script), edition_of(script)
    for turn in script["turns"]:
        if turn["number"] in choices:
            try:
                board, rack = Board.parse(edition, turn["board"]), Tiles.parse(edition, turn["rack"])
            except ValueError as error:
                raise ScriptError(f"Turn {turn['number']} of this prepared game cannot be read: {error}.") from None
            at = position(board, rack, turn["number"], rules, solver.variant)
            require_legal(turn, choices[turn["number"]].move, at, rules, solver.lexicon)


def _rack(turn: ScriptTurn, edition: Edition, left: TurnOutcome) -> Tiles:
    """Return the rack of a turn; `ScriptError` if its tiles are not available."""
    where = f"Turn {turn['number']} of this game cannot be played again"
    try:
        rack = Tiles.parse(edition, turn["rack"])
    except UnknownLetter as error:
        raise ScriptError(f"{where}: there is no tile {error.sign}.") from None
    if not rack or not unseen_tiles(left.board, Tiles.none(edition)).holds(rack):
        raise ScriptError(f"{where}: its rack {turn['rack']} cannot be drawn from what is left.")
    return rack
