"""Compare the typings of one paper slip: the reading that counts, and whether all agree.

The first typist's newest reading counts until a judge has settled the difference; the others are only compared with
it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.slips.slip import Slip as WrittenSlip
from tournaments.models import Typing


class TypingState(StrEnum):
    """`once`: typed by one person; `agreed`: all readings agree, or a judge has settled the difference; `differs`."""

    ONCE = "once"
    AGREED = "agreed"
    DIFFERS = "differs"


@dataclass(frozen=True, slots=True)
class SlipReadings:
    """The readings of a slip to compare: the one that counts, and the newest of each other typist."""

    counting: Typing
    others: tuple[Typing, ...]

    @property
    def standing(self) -> TypingState:
        """State of the comparison."""
        if any(read_typing(other).key != read_typing(self.counting).key for other in self.others):
            return TypingState.DIFFERS
        return TypingState.AGREED if self.others or self.counting.settles else TypingState.ONCE

    def typed_by(self, user_id: int | None) -> bool:
        """Return True when this user typed one of the readings."""
        return any(each.by_id == user_id for each in (self.counting, *self.others))


def read_typing(typing: Typing) -> WrittenSlip:
    """The slip as it was typed."""
    return typing.content.to_slip("late" if not typing.in_time else "several" if typing.several else "in_time")


def collect_readings(typings: Sequence[Typing]) -> SlipReadings | None:
    """Collect the readings to compare from everything typed for one player in one turn, oldest first; None when none
    counts."""
    counting = next((typing for typing in reversed(typings) if typing.slip_id is not None), None)
    if counting is None:
        return None
    settled = max((at for at, typing in enumerate(typings) if typing.settles), default=-1)
    newest = {typing.by_id: typing for typing in typings[settled + 1 :] if typing.by_id != counting.by_id}
    return SlipReadings(counting, tuple(sorted(newest.values(), key=lambda typing: typing.pk)))
