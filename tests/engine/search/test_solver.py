"""Guarantees of the search beyond the moves themselves; published examples."""

from __future__ import annotations

import random
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product

import pytest

from engine.board.board import Board
from engine.board.coordinates import Direction, parse_reference
from engine.board.move import Move
from engine.lexicon.graph import Lexicon
from engine.search.solver import Solver
from engine.tiles.edition import Edition, load_edition
from engine.tiles.tiles import Tiles
from tests.engine.search.positions import language
from tests.waiting import PATIENCE_S

IT, CA = load_edition("it"), load_edition("ca")


def _after(edition: Edition, *moves: str) -> Board:
    board = Board.empty(edition)
    for move in moves:
        ref, word = move.split()
        board = board.with_word(parse_reference(ref, edition.across), edition.parse_word(word))
    return board


def _written(edition: Edition, moves: Iterable[Move]) -> list[str]:
    return sorted(f"{move.reference_text(edition.across)} {move.word_text(edition)} {move.score}" for move in moves)


def _best(edition: Edition, words: str, board: Board, rack: str) -> list[str]:
    solver = Solver(Lexicon.build(edition, words.split()))
    return _written(edition, solver.best(board, Tiles.parse(edition, rack)))


def test_the_first_words_of_the_catalan_manual() -> None:
    """Seed 004: TRNSEEA lays TREN for 8, its neighbour ESTRENA for 66; letter first is across."""
    board = Board.empty(CA)
    assert _best(CA, "tren", board, "TRNSEEA") == ["H5 TREN 8", "H6 TREN 8", "H7 TREN 8", "H8 TREN 8"]
    tops = _best(CA, "tren estrena", board, "TRNSEEA")
    assert "H3 ESTRENA 66" in tops
    assert {top.split()[1:][0] for top in tops} == {"ESTRENA"}


@pytest.mark.parametrize(
    ("words", "rack", "expected"),
    [
        ("estrena reestrenar", "RER", "H1 REESTRENAR 30"),
        ("estrena tres", "RES", "5H TRES 8"),
        ("estrena mes me en sa", "MES", "G7 MES 17"),
        ("estrena estrenar mirar", "MIRAR", "10D MIRAR 16"),
    ],
)
def test_what_the_catalan_manual_adds_to_estrena(words: str, rack: str, expected: str) -> None:
    solver = Solver(Lexicon.build(CA, words.split()))
    moves = solver.ranked(_after(CA, "H3 ESTRENA"), Tiles.parse(CA, rack))
    assert expected in _written(CA, tuple(moves))


def test_moves_come_best_first_and_are_a_sequence() -> None:
    sample_language = language("it")
    moves = Solver(sample_language.lexicon).ranked(
        Board.empty(sample_language.edition), Tiles.parse(sample_language.edition, "?AEIOST")
    )
    scores = [move.score for move in moves]
    assert scores == sorted(scores, reverse=True)
    assert (moves[0], moves[-1], list(moves[2:5])) == (next(iter(moves)), list(moves)[-1], list(moves)[2:5])
    assert moves.top == scores[0]
    assert len(moves) == moves.count == len(scores)
    assert moves[0] in moves
    with pytest.raises(IndexError):
        moves[len(scores)]


def test_tops_are_a_sequence_equal_to_the_tuple_of_their_moves() -> None:
    solver = Solver(Lexicon.build(IT, ["oro"]))
    board, rack = _after(IT, "8H R"), Tiles.parse(IT, "O?")
    tops = solver.best(board, rack)
    moves = tuple(solver.ranked(board, rack).tops)
    assert (len(tops), bool(tops), bool(solver.best(board, Tiles.none(IT)))) == (4, True, False)
    assert (tops == moves, moves == tops, tops == solver.best(board, rack), tops == moves[:3]) == (True,) * 3 + (False,)
    assert (list(tops), tuple(reversed(tops)), tops[-1]) == (list(moves), moves[::-1], moves[3])
    assert tops[1:3] == moves[1:3]
    assert (hash(tops), repr(tops)) == (hash(moves), repr(moves))
    assert moves[2] in tops
    with pytest.raises(IndexError):
        tops[4]


def test_tops_stay_what_they_were_when_the_solver_is_asked_again() -> None:
    """Moves are decoded only on access."""
    solver = Solver(Lexicon.build(IT, ["oro", "zolla"]))
    board, rack = _after(IT, "8H R"), Tiles.parse(IT, "O?")
    tops = solver.best(board, rack)
    assert _written(IT, solver.best(_after(IT, "8H Z"), Tiles.parse(IT, "OLLA"))) == ["8H ZOLLA 17", "H8 ZOLLA 17"]
    assert _written(IT, tops) == ["8G ORo 3", "8G oRO 3", "H7 ORo 3", "H7 oRO 3"]


