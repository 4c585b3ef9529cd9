"""Model of a trained typist, who sorts the paper slips of a turn into piles of equal slips and types them.

The model counts keystrokes. The typist types words in small letters, uses the number pad for tables, and presses every
key; a sign above a digit costs the Shift key, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from engine.slips.slip import Slip
from engine.slips.typed_line import format_content

SLIPS, CONTENTS = 200, 60
NEEDS_SHIFT = frozenset("()?>|*=:;ABCDEFGHIJKLMNOPQRSTUVWXYZ")
ON_THE_PAD = frozenset("0123456789+-*/.")
MOST_IN_A_LINE = 8

Pile = tuple[Slip, list[int]]


def strokes(line: str) -> int:
    """Return the keystrokes of a line with Enter; keys of the number pad need no Shift."""
    return 1 + sum(1 + (sign in NEEDS_SHIFT and sign not in ON_THE_PAD) for sign in line)


def make_slips(words: Sequence[str], seed: int = 7) -> dict[int, Slip]:
    """Return by table the slips of a club of 200: sixty different ones, the best ones often, half of them once."""
    rng = Random(seed)  # noqa: S311  nothing secret is drawn with it
    contents = [_content(word, rng) for word in rng.sample(words, CONTENTS)]
    weights = [1 / (rank + 1) ** 1.2 for rank in range(CONTENTS)]
    drawn = [*contents, *rng.choices(contents, weights, k=SLIPS - CONTENTS)]
    rng.shuffle(drawn)
    return dict(enumerate(drawn, start=1))


def _content(word: str, rng: Random) -> Slip:
    blank = f"{word[:-1]}({word[-1]})" if rng.random() < 0.1 else word
    declared = None if rng.random() < 0.03 else rng.randrange(8, 90)
    place = f"{rng.randrange(1, 16)}", rng.choice("ABCDEFGHIJKLMNO")
    return Slip(blank, "".join(place if rng.random() < 0.5 else place[::-1]), declared)


def piles(slips: dict[int, Slip]) -> list[Pile]:
    """Sort the slips by content, the highest pile first."""
    found: dict[Slip, list[int]] = {}
    for table, slip in slips.items():
        found.setdefault(slip, []).append(table)
    return sorted(found.items(), key=lambda pile: -len(pile[1]))


def lines_of(pile: Pile) -> Iterator[tuple[str, list[int]]]:
    """Return the lines of a pile with their tables: the first slip in full, then the tables of the others."""
    slip, tables = pile
    yield f"{tables[0]} {format_content(slip).lower()}", tables[:1]
    for at in range(1, len(tables), MOST_IN_A_LINE):
        others = tables[at : at + MOST_IN_A_LINE]
        yield "+".join(map(str, others)) + "+", others


def typed_lines(slips: dict[int, Slip]) -> list[tuple[str, list[int]]]:
    """Return all typed lines in order."""
    return [line for pile in piles(slips) for line in lines_of(pile)]


def strokes_by_table(slips: dict[int, Slip]) -> Counter[int]:
    """Return the cost of each slip; the tables of a line share its keystrokes."""
    spent: Counter[int] = Counter()
    for line, tables in typed_lines(slips):
        for table in tables:
            spent[table] += -(-strokes(line) // len(tables))
    return spent
