"""A printed evening of a French club with the paper slips of five players.

The pages print racks, master moves, points and running totals, not what the players wrote. So the slips are made: they
have the printed moves and scores where they can, and what else is on them is worth what the rules of scoring say on the
printed board.

* Alain finds every printed master move: his evening is the printed one.
* Brigitte finds it in even turns and hands in nothing in odd ones, Denise, in the same pile as Alain, in the first ten.
* Claude writes the best move of the word list, each word at its best place, that has at most half the printed points.
* Emile writes in every fifth turn the letters of his rack in the order of the alphabet, which is no word.

Which time control was played is not printed; it is the three minutes of the federation's rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from engine.board.coordinates import Notation
from engine.board.scoring import formed_words, score_move
from engine.lexicon.graph import Lexicon
from engine.search.solver import Solver
from engine.tiles.edition import LETTER_MASK
from engine.tiles.tiles import Tiles
from tests.engine.archive.test_published_games import FILES, FR, GAMES, Played
from tests.tournaments.hiersac import SOME_WORDS
from tournaments.players.services.players import NewPlayer

TABLES = ALAIN, BRIGITTE, CLAUDE, DENISE, EMILE = 17, 4, 21, 33, 8
PLAYERS = (
    NewPlayer(ALAIN, "Alain", "Hiersac"),
    NewPlayer(BRIGITTE, "Brigitte", "Hiersac"),
    NewPlayer(CLAUDE, "Claude", "Angoulême"),
    NewPlayer(DENISE, "Denise", "Hiersac"),
    NewPlayer(EMILE, "Emile", "Angoulême"),
)
DENISE_RUNS_OUT = 10
RULED_ON = {
    "hiersac-2019-11-22": frozenset({"NAHUATL", "GLAGLA"}),
    "hiersac-2022-01-21": frozenset({"VULGOS", "PILAW"}),
    "hiersac-2023-11-10": frozenset({"DEZINGUA", "FEIJOA"}),
}
"""Words that are left out of the list, so that the judge has to accept them in the middle of the game."""
CONSONANTS = "BCDFGHJKLMNPQRSTVWXZ"


@dataclass(frozen=True)
class PrintedTurn:
    """The input of a turn: rejected racks, the rack, and one line for each pile of slips."""

    played: Played
    back: tuple[str, ...]
    half: tuple[str, str, int] | None
    """Word, reference and points of Claude's slip."""

    @property
    def rack(self) -> str:
        return self.played.rack.text

    @property
    def word(self) -> str:
        return self.played.move.word_text(FR)

    @property
    def ref(self) -> str:
        return self.played.move.reference_text(Notation.LETTER_FIRST)

    @property
    def lines(self) -> list[str]:
        """As a typist types the sorted slips: the second pile of a word is `=`, who has nothing is `0`."""
        number = self.played.number
        same = [table for table, there in ((DENISE, number <= DENISE_RUNS_OUT), (BRIGITTE, number % 2 == 0)) if there]
        dry = [table for table in (DENISE, BRIGITTE) if table not in same]
        lines = [f"{ALAIN} {self.ref} {self.word} {self.played.points}"]
        lines += [f"{' '.join(map(str, same))} ="] if same else []
        if self.half is None:
            dry.append(CLAUDE)
        else:
            word, ref, points = self.half
            lines.append(f"{CLAUDE} {ref} {word} {points}")
        if number % 5 == 0:
            lines.append(f"{EMILE} {self.ref} {''.join(sorted(self.rack.replace('?', '')))} 12")
        else:
            dry.append(EMILE)
        return [*lines, f"{' '.join(map(str, dry))} 0"] if dry else lines

    @property
    def points(self) -> dict[int, int]:
        """Points of each table for its slip, computed without the program's judge."""
        number, printed = self.played.number, self.played.points
        return {
            ALAIN: printed,
            BRIGITTE: 0 if number % 2 else printed,
            CLAUDE: self.half[2] if self.half else 0,
            DENISE: printed if number <= DENISE_RUNS_OUT else 0,
            EMILE: 0,
        }


def words_of(name: str) -> frozenset[str]:
    """Words of the test lexicon: every word that the printed moves form, except those ruled on."""
    formed = {
        FR.word_text(tuple(code & LETTER_MASK for code in each.codes))
        for turn in GAMES[name]
        for each in formed_words(turn.left.board, turn.reference, turn.move.word)
    }
    return frozenset(formed | set(SOME_WORDS.split())) - RULED_ON[name]


def install_word_list(folder: Path, name: str) -> None:
    """The word list of an evening, as the French one of a data folder."""
    (folder / "lexicons").mkdir(parents=True, exist_ok=True)
    lines = "".join(f"{word}\n" for word in sorted(words_of(name)))
    (folder / "lexicons" / "fr.txt").write_text(lines, encoding="utf-8")


def turns_of(name: str) -> list[PrintedTurn]:
    """The turns of an evening in their order."""
    solver = Solver(Lexicon.build(FR, words_of(name) | RULED_ON[name]))
    return [PrintedTurn(turn, _rejected_racks(turn), _partial_rack(turn, solver)) for turn in GAMES[name]]


def totals_of(name: str) -> list[int]:
    """The running totals as printed, checked against the printed points."""
    totals = [turn.total for turn in GAMES[name]]
    assert totals == list(accumulate(turn.points for turn in GAMES[name]))
    assert totals[-1] == FILES[name]["total"]
    return totals


def _rejected_racks(turn: Played) -> tuple[str, ...]:
    """A whole rack that is printed as new follows one that broke the rule. The page does not tell which: here
    it is what was kept, the joker, and the first consonants of the bag."""
    if not turn.is_new:
        return ()
    kept = turn.left.kept.text.replace("?", "")
    consonants = [letter for letter in turn.left.bag.text if letter in CONSONANTS]
    return (Tiles.parse(FR, kept + "".join(consonants[: 6 - len(kept)]) + "?").text,)


def _partial_rack(turn: Played, solver: Solver) -> tuple[str, str, int] | None:
    ranked = solver.ranked(turn.left.board, turn.rack)
    best = {FR.word_text(tuple(code & LETTER_MASK for code in move.word)): move for move in reversed(ranked)}
    modest = [move for move in best.values() if move.score <= turn.points // 2]
    if not modest:
        return None
    move = max(modest, key=lambda each: (each.score, each.word_text(FR)))
    assert score_move(turn.left.board, move.reference, move.word) == move.score
    return move.word_text(FR), move.reference_text(Notation.LETTER_FIRST), move.score
