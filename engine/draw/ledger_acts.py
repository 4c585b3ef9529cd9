"""Acts of judges that changed a rack, or could have: derived from the ledger, for publication.

They do not contain the tiles that were drawn, because a rack that was not announced may be drawn again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, cast

ActKind = Literal[
    "taken_back", "put_back", "typed_anew", "reopened", "new_seed", "other_seed", "hall_word_changed", "given_up"
]
KINDS = frozenset({"created", "prepared", "hall_word", "rules", "rack_taken_back", "undo", "end"})
"""Kinds of ledger entries that are evaluated."""


@dataclass(frozen=True, slots=True)
class DrawAct:
    """Act of a judge that affects the draw.

    `entry`: number of the ledger entry. `turn`: turn concerned; for `new_seed` the first turn drawn with the new seed,
    for `given_up` the number of turns of the previous game; 0 if there is none.
    """

    entry: int
    kind: ActKind
    turn: int


def draw_acts(entries: Iterable[Mapping[str, object]]) -> list[DrawAct]:
    """Return the acts in the order of the ledger.

    * `taken_back`: a move was taken off the board;
    * `put_back`: a rack was drawn, not announced, and returned to the bag;
    * `typed_anew`: a rack from a physical bag was typed again;
    * `reopened`: a finished game was reopened;
    * `new_seed`: the draw got a new seed, because the old one was public;
    * `other_seed`: a prepared game with its own seed replaced the one whose commitment was shown;
    * `hall_word_changed`: the hall word was replaced;
    * `given_up`: the previous game ended without a turn, and this one has another seed.
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
    """Yield the acts that follow from a single entry."""
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
