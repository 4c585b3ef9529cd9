"""Equal tops: which of them goes on the board, and why.

Every criterion is a number of a move, the smaller the better; the order of the criteria is the profile's
`tie_order`. What is still equal after it is decided by the nearness to A1, then by the alphabet, so that the order
never depends on chance. Sources: rules of the Spanish federation (which leave the criteria vague; they are defined
here), practice of French clubs.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.board.board import EMPTY, Board, squares_of
from engine.board.coordinates import SIZE
from engine.board.move import Move
from engine.board.scoring import FormedWord, formed_words
from engine.judging.lexicon_protocol import WordList
from engine.rules.profile import Profile
from engine.tiles.edition import LETTER_MASK, TileClass
from engine.tiles.tiles import Tiles

LAST_RESORTS = ("nearest_a1", "alphabetical")


@dataclass(frozen=True, slots=True)
class RankedTop:
    """A top in the order of preference.

    `why` is the criterion by which it stands before the next one: a value of `tie_order`, "only" when it is the only
    top, "" for the last of several. `ahead` and `behind` are the numbers of this and the next one for that criterion.
    """

    move: Move
    why: str
    ahead: int = 0
    behind: int = 0


@dataclass(frozen=True, slots=True)
class _TieContext:
    """The facts that the criteria read besides the move."""

    board: Board
    rack: Tiles
    words: WordList


def order_tops(
    tops: Sequence[Move], board: Board, rack: Tiles, lexicon: WordList, profile: Profile
) -> tuple[RankedTop, ...]:
    """Moves of equal score in the order of preference, each with the reason why it stands before the next."""
    table = _TieContext(board, rack, lexicon)
    criteria = [*profile.tie_order, *(code for code in LAST_RESORTS if code not in profile.tie_order)]
    keys = {move: tuple(_CRITERIA[code](move, table) for code in criteria) for move in tops}
    ranked = sorted(keys, key=lambda move: (keys[move], move.reference.direction, move.word))
    if len(ranked) <= 1:
        return tuple(RankedTop(move, "only") for move in ranked)
    return tuple(
        _rank_top(move, keys[move], keys.get(following), criteria) if following else RankedTop(move, "")
        for move, following in zip(ranked, [*ranked[1:], None], strict=True)
    )


def _rank_top(move: Move, mine: tuple[Any, ...], others: tuple[Any, ...] | None, criteria: Sequence[str]) -> RankedTop:
    for code, one, other in zip(criteria, mine, others or mine, strict=True):
        if one != other:
            return RankedTop(move, code, _number(one), _number(other))
    return RankedTop(move, "")


def _number(key: Any) -> int:
    """The count in a key as a reader wants it: more hooks are kept as fewer than none."""
    count = key[0] if isinstance(key, tuple) else key
    return abs(count) if isinstance(count, int) else 0


def _blanks_laid(move: Move, table: _TieContext) -> int:
    """Blanks that leave the rack."""
    return move.laid(table.board).blanks


def _hooks(move: Move, table: _TieContext) -> int:
    """Pairs (square, letter) with which one more tile makes a longer word of a word that the move forms, negative.

    Counted for the main word and each cross word, at both ends, for every letter of the edition, blank-only letters
    included. The square must be free, and the one beyond it too: else the tile would make another word.
    """
    after = table.board.with_word(move.reference, move.word)
    formed = formed_words(table.board, move.reference, move.word)
    return -sum(_hooks_of(word, after, table.words) for word in formed if len(word.codes) > 1)


def _hooks_of(word: FormedWord, after: Board, words: WordList) -> int:
    letters = tuple(code & LETTER_MASK for code in word.codes)
    every = range(len(after.edition.letters))
    front = sum((letter, *letters) in words for letter in every) if _open(after, word, -1) else 0
    back = sum((*letters, letter) in words for letter in every) if _open(after, word, len(letters)) else 0
    return front + back


def _open(board: Board, word: FormedWord, at: int) -> bool:
    """Return whether a tile may lengthen the word at this index: the square is on the board and free, and the next
    taken by nothing."""
    down, right = word.reference.direction.step
    row, col = word.reference.row + at * down, word.reference.col + at * right
    beyond = -1 if at < 0 else 1
    return (
        0 <= row < SIZE
        and 0 <= col < SIZE
        and board.at(row, col) == EMPTY
        and board.at(row + beyond * down, col + beyond * right) == EMPTY
    )


def _premiums_open(move: Move, table: _TieContext) -> int:
    """Free premium squares that share a side with a tile of the move, each counted once, negative."""
    after = table.board.with_word(move.reference, move.word)
    near = {
        (row + down, col + right)
        for row, col in squares_of(move.reference, len(move.word))
        if table.board.at(row, col) == EMPTY
        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))
    }
    return -sum(
        after.at(row, col) == EMPTY and after.edition.premiums[row * SIZE + col] != (1, 1)
        for row, col in near
        if 0 <= row < SIZE and 0 <= col < SIZE
    )


def _imbalance(move: Move, table: _TieContext) -> int:
    """Difference of vowels and consonants among the tiles that stay, after blanks and tiles that count as either
    have filled the gap."""
    leave = table.rack.without(move.laid(table.board))
    gap = abs(leave.count_of(TileClass.VOWEL) - leave.count_of(TileClass.CONSONANT))
    return max(0, gap - leave.blanks - leave.count_of(TileClass.EITHER))


def _tiles_laid(move: Move, table: _TieContext) -> int:
    return move.laid(table.board).total


def _alphabetical(move: Move, table: _TieContext) -> tuple[str, str]:
    """The word by its letters without signs, then with them: Ç stands with C."""
    text = "".join(table.board.edition.letters[code & LETTER_MASK] for code in move.word)
    plain = "".join(sign for sign in unicodedata.normalize("NFD", text) if not unicodedata.combining(sign))
    return plain, text


def _distance_from_a1(move: Move, table: _TieContext) -> tuple[int, int]:
    """Rows and columns between the first letter and the upper left corner, the upper row first."""
    return move.reference.row + move.reference.col, move.reference.row


_CRITERIA: Mapping[str, Callable[[Move, _TieContext], Any]] = {
    "keep_blank": _blanks_laid,
    "hooks": _hooks,
    "premium_open": _premiums_open,
    "leave": _imbalance,
    "fewest_tiles": _tiles_laid,
    "alphabetical": _alphabetical,
    "nearest_a1": _distance_from_a1,
}
