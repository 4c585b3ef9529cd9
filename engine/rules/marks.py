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

from engine.edition import BLANK_BIT, LETTER_MASK, Edition
from engine.tiles import BLANK_KIND, Tiles


class Marking(Enum):
    RIGHT = "marked as needed, or no blank and no mark"
    NOT_MARKED = "a blank is needed and not marked"
    WRONG = "the rack cannot play the word with a blank for the marked letter"
    STRAY = "a mark without a blank for it, and none is needed"


_LEAST_WRONG = (Marking.RIGHT, Marking.STRAY, Marking.NOT_MARKED, Marking.WRONG)


@dataclass(frozen=True, slots=True)
class Blanks:
    """How the rack plays the letters. `choices`: each a set of positions, counted among the laid letters, that may be
    the blanks; `unmarked`: letters, one for each blank that was not marked rightly."""

    marking: Marking
    choices: tuple[frozenset[int], ...]
    unmarked: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class NotInRack:
    """Letters for which the rack has no tile, and too few blanks for all of them together."""

    letters: tuple[int, ...]


def blanks_for(laid: Sequence[int], rack: Tiles) -> Blanks | NotInRack:
    """The blanks among the tile codes that a move lays, in the order of the word; `BLANK_BIT` is the player's mark."""
    marked = frozenset(i for i, code in enumerate(laid) if code & BLANK_BIT)
    letters = [code & LETTER_MASK for code in laid]
    too_many = len(marked) > rack.blanks
    if marked and not too_many:
        short = _short(letters, rack, marked)
        if short.total() <= rack.blanks - len(marked):
            marking = Marking.NOT_MARKED if short else Marking.RIGHT
            return Blanks(marking, tuple(_choices(letters, short, marked)), tuple(short.elements()))
    short = _short(letters, rack, frozenset())
    if short.total() > rack.blanks:
        return NotInRack(tuple(short.elements()))
    if marked and not too_many:
        marking = Marking.WRONG
    elif short:
        marking = Marking.NOT_MARKED
    else:
        marking = Marking.STRAY if marked else Marking.RIGHT
    return Blanks(marking, tuple(_choices(letters, short, frozenset())), tuple(short.elements()))


def ways_to_lay(laid: Sequence[int], rack: Tiles, stock: Tiles | None = None) -> tuple[Blanks, ...] | NotInRack:
    """How a player may lay the letters: with the rack, or with it and one tile of `stock`, where he may take one.

    Of the tiles that he may have taken those count with which his marks are right, or least wrong. Source: completive
    formula, Romanian federation (a letter that is not left in the stock is taken for the blank, one that is marked for
    a blank too, as long as there is one).
    """
    if stock is None:
        found = [blanks_for(laid, rack)]
    else:
        useful = {BLANK_KIND, *((code & LETTER_MASK) + 1 for code in laid)}
        taken = [kind for kind in sorted(useful) if kind < len(stock.counts) and stock.counts[kind]]
        found = [blanks_for(laid, rack + Tiles.of_kinds(rack.edition, kinds)) for kinds in ([], *([k] for k in taken))]
    ways = [one for one in found if isinstance(one, Blanks)]
    if not ways:
        return min((one for one in found if isinstance(one, NotInRack)), key=lambda one: len(one.letters))
    marking = min((way.marking for way in ways), key=_LEAST_WRONG.index)
    return tuple(way for way in ways if way.marking is marking)


def value_of(edition: Edition, letters: Sequence[int]) -> int:
    """What tiles with these letters would be worth."""
    return sum(edition.values[letter] for letter in letters)


def _short(letters: Sequence[int], rack: Tiles, marked: frozenset[int]) -> Counter[int]:
    """How many of each letter the rack lacks when the marked positions are blanks."""
    needed = Counter(letter for i, letter in enumerate(letters) if i not in marked)
    return Counter(
        {letter: count - _held(rack, letter) for letter, count in needed.items() if count > _held(rack, letter)}
    )


def _held(rack: Tiles, letter: int) -> int:
    """How many tiles with this letter; none for a letter that exists by blank only."""
    return rack.counts[letter + 1] if letter + 1 < len(rack.counts) else 0


def _choices(letters: Sequence[int], short: Counter[int], marked: frozenset[int]) -> Iterator[frozenset[int]]:
    """Every way to lay the missing letters as blanks besides the marked ones, leftmost first."""
    per_letter = [
        combinations([i for i, other in enumerate(letters) if other == letter and i not in marked], count)
        for letter, count in short.items()
    ]
    for parts in product(*per_letter):
        yield marked.union(*parts)
