"""The search finds exactly what trying every word at every place finds: moves, scores, tops; in every edition."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from math import prod

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from engine.board.board import CENTRE, EMPTY, Board, squares_of
from engine.board.coordinates import SIZE, Direction, Reference
from engine.board.scoring import STANDARD_BONUSES, score_move
from engine.draw.reproducible import DrawnRack, draw_next_rack
from engine.judging.placement import Position
from engine.judging.verdict import judge_slip
from engine.rules.profile import load_profile
from engine.search.game_solver import GameSolver
from engine.search.solver import Solver
from engine.slips.slip import Slip
from engine.tiles.edition import BLANK_BIT, LETTER_MASK, TileClass
from engine.tiles.tiles import Tiles
from engine.variants.variant import load_variant
from tests.engine.oracle import all_moves
from tests.engine.search.positions import (
    INVENTED,
    LANGUAGES,
    Language,
    full_boards,
    language,
    played_boards,
    racks,
    scattered_boards,
    split_boards,
)
from tests.examples import examples, one_in

every_language = pytest.mark.parametrize("code", one_in(7, LANGUAGES))
SCORED = 12
"""So many moves of a position, from the best to the worst, are counted by `engine.board.scoring` as well."""


def _check(
    sample_language: Language,
    board: Board,
    rack: Tiles,
    *,
    bonuses: Mapping[int, int] = STANDARD_BONUSES,
    largest_play: int = 7,
    first_word_across: bool = True,
    premiums_again: bool = False,
) -> None:
    """Ranked, best, has_move and the score of a move agree with the oracle."""
    # A failure shows the position as `python -m engine solve` reads it.
    note(json.dumps({"board": board.rows, "rack": rack.text}, ensure_ascii=False))
    expected = all_moves(
        sample_language.words,
        board,
        rack,
        bonuses=bonuses,
        largest_play=largest_play,
        first_word_across=first_word_across,
        premiums_again=premiums_again,
    )
    solver = Solver(
        sample_language.lexicon,
        bonuses=bonuses,
        largest_play=largest_play,
        first_word_across=first_word_across,
        premiums_again=premiums_again,
    )
    ranked = solver.ranked(board, rack)
    found = list(ranked)
    assert [move.score for move in found] == [move.score for move in expected]
    assert len(set(found)) == len(found)
    assert set(found) == set(expected)
    top = expected[0].score if expected else 0
    tops = {move for move in expected if move.score == top}
    best = solver.best(board, rack)
    assert (set(best), len(best)) == (tops, len(tops))
    assert ranked.tops == best
    assert (ranked.count, ranked.sum_of_scores, ranked.top) == (len(expected), sum(m.score for m in expected), top)
    assert solver.has_move(board, rack) == bool(expected)
    for move in expected[:: len(expected) // SCORED + 1]:
        assert score_move(board, move.reference, move.word, bonuses, premiums_again=premiums_again) == move.score


@every_language
@examples(30)
@given(data=st.data())
def test_racks_without_a_blank(code: str, data: st.DataObject) -> None:
    sample_language = language(code)
    _check(
        sample_language, data.draw(scattered_boards(sample_language)), data.draw(racks(sample_language, (1, 7), (0, 0)))
    )


@every_language
@examples(20)
@given(data=st.data())
def test_premiums_that_count_again_by_a_house_rule(code: str, data: st.DataObject) -> None:
    """Box rules, home variants: the premiums under tiles that lie already count for later words."""
    sample_language = language(code)
    board = data.draw(st.one_of(scattered_boards(sample_language), played_boards(sample_language)))
    _check(sample_language, board, data.draw(racks(sample_language, (1, 7), (0, 1))), premiums_again=True)


@every_language
@examples(20)
@given(data=st.data())
def test_racks_with_one_or_two_blanks(code: str, data: st.DataObject) -> None:
    sample_language = language(code)
    _check(
        sample_language, data.draw(scattered_boards(sample_language)), data.draw(racks(sample_language, (2, 7), (1, 2)))
    )


@every_language
@examples(8)
@given(data=st.data())
def test_racks_with_three_to_five_blanks(code: str, data: st.DataObject) -> None:
    sample_language = language(code, "few")
    _check(
        sample_language,
        data.draw(scattered_boards(sample_language, most_words=4)),
        data.draw(racks(sample_language, (3, 7), (3, 5))),
    )


@every_language
@examples(30)
@given(data=st.data())
def test_boards_from_games(code: str, data: st.DataObject) -> None:
    sample_language = language(code)
    _check(
        sample_language, data.draw(played_boards(sample_language)), data.draw(racks(sample_language, (7, 7), (0, 1)))
    )


@every_language
@examples(30)
@given(data=st.data())
def test_the_end_of_a_game_with_one_to_three_tiles(code: str, data: st.DataObject) -> None:
    sample_language = language(code)
    _check(
        sample_language,
        data.draw(played_boards(sample_language, turns=(10, 30))),
        data.draw(racks(sample_language, (1, 3), (0, 2))),
    )


@every_language
@examples(15)
@given(data=st.data())
def test_crowded_boards(code: str, data: st.DataObject) -> None:
    sample_language = language(code)
    _check(
        sample_language,
        data.draw(scattered_boards(sample_language, most_words=25)),
        data.draw(racks(sample_language, (1, 7), (0, 2))),
    )


@every_language
@examples(15)
@given(data=st.data())
def test_boards_with_only_a_few_squares_left(code: str, data: st.DataObject) -> None:
    sample_language = language(code)
    _check(sample_language, data.draw(full_boards(sample_language)), data.draw(racks(sample_language, (1, 7), (0, 2))))


@every_language
@examples(25)
@given(data=st.data())
def test_boards_in_parts_that_do_not_touch(code: str, data: st.DataObject) -> None:
    sample_language = language(code)
    _check(sample_language, data.draw(split_boards(sample_language)), data.draw(racks(sample_language, (1, 7), (0, 1))))


@every_language
@examples(25)
@given(data=st.data())
def test_the_first_move_across(code: str, data: st.DataObject) -> None:
    sample_language = language(code)
    _check(sample_language, Board.empty(sample_language.edition), data.draw(racks(sample_language, (1, 7), (0, 3))))


@every_language
@examples(15)
@given(data=st.data())
def test_the_first_move_in_any_direction(code: str, data: st.DataObject) -> None:
    sample_language = language(code)
    rack = data.draw(racks(sample_language, (1, 7), (0, 2)))
    _check(sample_language, Board.empty(sample_language.edition), rack, first_word_across=False)


@pytest.mark.parametrize(
    ("size", "largest_play", "bonuses"),
    [
        (8, 7, STANDARD_BONUSES),
        (8, 8, {7: 50, 8: 75}),
        (9, 9, {7: 50, 8: 75, 9: 100}),
        (9, 7, STANDARD_BONUSES),
        (7, 5, {5: 20, 3: 7}),
        (7, 1, {}),
    ],
    ids=["7 of 8", "7 and 8", "7, 8 and 9", "7 of 9", "at most 5", "single tiles"],
)
@every_language
@examples(5)
@given(data=st.data())
def test_variants_with_other_racks_plays_and_bonuses(
    code: str, size: int, largest_play: int, bonuses: Mapping[int, int], data: st.DataObject
) -> None:
    sample_language = language(code)
    board = data.draw(st.one_of(scattered_boards(sample_language), played_boards(sample_language)))
    _check(
        sample_language,
        board,
        data.draw(racks(sample_language, (size, size), (0, 1))),
        largest_play=largest_play,
        bonuses=bonuses,
    )


NINE = load_variant("7-8-9").apply_to(load_profile("it-box"))


def _with_gaps(
    sample_language: Language, word: Sequence[int], reference: Reference, gaps: Collection[int]
) -> tuple[Board, Tiles]:
    """A board on which all of the word lies but these letters, and a rack that has just them."""
    board = Board.empty(sample_language.edition)
    last = len(sample_language.edition.kinds) - 1
    for at, (code, square) in enumerate(zip(word, squares_of(reference, len(word)), strict=True)):
        if at not in gaps:
            lying = code | (BLANK_BIT if code >= last else 0)
            board = board.with_word(Reference(*square, reference.direction), [lying])
    kinds = [word[at] + 1 if word[at] < last else 0 for at in gaps]
    return board, Tiles.of_kinds(sample_language.edition, kinds)


def _check_of_judge(
    sample_language: Language, board: Board, rack: Tiles, reference: Reference, word: Sequence[int]
) -> None:
    """The judge gives the word at this place, as it is best laid, what the oracle says."""
    moves = all_moves(
        sample_language.words, board, rack, bonuses=NINE.bonus_table, largest_play=9, first_word_across=False
    )
    same = [
        move
        for move in moves
        if move.reference == reference and [code & LETTER_MASK for code in move.word] == list(word)
    ]
    move = max(same, key=lambda each: each.score)
    slip = Slip(move.word_text(sample_language.edition), move.reference_text(NINE.notation), move.score)
    verdict = judge_slip(slip, Position(board, rack, 2, None, 9), NINE, frozenset(sample_language.words))
    assert (verdict.result, verdict.points) == ("valid", move.score)


@every_language
@examples(10)
@given(data=st.data())
def test_moves_of_nine_tiles_earn_their_bonus(code: str, data: st.DataObject) -> None:
    sample_language = language(code)
    word = data.draw(st.sampled_from([word for word in sample_language.words if len(word) >= 9]))
    gaps = sorted(data.draw(st.permutations(range(len(word))))[:9])
    direction = Direction.ACROSS if len(word) == 9 else data.draw(st.sampled_from(list(Direction)))
    start = CENTRE - data.draw(st.integers(max(0, len(word) - 1 - CENTRE), min(CENTRE, len(word) - 1)))
    reference = (
        Reference(CENTRE, start, direction) if direction is Direction.ACROSS else Reference(start, CENTRE, direction)
    )
    board, rack = _with_gaps(sample_language, word, reference, gaps)
    _check(sample_language, board, rack, bonuses=NINE.bonus_table, largest_play=9)
    _check_of_judge(sample_language, board, rack, reference, word)
    assert Solver(sample_language.lexicon, bonuses=NINE.bonus_table, largest_play=9).best(board, rack)[0].score >= 100


@pytest.mark.parametrize("code", one_in(4, (code for code in LANGUAGES if code != INVENTED)))
@examples(10)
@given(data=st.data())
def test_words_over_three_triple_word_squares_count_27_fold(code: str, data: st.DataObject) -> None:
    sample_language = language(code)
    word = data.draw(st.sampled_from([word for word in sample_language.words if len(word) == SIZE]))
    edge, direction = data.draw(st.sampled_from([0, SIZE - 1])), data.draw(st.sampled_from(list(Direction)))
    reference = Reference(edge, 0, direction) if direction is Direction.ACROSS else Reference(0, edge, direction)
    others = data.draw(st.permutations([at for at in range(SIZE) if at not in (0, CENTRE, SIZE - 1)]))
    gaps = sorted([0, CENTRE, SIZE - 1, *others[: data.draw(st.integers(0, 4))]])
    squares = list(squares_of(reference, SIZE))
    premiums = [sample_language.edition.premiums[row * SIZE + col] for row, col in squares]
    assert prod(premiums[at].word for at in gaps) == 27
    board, rack = _with_gaps(sample_language, word, reference, gaps)
    _check(sample_language, board, rack)
    _check_of_judge(sample_language, board, rack, reference, word)


EXPLOSIVE, JOKER = load_variant("explosive"), load_variant("joker")


@every_language
@examples(10)
@given(data=st.data())
def test_the_letter_chosen_in_explosive_games_is_that_of_the_best_moves(code: str, data: st.DataObject) -> None:
    """The oracle finds the best moves with the blank; the first letter that is left and keeps the rack lawful counts.

    Turn 20 of the box rules: one vowel and one consonant.
    """
    sample_language = language(code)
    rules = load_profile("it-box")
    board = data.draw(st.one_of(st.just(Board.empty(sample_language.edition)), played_boards(sample_language, (1, 6))))
    held = data.draw(racks(sample_language, (20, 30), (1, 1)))
    solver = GameSolver(sample_language.lexicon, rules, EXPLOSIVE)
    key, nothing = data.draw(st.binary(min_size=32, max_size=32)), Tiles.none(sample_language.edition)
    plain = draw_next_rack(key, 20, nothing, held, rules, variant=JOKER)
    shown = draw_next_rack(
        key, 20, nothing, held, rules, variant=EXPLOSIVE, letters_of_blank=partial(solver.letters_of_blank, board)
    )
    if not isinstance(plain, DrawnRack):
        assert shown == plain
        return
    letters = _letters_of_blanks(sample_language, board, plain.rack)
    assert list(solver.letters_of_blank(board, plain.rack)) == letters
    without = Tiles(sample_language.edition, (0, *plain.rack.counts[1:]))
    fitting = [
        without + Tiles.of_kinds(sample_language.edition, [kind])
        for kind in letters
        if kind < len(held.counts) and held.counts[kind] > without.counts[kind]
    ]
    lawful = [rack for rack in fitting if _has_vowel_and_consonant(sample_language, rack)]
    assert isinstance(shown, DrawnRack)
    assert (shown.rack, shown.rejected) == (lawful[0] if lawful else plain.rack, plain.rejected)


def _letters_of_blanks(sample_language: Language, board: Board, rack: Tiles) -> list[int]:
    """The kinds of tiles for which blanks of the best moves stand, by the oracle, in the order of the edition."""
    moves = all_moves(sample_language.words, board, rack)
    top = moves[0].score if moves else 0
    kinds = {
        (code & LETTER_MASK) + 1
        for move in moves
        if move.score == top
        for code, square in zip(move.word, squares_of(move.reference, len(move.word)), strict=True)
        if code & BLANK_BIT and board.at(*square) == EMPTY
    }
    return sorted(kinds)


def _has_vowel_and_consonant(sample_language: Language, rack: Tiles) -> bool:
    held = [
        kind.tile_class
        for kind, number in zip(sample_language.edition.kinds, rack.counts, strict=True)
        for _ in range(number)
    ]
    needed = (TileClass.VOWEL not in held) + (TileClass.CONSONANT not in held)
    return needed <= held.count(TileClass.EITHER)
