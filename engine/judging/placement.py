"""One word at one place: is it a legal move there, and if not, what is wrong first?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from engine.board.board import CENTRE, EMPTY, Board, squares_of
from engine.board.coordinates import SIZE, Direction, Notation, Reference, format_reference
from engine.board.move import Move
from engine.board.scoring import FormedWord, formed_words
from engine.judging.lexicon_protocol import WordList, is_struck
from engine.rules.profile import Profile
from engine.slips.blank_marks import BlankChoices, Marking, MissingLetters, list_blank_choices
from engine.tiles.edition import BLANK_BIT, LETTER_MASK, Edition, UnknownLetter
from engine.tiles.tiles import Tiles


@dataclass(frozen=True, slots=True)
class Position:
    """The state that every player sees in a turn: the board, the rack, and the number of the turn from 1.

    By the variant of the game: `stock`, of which each player may take one tile more, and how many tiles a move may lay.
    """

    board: Board
    rack: Tiles
    turn: int
    stock: Tiles | None = None
    largest_play: int = SIZE


@dataclass(frozen=True, slots=True)
class Fault:
    """The reason why a slip gets no points. `word` is the word that failed; `rule` the switch that says so, if one
    does."""

    reason: str
    word: str | None = None
    rule: str | None = None
    details: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LegalMove:
    """A legal move, its blanks chosen best for the player; `unmarked`: letters whose blanks were not marked."""

    move: Move
    marking: Marking
    unmarked: tuple[int, ...]


Readings = tuple[tuple[int, ...], ...]
MAX_OTHER_READINGS = 8


def read_word(text: str, edition: Edition, profile: Profile) -> tuple[Readings, Readings]:
    """(readings of a written word that the edition allows, those that it does not): tile codes, marks as `BLANK_BIT`.

    Nothing is allowed where the edition cannot lay the word at all.
    """
    if profile.q_for_qu and "QU" in edition.letters:
        text = re.sub(r"q(?!u)", lambda q: "QU" if q[0].isupper() else "qu", text, flags=re.IGNORECASE)
    try:
        allowed = edition.allowed_readings(text)
        others = [reading for reading in edition.readings(text) if reading not in allowed]
    except UnknownLetter:
        return (), ()
    return tuple(filter(None, allowed)), tuple(others[:MAX_OTHER_READINGS])


def place_word(
    written: Sequence[int], reference: Reference, position: Position, profile: Profile, words: WordList
) -> LegalMove | Fault:
    """The move of `written` at this place, or the first fault in the order of the rules.

    That order: does it fit, is it whole, is a tile laid, has the rack the letters, centre, connection, main word,
    cross words: the steps 5 and 6 of `verdict.py`.
    """
    board = position.board
    if profile.first_word == "across" and board.is_empty and reference.direction is Direction.DOWN:
        return Fault("wrong_reference", rule="first_word")
    fault = _fault_of_place(board, written, reference)
    if fault is not None:
        return fault
    free = [i for i, square in enumerate(squares_of(reference, len(written))) if board.at(*square) == EMPTY]
    ways = list_blank_choices([written[i] for i in free], position.rack, position.stock)
    if isinstance(ways, MissingLetters):
        return Fault("letters_not_in_rack", details={"missing": board.edition.word_text(ways.letters)})
    if len(free) > position.largest_play:
        return Fault("letters_not_in_rack", details={"most": position.largest_play})
    fault = _fault_of_connection(board, reference, len(written), len(free))
    if fault is not None:
        return fault
    formed = formed_words(board, reference, written)
    return _fault_of_words(board.edition, formed, words) or _best_legal_move(
        position, profile, written, reference, free, ways
    )


def list_legal_placements(
    written: Sequence[int],
    directions: Iterable[Direction],
    position: Position,
    profile: Profile,
    words: WordList,
) -> Iterator[LegalMove]:
    """Every legal move of this word in these directions, row by row."""
    in_touch, last = _touching_squares(position.board.squares), len(written) - 1
    for direction in directions:
        down, right = direction.step
        for row in range(SIZE - down * last):
            for col in range(SIZE - right * last):
                start, step = row * SIZE + col, down * SIZE + right
                if 1 not in in_touch[start : start + step * last + 1 : step]:
                    continue
                laid = place_word(written, Reference(row, col, direction), position, profile, words)
                if isinstance(laid, LegalMove):
                    yield laid


@lru_cache(maxsize=16)
def _touching_squares(squares: bytes) -> bytes:
    """225 squares: 1 where a tile lies or touches, of an empty board at the centre. A legal word covers one of them."""
    touched = bytearray(SIZE * SIZE)
    for at, code in enumerate(squares):
        if code != EMPTY:
            row, col = divmod(at, SIZE)
            neighbours = ((row, col), (row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1))
            for near_row, near_col in neighbours:
                if 0 <= near_row < SIZE and 0 <= near_col < SIZE:
                    touched[near_row * SIZE + near_col] = 1
    if not any(touched):
        touched[CENTRE * SIZE + CENTRE] = 1
    return bytes(touched)


def _fault_of_place(board: Board, written: Sequence[int], reference: Reference) -> Fault | None:
    """Off the board, another tile in the way, a longer run, no tile laid."""
    down, right = reference.direction.step
    row, col, last = reference.row, reference.col, len(written) - 1
    if row + down * last >= SIZE or col + right * last >= SIZE:
        return Fault("does_not_fit")
    empty = 0
    for code, square in zip(written, squares_of(reference, len(written)), strict=True):
        lying = board.at(*square)
        if lying == EMPTY:
            empty += 1
        elif (lying ^ code) & LETTER_MASK:
            return Fault("does_not_fit")
    before = board.at(row - down, col - right)
    after = board.at(row + down * (last + 1), col + right * (last + 1))
    if before != EMPTY or after != EMPTY:
        return Fault("word_incomplete")
    return None if empty else Fault("no_tile_played")


def explain_fault(
    fault: Fault, board: Board, written: Sequence[int], reference: Reference, notation: Notation
) -> Fault:
    """The fault of `lay` with what its sentence may name besides. Apart, since most places that are tried need none."""
    if fault.reason == "word_incomplete":
        return replace(fault, details={"run": _run_text(board, written, reference)})
    if fault.reason == "does_not_fit":
        return replace(fault, details=_describe_replaced_tile(board, written, reference, notation))
    return fault


def _describe_replaced_tile(
    board: Board, written: Sequence[int], reference: Reference, notation: Notation
) -> Mapping[str, str | int]:
    """The first tile that the word would replace and its square; nothing when the word runs over the edge."""
    for code, (row, col) in zip(written, squares_of(reference, len(written)), strict=True):
        lying = board.at(row, col)
        if lying != EMPTY and (lying ^ code) & LETTER_MASK:
            square = format_reference(Reference(row, col, reference.direction), notation)
            return {"lying": board.edition.word_text((lying,)), "square": square}
    return {}


def _run_text(board: Board, written: Sequence[int], reference: Reference) -> str:
    after = board.with_word(reference, [code & LETTER_MASK for code in written])
    down, right = reference.direction.step
    before, behind = after.run_through(reference.row, reference.col, reference.direction)
    squares = squares_of(
        Reference(reference.row - before * down, reference.col - before * right, reference.direction),
        before + 1 + behind,
    )
    return board.edition.word_text(tuple(after.at(*square) for square in squares))


def _fault_of_connection(board: Board, reference: Reference, length: int, laid: int) -> Fault | None:
    """The first word covers the centre, every other touches what lies."""
    squares = list(squares_of(reference, length))
    if board.is_empty:
        return None if (CENTRE, CENTRE) in squares else Fault("misses_centre")
    if laid < length or any(any(board.run_through(*square, reference.direction.other)) for square in squares):
        return None
    return Fault("not_connected")


def _fault_of_words(edition: Edition, formed: Sequence[FormedWord], words: WordList) -> Fault | None:
    for number, word in enumerate(formed):
        letters = tuple(code & LETTER_MASK for code in word.codes)
        if len(letters) < 2 or letters not in words:
            reason = "invalid_cross_word" if number else "not_a_word"
            details = {"one_letter": 1} if len(letters) < 2 else {"struck": 1} if is_struck(words, letters) else {}
            return Fault(reason, word=edition.word_text(word.codes), details=details)
    return None


def _best_legal_move(
    position: Position,
    profile: Profile,
    written: Sequence[int],
    reference: Reference,
    free: Sequence[int],
    ways: Sequence[BlankChoices],
) -> LegalMove:
    """The legal move with the blanks where they cost the player least; the leftmost of equal ones."""
    legal = (
        LegalMove(_build_move(position.board, profile, written, reference, free, choice), way.marking, way.unmarked)
        for way in ways
        for choice in way.choices
    )
    return max(legal, key=lambda one: one.move.score)


def _build_move(
    board: Board,
    profile: Profile,
    written: Sequence[int],
    reference: Reference,
    free: Sequence[int],
    blanks: frozenset[int],
) -> Move:
    word = [code & LETTER_MASK for code in written]
    for number, i in enumerate(free):
        if number in blanks:
            word[i] |= BLANK_BIT
    formed = formed_words(board, reference, word, premiums_again=profile.premiums_again)
    points = sum(one.points for one in formed) + profile.bonus_table.get(len(free), 0)
    return Move(reference, formed[0].codes, points)
