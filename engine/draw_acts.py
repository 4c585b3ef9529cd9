"""The acts of a judge by which a rack became another one, or could have: read out of the ledger, for the hall to see.

Nothing of what was drawn is in them: a rack that nobody has seen may come again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, cast

ActKind = Literal[
    "taken_back", "put_back", "typed_anew", "reopened", "new_seed", "other_seed", "hall_word_changed", "given_up"
]
KINDS = frozenset({"created", "prepared", "hall_word", "rules", "rack_taken_back", "undo", "end"})
"""The kinds of entries that are looked at."""


@dataclass(frozen=True, slots=True)
class DrawAct:
    """`entry` is the number of the ledger's entry. `turn` is the one that is meant: of `new_seed` the first that is
    drawn with it, of `given_up` how many turns the game before had; 0 where there is none."""

    entry: int
    kind: ActKind
    turn: int


def draw_acts(entries: Iterable[Mapping[str, object]]) -> list[DrawAct]:
    """The acts in their order. `taken_back`: a move on the board; `put_back`: a rack that was drawn and not announced;
    `typed_anew`: a rack typed from a bag; `reopened`: a game that was over; `new_seed`: since the old one was public;
    `other_seed`: a prepared game with its own took the place of the one on the wall; `hall_word_changed`: the word was
    there already; `given_up`: the game before ended without a turn, and this one has another seed.
    """
    acts: list[DrawAct] = []
    commitment = word = ""
    for entry in entries:
        facts = entry["data"] if isinstance(entry["data"], Mapping) else {}
        number, kind = cast(int, entry["n"]), str(entry["kind"])
        acts.extend(DrawAct(number, act, turn) for act, turn in _acts_of(kind, facts))
        if kind in ("created", "prepared"):
            if commitment and facts.get("commitment") != commitment:
                acts.append(DrawAct(number, "other_seed", 0))
            commitment, word = str(facts.get("commitment", "")), ""
        elif kind == "hall_word":
            if word:
                acts.append(DrawAct(number, "hall_word_changed", 0))
            word = str(facts.get("word", ""))
        elif "commitment" in facts:
            word = ""
    return acts


def _acts_of(kind: str, facts: Mapping[str, object]) -> Iterator[tuple[ActKind, int]]:
    """What an entry tells by itself."""
    turn = _whole(facts.get("turn"))
    if kind == "undo" and facts.get("ended"):
        yield "reopened", turn
    if kind == "undo" and facts.get("ended") != "judge":
        yield "taken_back", turn
    if put_back := _whole(facts.get("put_back")):
        yield "put_back", put_back
    if kind == "rack_taken_back":
        yield "typed_anew", turn
    if kind == "undo" and "commitment" in facts:
        yield "new_seed", _whole(facts.get("from_turn"))
    before = facts.get("after")
    if kind in ("created", "prepared") and isinstance(before, Mapping) and before.get("turns") == 0:
        yield "given_up", 0


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0
