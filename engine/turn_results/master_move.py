"""The master move: what goes on everybody's board."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from engine.board.board import Board
from engine.board.move import Move
from engine.judging.lexicon_protocol import WordList
from engine.judging.verdict import Verdict
from engine.rules.profile import Profile
from engine.tiles.tiles import Tiles
from engine.turn_results.averages import AVERAGE
from engine.turn_results.ties import RankedTop, order_tops

NOBODY_SCORED = "nobody_scored"


@dataclass(frozen=True, slots=True)
class MasterMove:
    """The move that goes on the board. `why` is the reason of `RankedTop`, "nobody_scored", or "script" where a
    prepared or replayed game has another move than this rule would choose."""

    move: Move
    chosen_by: Literal["engine", "slip", "judge"]
    why: str
    ahead: int = 0
    behind: int = 0


def choose_master(
    verdicts: Iterable[Verdict],
    ranked_tops: Sequence[RankedTop],
    board: Board,
    rack: Tiles,
    lexicon: WordList,
    profile: Profile,
) -> MasterMove | None:
    """The master move by the profile's `board_takes`; None when there is no move at all, or the same letters are played
    again.

    `ranked_tops` are the engine's, ordered. Where the best slip counts, it is the one with the highest score on the
    board, penalties and bonuses aside, ties by the profile's order; the engine's first top when nobody scored.
    Source: box rules, Multiplo (the judge reads out the best word, and all put it on their boards).
    """
    judged = list(verdicts)
    if ranked_tops and profile.nobody_correct == "same_rack" and has_no_correct_slip(judged):
        return None
    if profile.board_takes == "best_slip":
        moves = _best_of_slips(judged, board)
        if moves:
            return _master(order_tops(moves, board, rack, lexicon, profile)[0], "slip")
        if ranked_tops:
            return MasterMove(ranked_tops[0].move, "engine", NOBODY_SCORED)
    return _master(ranked_tops[0], "engine") if ranked_tops else None


def has_no_correct_slip(verdicts: Collection[Verdict]) -> bool:
    """Return whether somebody played and all of them got a zero; an average in place of one counts as a zero."""
    return bool(verdicts) and all(one.result == "zero" or one.reason == AVERAGE for one in verdicts)


def is_played_again(placed: Move | None, top: int, profile: Profile) -> bool:
    """Return whether the letters of a turn that is over are announced again: nothing was laid though there was a move.

    The next turn then has the same rack, all of it kept, and nothing is drawn; it counts as a turn of its own. Source:
    Romanian federation (nobody correct though a correct move existed).
    """
    return profile.nobody_correct == "same_rack" and placed is None and top > 0


def _master(top: RankedTop, chosen_by: Literal["engine", "slip"]) -> MasterMove:
    return MasterMove(top.move, chosen_by, top.why, top.ahead, top.behind)


def _best_of_slips(verdicts: Iterable[Verdict], board: Board) -> list[Move]:
    """The best moves that players scored with; of the two names of a one-tile play the one across."""
    moves = [verdict.move for verdict in verdicts if verdict.result != "zero" and verdict.move is not None]
    most = max((move.score for move in moves), default=0)
    best = sorted((move for move in moves if move.score == most > 0), key=lambda move: move.direction)
    return list({board.with_word(move.reference, move.word).squares: move for move in reversed(best)}.values())
