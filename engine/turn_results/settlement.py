"""The verdicts of a turn once those of all players are known: averages, bonuses and the solo.

Judging and `verify` both call `settle`, so both add in the same way.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from engine.judging.verdict import Verdict
from engine.rules.profile import Profile
from engine.turn_results.averages import Fault, apply_averages
from engine.turn_results.bonuses import apply_bonuses, find_solo_table
from engine.turn_results.other_rooms import NO_OTHER_ROOMS, OtherRooms


@dataclass(frozen=True, slots=True)
class SettledTurn:
    """The verdicts by table, and the table that alone found the top."""

    verdicts: dict[int, Verdict]
    solo: int | None


def settle_turn(
    verdicts: Mapping[int, Verdict],
    top: int,
    profile: Profile,
    *,
    decided: Collection[int] = (),
    excluded: Collection[int] = (),
    faults: Mapping[int, Fault | None] | None = None,
    bonuses: Mapping[int, int] | None = None,
    elsewhere: OtherRooms = NO_OTHER_ROOMS,
) -> SettledTurn:
    """Settle a turn. `verdicts` are those of the single slips, by table.

    * `decided`: tables whose points a judge gave. These points are final: they count in full for the averages of the
      others, also what exceeds the worth of the move (the `bonus` of such a verdict), and no bonus is added to them.
    * `excluded`: tables of disqualified players. They count for no average, solo or bonus and get none.
    * `faults`: the faults of the turn before, `bonuses`: the bonus points from earlier turns, both by table.
    """
    counted = {table: verdict for table, verdict in verdicts.items() if table not in excluded}
    averaged = apply_averages(counted, faults or {}, profile, decided, elsewhere)
    whole = apply_bonuses(averaged, top, profile, bonuses, elsewhere)
    final = {table: verdict if table in decided else whole.get(table, verdict) for table, verdict in verdicts.items()}
    return SettledTurn(final, find_solo_table(counted, top, elsewhere))