def test_one_board_after_another_is_answered_as_by_a_solver_that_never_saw_another() -> None:
    """A prepared board is reused by the next search, whichever of the three it is."""
    sample_language = language("it")
    across = next(word for word in sample_language.words if len(word) == 5)
    boards = [
        Board.empty(IT),
        Board.empty(IT).with_word(parse_reference("8H", IT.across), across),
        Board.empty(IT).with_word(parse_reference("H8", IT.across), across),
    ]
    chooser = random.Random(9)  # noqa: S311
    solver = Solver(sample_language.lexicon)
    for _ in range(60):
        letters = chooser.choices(sample_language.letters[:8], k=6)
        board, rack = chooser.choice(boards), Tiles.of_kinds(IT, [letter + 1 for letter in letters])
        fresh = Solver(sample_language.lexicon)
        if chooser.random() < 0.5:
            assert solver.best(board, rack) == fresh.best(board, rack)
        if chooser.random() < 0.5:
            assert list(solver.ranked(board, rack)) == list(fresh.ranked(board, rack))
        assert solver.has_move(board, rack) == fresh.has_move(board, rack)


def test_a_single_tile_that_reads_both_ways_is_one_move_across() -> None:
    """E between T and D makes TE across (3) and DE down (6)."""
    assert _best(IT, "te de", _after(IT, "8H T", "7I D"), "E") == ["8H TE 9"]


def test_the_first_word_lies_across_the_centre() -> None:
    solver = Solver(Lexicon.build(IT, ["oro"]))
    moves = solver.ranked(Board.empty(IT), Tiles.parse(IT, "ORO"))
    assert {move.direction for move in moves} == {Direction.ACROSS}
    assert sorted(move.reference.col for move in moves) == [5, 6, 7]
    assert {move.reference.row for move in moves} == {7}
    either = Solver(solver.lexicon, first_word_across=False).ranked(Board.empty(IT), Tiles.parse(IT, "ORO"))
    assert either.count == 6


def test_which_copy_of_a_letter_is_the_blank_makes_two_moves() -> None:
    tops = _best(IT, "oro", _after(IT, "8H R"), "O?")
    assert tops == ["8G ORo 3", "8G oRO 3", "H7 ORo 3", "H7 oRO 3"]


def test_a_letter_that_exists_by_blank_only_is_laid_with_a_blank() -> None:
    solver = Solver(Lexicon.build(IT, ["taxi"]))
    assert {move.word_text(IT) for move in solver.ranked(Board.empty(IT), Tiles.parse(IT, "TAI?"))} == {"TAxI"}
    assert solver.ranked(Board.empty(IT), Tiles.parse(IT, "TAIS")).count == 0


def test_words_on_the_board_may_be_unknown() -> None:
    """A word that was accepted or stood in an older list lies there: it can be crossed, but not lengthened."""
    moves = Solver(Lexicon.build(IT, ["oro", "zz"])).ranked(_after(IT, "8F ZZOZZ"), Tiles.parse(IT, "ROR"))
    assert {move.word_text(IT) for move in moves} == {"ORO"}


def test_no_move_is_an_empty_answer() -> None:
    solver = Solver(Lexicon.build(IT, ["oro"]))
    board, rack = Board.empty(IT), Tiles.parse(IT, "BCD")
    moves = solver.ranked(board, rack)
    assert (moves.count, moves.sum_of_scores, moves.top, moves.tops, list(moves)) == (0, 0, 0, (), [])
    assert solver.best(board, rack) == ()
    assert not solver.has_move(board, rack)
    assert solver.best(board, Tiles.none(IT)) == ()


def test_a_move_that_scores_nothing_is_still_a_move() -> None:
    assert _best(IT, "oro", _after(IT, "8H r"), "??") == ["8G oro 0", "H7 oro 0"]


def test_an_empty_lexicon_has_no_moves() -> None:
    solver = Solver(Lexicon.build(IT, []))
    rack = Tiles.parse(IT, "?AEINRS")
    assert solver.ranked(Board.empty(IT), rack).count == 0
    assert solver.best(Board.empty(IT), rack) == ()
    assert solver.best(_after(IT, "8H ORO"), rack) == ()


