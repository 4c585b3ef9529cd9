"""The moves that the desk offers for the board: the one by the rules first, then its equals, then the top."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from referee.views.desk import DeskView
from tournaments.judging.queries.slip_groups import SlipGroup

OFFERED = 3
MOST_OFFERED = 40


@dataclass(frozen=True, slots=True)
class NextMove:
    """A move that can be placed. `finders`: tables with a correct slip of it; `value`: posted by its radio button.

    `value` is empty for the move that the rules choose. `why`: the sentence of the rules for that move.
    """

    word: str
    ref: str
    direction: str
    score: int
    finders: Sequence[int]
    found: int
    is_top: bool
    value: str
    why: str


@dataclass(frozen=True, slots=True)
class NextMoves:
    """The moves shown at once, and those behind “Show more”."""

    first: Sequence[NextMove]
    more: Sequence[NextMove]


def list_next_moves(view: DeskView) -> NextMoves | None:
    """Return the moves to choose from; None if no move is placed in this room or none is possible."""
    if view.master is None or view.follows:
        return None
    moves: dict[tuple[str, str], NextMove] = {}
    found = _correct_slips(view.groups)
    for word, ref, direction, score, why in _candidates(view, found):
        if (word, ref) in moves:
            continue
        groups = found.get((word, ref), ())
        moves[word, ref] = NextMove(
            word=word,
            ref=ref,
            direction=direction,
            score=score,
            finders=[table for group in groups for table in group.tables],
            found=sum(group.count for group in groups),
            is_top=score == view.top,
            value=f"{word} {ref}" if moves else "",
            why=why,
        )
    offered = list(moves.values())
    return NextMoves(offered[:OFFERED], offered[OFFERED:MOST_OFFERED])


def _candidates(
    view: DeskView, found: Mapping[tuple[str, str], Sequence[SlipGroup]]
) -> Iterator[tuple[str, str, str, int, str]]:
    master = view.master
    assert master is not None  # noqa: S101  the caller has checked it
    yield master.word, master.ref, master.direction, master.score, master.why
    for (word, ref), groups in found.items():
        if groups[0].move_score == master.score:
            yield word, ref, groups[0].direction, master.score, ""
    for top in view.tops or ():
        yield top.word, top.ref, top.direction, top.score, top.why


def _correct_slips(groups: Sequence[SlipGroup]) -> Mapping[tuple[str, str], Sequence[SlipGroup]]:
    """Return the groups with points for a move on the board, by word and reference."""
    found: dict[tuple[str, str], list[SlipGroup]] = {}
    for group in groups:
        if group.points and group.move_score is not None and group.move_ref:
            found.setdefault((group.word, group.move_ref), []).append(group)
    return found
