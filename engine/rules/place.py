"""One word at one place: is it a legal move there, and if not, what is wrong first?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine.board import CENTRE, EMPTY, Board, squares_of
from engine.coords import SIZE, Direction, Reference
from engine.edition import BLANK_BIT, LETTER_MASK, Edition, UnknownLetter
from engine.move import Move
from engine.rules.marks import Blanks, Marking, NotInRack, blanks_for
from engine.rules.profile import Profile
from engine.rules.words import WordList
from engine.scoring import FormedWord, formed_words
from engine.tiles import Tiles


@dataclass(frozen=True, slots=True)
class Position:
    """What every player has before him in a turn: the board, the rack, and the number of the turn from 1."""

    board: Board
    rack: Tiles
    turn: int


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a slip gets nothing. `word` is the word that failed; `rule` the switch that says so, if one does."""

    reason: str
    word: str | None = None
    rule: str | None = None
    details: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Legal:
    """A legal move, its blanks chosen best for the player; `unmarked` are letters whose blanks he did not mark."""

    move: Move
    marking: Marking
    unmarked: tuple[int, ...]


def read_word(text: str, edition: Edition, profile: Profile) -> tuple[int, ...] | None:
    """Tile codes of a written word, marks as `BLANK_BIT`; None when the edition cannot lay it."""
    if profile.q_for_qu and "QU" in edition.letters:
        text = re.sub(r"q(?!u)", lambda q: "QU" if q[0].isupper() else "qu", text, flags=re.IGNORECASE)
    try:
        return edition.parse_word(text) or None
    except UnknownLetter:
        return None


def lay(
    written: Sequence[int], reference: Reference, position: Position, profile: Profile, words: WordList
) -> Legal | Fault:
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
    blanks = blanks_for([written[i] for i in free], position.rack)
    if isinstance(blanks, NotInRack):
        return Fault("letters_not_in_rack", details={"missing": board.edition.word_text(blanks.letters)})
    fault = _fault_of_connection(board, reference, len(written), len(free))
    if fault is not None:
        return fault
    formed = formed_words(board, reference, written)
    return _fault_of_words(board.edition, formed, words) or _best(position, profile, written, reference, free, blanks)


def legal_places(
    written: Sequence[int],
    directions: Iterable[Direction],
    position: Position,
    profile: Profile,
    words: WordList,
) -> Iterator[Legal]:
    """Every legal move of this word in these directions, row by row."""
    for direction in directions:
        down, right = direction.step
        for row in range(SIZE - down * (len(written) - 1)):
            for col in range(SIZE - right * (len(written) - 1)):
                laid = lay(written, Reference(row, col, direction), position, profile, words)
                if isinstance(laid, Legal):
                    yield laid


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
        return Fault("word_incomplete", details={"run": _whole_run(board, written, reference)})
    return None if empty else Fault("no_tile_played")


def _whole_run(board: Board, written: Sequence[int], reference: Reference) -> str:
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
            return Fault(reason, word=edition.word_text(word.codes))
    return None


def _best(
    position: Position,
    profile: Profile,
    written: Sequence[int],
    reference: Reference,
    free: Sequence[int],
    blanks: Blanks,
) -> Legal:
    """The legal move with the blanks where they cost the player least; the leftmost of equal ones."""
    moves = (_move(position.board, profile, written, reference, free, choice) for choice in blanks.choices)
    return Legal(max(moves, key=lambda move: move.score), blanks.marking, blanks.unmarked)


def _move(
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
    formed = formed_words(board, reference, word)
    points = sum(_points(board, one, profile) for one in formed) + profile.bonus_table.get(len(free), 0)
    return Move(reference, formed[0].codes, points)


def _points(board: Board, formed: FormedWord, profile: Profile) -> int:
    """What a word is worth; by the house rule `premiums_again` the premiums under it count each time."""
    if not profile.premiums_again:
        return formed.points
    letters, multiplier = 0, 1
    for code, (row, col) in zip(formed.codes, squares_of(formed.reference, len(formed.codes)), strict=True):
        premium = board.edition.premiums[row * SIZE + col]
        letters += board.edition.values[code] * premium.letter
        multiplier *= premium.word
    return letters * multiplier
