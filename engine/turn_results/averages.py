"""The second of two zeros for the same fault, made before the player could know of the first.

Source: FISF, judging ("moyenne"): a player with two zeros running for one fault, the first not yet known, gets for the
second the average of the other players on that move. The details are our reading:

* A verdict is shown while the next move is played, so the second zero is one in the turn directly after the first; the
  third is a zero again.
* The same fault is the same reason and, where a word failed, the same word. That nothing was handed in, or too late,
  nobody needs to be told; and a judge's own decision stays as it is.
* The average is that of the points of all others in the turn, without bonuses and before any average, zeros included,
  rounded half up. Where there is nobody else the zero stays.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from engine.judging.verdict import Verdict
from engine.rules.profile import Profile
from engine.turn_results.other_rooms import NO_OTHER_ROOMS, OtherRooms

AVERAGE = "average_of_others"
_IMMEDIATE_REASONS = ("no_slip", "late", "several_slips", "judge")

Fault = tuple[str, str | None]


def fault_of(verdict: Verdict) -> Fault | None:
    """(reason, word that failed) of a zero of which the player must be told; None of everything else."""
    if verdict.result != "zero" or verdict.reason is None or verdict.reason in _IMMEDIATE_REASONS:
        return None
    return verdict.reason, verdict.word


def apply_averages(
    verdicts: Mapping[int, Verdict],
    before: Mapping[int, Fault | None],
    profile: Profile,
    decided: Collection[int] = (),
    elsewhere: OtherRooms = NO_OTHER_ROOMS,
) -> dict[int, Verdict]:
    """The verdicts of a turn by table, without bonuses, second zeros turned into averages.

    `before`: the faults of the turn before, by table; `decided`: the tables whose points the judge decided;
    `elsewhere`: what the players of other rooms had.
    """
    others = len(verdicts) + elsewhere.players - 1
    if not profile.average_for_second_zero or others < 1:
        return dict(verdicts)
    total = sum(verdict.points for verdict in verdicts.values()) + elsewhere.points
    judged = dict(verdicts)
    for table, verdict in verdicts.items():
        fault = None if table in decided else fault_of(verdict)
        if fault is not None and fault == before.get(table):
            judged[table] = _average(verdict, _half_up(total - verdict.points, others), profile)
    return judged


def _average(zero: Verdict, points: int, profile: Profile) -> Verdict:
    """The average in place of a zero, which its sentence still names."""
    return replace(
        zero,
        result="rescued",
        reason=AVERAGE,
        points=points,
        move_score=None,
        rule=profile.source_of("average_for_second_zero"),
        details={**zero.details, "fault": zero.reason or ""},
    )


def _half_up(total: int, number: int) -> int:
    return (2 * total + number) // (2 * number)