@pytest.mark.endurance
def test_more_moves_than_there_is_room_for_are_all_found() -> None:
    """The room for plays, at first for 16,384, grows while searching."""
    letters = "AEIOST"
    words = ["".join(word) for length in (2, 3, 4) for word in product(letters, repeat=length)]
    solver = Solver(Lexicon.build(IT, words))
    board = _after(IT, "3C SASSO", "8D TESTA", "13E OSTE")
    rack = Tiles.parse(IT, "???AEIO")
    first, again = solver.ranked(board, rack), solver.ranked(board, rack)
    assert first.count > 1 << 14
    assert len(set(first)) == first.count == again.count
    assert set(solver.best(board, rack)) == set(first.tops)


@pytest.mark.parametrize("blanks", [0, 1, 2, 5])
def test_tiles_of_any_worth_make_the_same_tops_in_both_searches(blanks: int) -> None:
    """Scores of thousands are beyond the tables of the best search; a worthless tile is as good as a blank."""
    sample_language = language("it")
    kinds = [replace(kind, value=(0, 99, 1, 64)[number % 4]) for number, kind in enumerate(IT.kinds[1:])]
    edition = replace(IT, kinds=(IT.kinds[0], *kinds))
    solver = Solver(
        Lexicon.build(edition, map(IT.word_text, sample_language.words)), bonuses={4: 1100, 5: 1500, 6: 2000, 7: 5000}
    )
    chooser = random.Random(blanks)  # noqa: S311
    board, above = Board.empty(edition), 0
    for _ in range(12):
        letters = chooser.choices(sample_language.letters[:8], k=7 - blanks)
        rack = Tiles.of_kinds(edition, [*[0] * blanks, *(letter + 1 for letter in letters)])
        tops = solver.ranked(board, rack).tops
        assert solver.best(board, rack) == tops
        if tops:
            above += tops[0].score > 1024
            board = board.with_word(tops[0].reference, tops[0].word)
    assert above


def test_racks_and_plays_of_more_than_nine_tiles_are_refused() -> None:
    sample_language = language("it")
    with pytest.raises(ValueError, match="at most 9 tiles"):
        Solver(sample_language.lexicon).ranked(Board.empty(IT), Tiles.parse(IT, "A" * 10))
    with pytest.raises(ValueError, match="1 to 9 tiles"):
        Solver(sample_language.lexicon, largest_play=10)


def test_board_rack_and_words_must_be_of_one_edition() -> None:
    solver = Solver(language("it").lexicon)
    with pytest.raises(ValueError, match="of one edition, it"):
        solver.best(Board.empty(CA), Tiles.parse(CA, "ÇA"))


def test_one_solver_serves_many_threads_at_once() -> None:
    sample_language = language("it")
    solver = Solver(sample_language.lexicon)
    chooser = random.Random(8)  # noqa: S311
    racks = [
        Tiles.of_kinds(
            sample_language.edition, [0, *(letter + 1 for letter in chooser.choices(sample_language.letters[:8], k=6))]
        )
        for _ in range(40)
    ]
    board = Board.empty(sample_language.edition).with_word(
        parse_reference("8H", IT.across), next(word for word in sample_language.words if len(word) == 5)
    )

    def answers(rack: Tiles) -> tuple[list[Move], Sequence[Move]]:
        return list(solver.ranked(board, rack)), solver.best(board, rack)

    alone = [answers(rack) for rack in racks]
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(answers, racks * 5))
    assert together == alone * 5


def test_other_threads_run_while_a_search_does() -> None:
    """As the clock of a hall must. A search is one call of compiled code, which could keep them waiting to its end."""
    words = ["".join(word) for length in (2, 3, 4, 5) for word in product("AEIOST", repeat=length)]
    solver = Solver(Lexicon.build(IT, words), largest_play=9)
    board, rack = _after(IT, "3C SASSO", "8D TESTA", "13E OSTE"), Tiles.parse(IT, "?????AEIO")
    started, finished = threading.Event(), threading.Event()

    def search() -> None:
        started.set()
        solver.ranked(board, rack)
        finished.set()

    thread = threading.Thread(target=search)
    usual = sys.getswitchinterval()
    sys.setswitchinterval(PATIENCE_S)  # no thread is interrupted; each runs until it lets others run
    try:
        thread.start()
        started.wait()
        steps = 0
        while not finished.is_set():
            steps += 1
            time.sleep(0)
        thread.join()
    finally:
        sys.setswitchinterval(usual)
    assert steps > 10, "none when the search keeps the others waiting"
