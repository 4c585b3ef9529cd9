"""Can this script be played here? A prepared game is derived anew from its seed; a replayed one move by move."""

from __future__ import annotations

from dataclasses import dataclass

from engine.archive import EndEntry
from engine.board import Board, squares_of
from engine.coords import SIZE, UnreadableReference, parse_reference
from engine.edition import Edition, UnknownLetter
from engine.formulas import Formula, left_besides
from engine.game_solver import GameSolver
from engine.move import Move
from engine.prepare import Choice, PreparedGame, play
from engine.rules.place import Fault, Position, lay
from engine.rules.profile import Profile
from engine.rules.words import WordList
from engine.scoring import formed_words
from engine.script import Script, ScriptError, ScriptTurn, edition_of, formula_of, letters_of, profile_of, script_of
from engine.tiles import Tiles
from engine.turn import After, after_turn

Word = tuple[int, ...]


def check_seeded(script: Script, solver: GameSolver) -> PreparedGame:
    """The game that the seed of the script gives; `ScriptError` when it is another one than the script says."""
    rules, edition = profile_of(script), edition_of(script)
    try:
        seed = bytes.fromhex(script["draw"]["seed"] or "")
    except ValueError:
        seed = b""
    if len(seed) != 32:
        raise ScriptError("The seed of this prepared game is not 32 bytes in hex: ask for the file again.")
    choices = {
        turn["number"]: Choice(read_move(turn, edition, rules), turn["master"]["why"] or "")
        for turn in script["turns"]
        if turn["master"] and turn["master"]["chosen_by"] == "judge"
    }
    _demand_legal(script, choices, solver)
    game = play(seed, solver, rules, choices)
    facts = {"title": script["title"], "rhythm_s": script["rhythm_s"], "lexicon": script["lexicon"]}
    derived = script_of(game, edition, rules, solver.formula, **facts)
    for name in ("draw", "turns", "end"):
        if derived[name] != script[name]:
            raise ScriptError(
                f"This prepared game does not follow from its seed and word list ({name} differ): it was changed."
            )
    return game


@dataclass(frozen=True, slots=True)
class Replayable:
    """A game that can be played again: its script with boards and kept tiles derived anew, and the words that the word
    list lacks, each with the turn from which it must be accepted."""

    script: Script
    missing: tuple[tuple[Word, int], ...]


def replayable(script: Script, words: WordList) -> Replayable:
    """Play a replayed game move by move; `ScriptError` names the first turn that cannot be played again."""
    rules, edition, formula = profile_of(script), edition_of(script), formula_of(script)
    left = After(Board.empty(edition), Tiles.none(edition))
    turns: list[ScriptTurn] = []
    missing: dict[Word, int] = {}
    for number, stored in enumerate(script["turns"], 1):
        turn: ScriptTurn = {**stored, "number": number, "board": list(left.board.rows), "kept": left.kept.text}
        rack = _rack(turn, edition, left)
        move = read_move(turn, edition, rules)
        demand_legal(turn, move, position(left.board, rack, number, rules, formula), rules, _EveryWord())
        for letters in (letters_of(word.codes) for word in formed_words(left.board, move.reference, move.word)):
            if len(letters) > 1 and letters not in words:
                missing.setdefault(letters, number)
        turns.append({**turn, "rack": rack.text})
        left = after_turn(left.board, rack, move, rules, formula)
    if not turns:
        raise ScriptError("This game has no turns: nothing was played.")
    end: EndEntry = {**script["end"], "kept": left.kept.text, "bag": left.bag.text}
    return Replayable({**script, "turns": turns, "end": end}, tuple(missing.items()))


class _EveryWord:
    """What was played before was valid then."""

    def __contains__(self, word: object) -> bool:
        return True


def position(board: Board, rack: Tiles, turn: int, rules: Profile, formula: Formula) -> Position:
    """What the players of a turn have before them, by the formula."""
    return Position(board, rack, turn, formula.stock(board, rack), formula.most_laid(rules))


def read_move(turn: ScriptTurn, edition: Edition, rules: Profile) -> Move:
    """The master move of a turn; `ScriptError` where there is none that can be laid."""
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


def demand_legal(turn: ScriptTurn, move: Move, at: Position, rules: Profile, words: WordList) -> None:
    """`ScriptError` unless the move is legal there, with its score."""
    laid = lay(move.word, move.reference, at, rules, words)
    if isinstance(laid, Fault) or laid.move != move:
        why = laid.reason if isinstance(laid, Fault) else f"it is worth {laid.move.score}"
        raise ScriptError(
            f"Turn {turn['number']} of this game cannot be played again: {_shown(turn)} is not legal there ({why})."
        )


def _shown(turn: ScriptTurn) -> str:
    master = turn["master"]
    return f"{master['word']} {master['ref']} {master['score']}" if master else "-"


def _demand_legal(script: Script, choices: dict[int, Choice], solver: GameSolver) -> None:
    """The judge's choices, each on the board that the script gives; whether that is right is found out after."""
    rules, edition = profile_of(script), edition_of(script)
    for turn in script["turns"]:
        if turn["number"] in choices:
            try:
                board, rack = Board.parse(edition, turn["board"]), Tiles.parse(edition, turn["rack"])
            except ValueError as error:
                raise ScriptError(f"Turn {turn['number']} of this prepared game cannot be read: {error}.") from None
            at = position(board, rack, turn["number"], rules, solver.formula)
            demand_legal(turn, choices[turn["number"]].move, at, rules, solver.lexicon)


def _rack(turn: ScriptTurn, edition: Edition, left: After) -> Tiles:
    """The rack of a turn, which must be there to be drawn."""
    where = f"Turn {turn['number']} of this game cannot be played again"
    try:
        rack = Tiles.parse(edition, turn["rack"])
    except UnknownLetter as error:
        raise ScriptError(f"{where}: there is no tile {error.sign}.") from None
    if not rack or not left_besides(left.board, Tiles.none(edition)).holds(rack):
        raise ScriptError(f"{where}: its rack {turn['rack']} cannot be drawn from what is left.")
    return rack
