"""What two typists made of one paper slip: which reading counts, and whether all say the same.

The first typist's newest reading counts until a judge has settled it; what others typed stands beside it. Rows go in,
a standing comes out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.coords import Direction
from engine.rules.slip import Slip as WrittenSlip
from tournaments.models import Typing


class Standing(StrEnum):
    """`once`: nobody else has typed it yet; `agreed`: all say the same, or a judge has settled it; `differs`."""

    ONCE = "once"
    AGREED = "agreed"
    DIFFERS = "differs"


@dataclass(frozen=True, slots=True)
class Readings:
    """The readings of a slip that are compared: the one that counts, and the newest of each other typist."""

    counting: Typing
    others: tuple[Typing, ...]

    @property
    def standing(self) -> Standing:
        """What has become of the slip so far."""
        if any(read(other).key != read(self.counting).key for other in self.others):
            return Standing.DIFFERS
        return Standing.AGREED if self.others or self.counting.settles else Standing.ONCE

    def typed_by(self, user_id: int | None) -> bool:
        """Whether one of the readings is of this user."""
        return any(each.by_id == user_id for each in (self.counting, *self.others))


def read(typing: Typing) -> WrittenSlip:
    """The slip as it was typed."""
    return WrittenSlip(
        word=typing.word,
        ref=typing.ref,
        declared=typing.declared,
        direction=Direction(typing.direction) if typing.direction else None,
        hook=typing.hook,
        received="late" if not typing.in_time else "several" if typing.several else "in_time",
    )


def readings_of(typings: Sequence[Typing]) -> Readings | None:
    """What stands against what, of everything that was typed for one player in one turn, the oldest first; None when
    nothing of it counts."""
    counting = next((typing for typing in reversed(typings) if typing.slip_id is not None), None)
    if counting is None:
        return None
    settled = max((at for at, typing in enumerate(typings) if typing.settles), default=-1)
    newest = {typing.by_id: typing for typing in typings[settled + 1 :] if typing.by_id != counting.by_id}
    return Readings(counting, tuple(sorted(newest.values(), key=lambda typing: typing.pk)))
