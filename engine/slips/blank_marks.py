"""Blank marks: which of the laid letters are blanks, by what the player marked and what the rack holds.

A marked letter counts as a blank when the rack has one, even if the real tile is there too; more marks than blanks
are as good as none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations, product

from engine.tiles.edition import BLANK_BIT, LETTER_MASK, Edition
from engine.tiles.tiles import BLANK_KIND, Tiles


class Marking(Enum):
    RIGHT = "marked as needed, or no blank and no mark"
    NOT_MARKED = "a blank is needed and not marked"
    WRONG = "the rack cannot play the word with a blank for the marked letter"
    STRAY = "a mark without a blank for it, and none is needed"


_LEAST_WRONG = (Marking.RIGHT, Marking.STRAY, Marking.NOT_MARKED, Marking.WRONG)


@dataclass(frozen=True, slots=True)
class BlankChoices:
    """A way in which the rack plays the letters. `choices`: each a set of positions, counted among the laid letters,
    that may be the blanks; `unmarked`: letters, one for each blank that was not marked rightly."""

    marking: Marking
    choices: tuple[frozenset[int], ...]
    unmarked: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class MissingLetters:
    """Letters for which the rack has no tile, and too few blanks for all of them together."""

    letters: tuple[int, ...]


def find_blank_choices(laid: Sequence[int], rack: Tiles) -> BlankChoices | MissingLetters:
    """The blanks among the tile codes that a move lays, in the order of the word; `BLANK_BIT` is the player's mark."""
    marked = frozenset(i for i, code in enumerate(laid) if code & BLANK_BIT)
    letters = [code & LETTER_MASK for code in laid]
    too_many = len(marked) > rack.blanks
    if marked and not too_many:
        short = _missing_letters(letters, rack, marked)
        if short.total() <= rack.blanks - len(marked):
            marking = Marking.NOT_MARKED if short else Marking.RIGHT
            return BlankChoices(marking, tuple(_choices(letters, short, marked)), tuple(short.elements()))
    short = _missing_letters(letters, rack, frozenset())
    if short.total() > rack.blanks:
        return MissingLetters(tuple(short.elements()))
    if marked and not too_many:
        marking = Marking.WRONG
    elif short:
        marking = Marking.NOT_MARKED
    else:
        marking = Marking.STRAY if marked else Marking.RIGHT
    return BlankChoices(marking, tuple(_choices(letters, short, frozenset())), tuple(short.elements()))


def list_blank_choices(
    laid: Sequence[int], rack: Tiles, stock: Tiles | None = None
) -> tuple[BlankChoices, ...] | MissingLetters:
    """The ways in which a player may lay the letters: with the rack, or with it and one tile of `stock`, if the player
    may take one.

    Of the tiles that the player may have taken those count with which the marks are right, or least wrong. Source:
    completive variant, Romanian federation (a letter that is not left in the stock is taken for the blank, one that is
    marked for a blank too, as long as there is one).
    """
    if stock is None:
        found = [find_blank_choices(laid, rack)]
    else:
        useful = {BLANK_KIND, *((code & LETTER_MASK) + 1 for code in laid)}
        taken = [kind for kind in sorted(useful) if kind < len(stock.counts) and stock.counts[kind]]
        found = [
            find_blank_choices(laid, rack + Tiles.of_kinds(rack.edition, kinds))
            for kinds in ([], *([k] for k in taken))
        ]
    ways = [one for one in found if isinstance(one, BlankChoices)]
    if not ways:
        return min((one for one in found if isinstance(one, MissingLetters)), key=lambda one: len(one.letters))
    marking = min((way.marking for way in ways), key=_LEAST_WRONG.index)
    return tuple(way for way in ways if way.marking is marking)


def letters_value(edition: Edition, letters: Sequence[int]) -> int:
    """The value of tiles with these letters."""
    return sum(edition.values[letter] for letter in letters)


def _missing_letters(letters: Sequence[int], rack: Tiles, marked: frozenset[int]) -> Counter[int]:
    """The number of tiles of each letter that the rack lacks when the marked positions are blanks."""
    needed = Counter(letter for i, letter in enumerate(letters) if i not in marked)
    return Counter(
        {
            letter: count - _count_tiles(rack, letter)
            for letter, count in needed.items()
            if count > _count_tiles(rack, letter)
        }
    )


def _count_tiles(rack: Tiles, letter: int) -> int:
    """The number of tiles with this letter; 0 for a letter that exists by blank only."""
    return rack.counts[letter + 1] if letter + 1 < len(rack.counts) else 0


def _choices(letters: Sequence[int], short: Counter[int], marked: frozenset[int]) -> Iterator[frozenset[int]]:
    """Every way to lay the missing letters as blanks besides the marked ones, leftmost first."""
    per_letter = [
        combinations([i for i, other in enumerate(letters) if other == letter and i not in marked], count)
        for letter, count in short.items()
    ]
    for parts in product(*per_letter):
        yield marked.union(*parts)
