"""A trained typist with the paper slips of a turn: she sorts them into piles that say the same, then types.

What is counted is keys. She types words in small letters, turns to the number pad for tables, and presses every key
herself: a sign above a digit costs the Shift key, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from engine.rules.slip import Slip
from engine.rules.typed_line import content_text

SLIPS, CONTENTS = 200, 60
NEEDS_SHIFT = frozenset("()?>|*=:;ABCDEFGHIJKLMNOPQRSTUVWXYZ")
ON_THE_PAD = frozenset("0123456789+-*/.")
MOST_IN_A_LINE = 8

Pile = tuple[Slip, list[int]]


def strokes(line: str) -> int:
    """The keys of a line, Enter among them; what the number pad has needs no Shift."""
    return 1 + sum(1 + (sign in NEEDS_SHIFT and sign not in ON_THE_PAD) for sign in line)


def slips_of_a_turn(words: Sequence[str], seed: int = 7) -> dict[int, Slip]:
    """By table what a club of 200 wrote on its slips: sixty things, the best ones many times, half of them once."""
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
    """The slips sorted by what they say, the highest pile first."""
    found: dict[Slip, list[int]] = {}
    for table, slip in slips.items():
        found.setdefault(slip, []).append(table)
    return sorted(found.items(), key=lambda pile: -len(pile[1]))


def lines_of(pile: Pile) -> Iterator[tuple[str, list[int]]]:
    """The lines of a pile: the first slip written out, then the tables of the others. With each, its tables."""
    slip, tables = pile
    yield f"{tables[0]} {content_text(slip).lower()}", tables[:1]
    for at in range(1, len(tables), MOST_IN_A_LINE):
        others = tables[at : at + MOST_IN_A_LINE]
        yield "+".join(map(str, others)) + "+", others


def work(slips: dict[int, Slip]) -> list[tuple[str, list[int]]]:
    """Everything that is typed, in its order."""
    return [line for pile in piles(slips) for line in lines_of(pile)]


def strokes_by_table(slips: dict[int, Slip]) -> Counter[int]:
    """What each slip cost: the keys of a line are shared among its tables."""
    spent: Counter[int] = Counter()
    for line, tables in work(slips):
        for table in tables:
            spent[table] += -(-strokes(line) // len(tables))
    return spent
