"""The judge against the slow search of the tests, which knows the rules of the game by itself."""

from __future__ import annotations

import pytest

from engine.board.coordinates import SIZE, Direction, Notation, Reference, format_reference
from engine.judging.placement import Position
from engine.judging.verdict import judge_slip
from engine.slips.slip import Slip
from engine.tiles.edition import LETTER_MASK
from tests.engine.judging.positions import BOX, IT, WORDS, position, words
from tests.engine.oracle import all_moves

LISTED = sorted(tuple(code & LETTER_MASK for code in IT.parse_word(word)) for word in WORDS.split())
POSITIONS = {
    "empty": position("CORNOSA", turn=1),
    "one word": position("CARESOT", "8D CORNO"),
    "crossed": position("SAROTIE", "8D CORNO", "H8 ORA", "5F TORO"),
    "a blank lies": position("SAROTIE", "8D CoRNO", "D8 CASA"),
}
each_position = pytest.mark.parametrize("at", POSITIONS.values(), ids=POSITIONS)


@each_position
def test_a_slip_is_valid_where_the_oracle_has_a_move_and_nowhere_else(at: Position) -> None:
    """Every listed word at every place, without blanks. Under both names of a one-tile play the board is the same."""
    moves = {
        at.board.with_word(move.reference, move.word): move.score
        for move in all_moves(LISTED, at.board, at.rack, first_word_across=False)
    }
    listed = words(IT)
    found = {}
    for word in LISTED:
        for start in range(SIZE * SIZE):
            for direction in Direction:
                reference = Reference(*divmod(start, SIZE), direction)
                slip = Slip(IT.word_text(word), format_reference(reference, Notation.NUMBER_FIRST), None)
                verdict = judge_slip(slip, at, BOX, listed)
                if verdict.result == "valid":
                    found[at.board.with_word(reference, word)] = verdict.points
    assert found == moves
    assert moves


@pytest.mark.parametrize("rack", ["C?RNOA?", "S?OTRA?"])
def test_every_way_to_lay_blanks_scores_what_the_oracle_says(rack: str) -> None:
    """Marked as the oracle lays them; unmarked, the best of them counts."""
    at = position(rack, "8D CORNO", "H8 ORA")
    listed = words(IT)
    best: dict[tuple[str, str], int] = {}
    for move in all_moves(LISTED, at.board, at.rack):
        text, ref = move.word_text(IT), move.reference_text(Notation.NUMBER_FIRST)
        verdict = judge_slip(Slip(text, ref, move.score), at, BOX, listed)
        assert (verdict.result, verdict.points, verdict.warnings) == ("valid", move.score, ())
        best[text.upper(), ref] = max(best.get((text.upper(), ref), 0), move.score)
    for (text, ref), points in best.items():
        assert judge_slip(Slip(text, ref, None), at, BOX, listed).points == points
