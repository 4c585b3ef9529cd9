"""Warnings of a player in a game: how many are free, and which ones a judge gives.

The French federation lists a slip that is hard to read and discipline beside what the rules find in a slip (FISF,
warnings). How these two are counted is our reading:

* They are listed after the slip's own warnings and count like them: toward the quota, and with what the slip costs
  anyway at most `sanctions_per_slip` sanctions together.
* A zero earns no warning, so what could not be read well and got nothing is not counted as `unreadable`. A warning for
  `discipline` is for what the player did, so it counts with a zero, and where nothing was handed in, too.
* `discipline` costs `discipline_points` at once, whether it is free or not, besides what the quota costs: rules without
  a quota can so give it a price. The organiser sets the points; no source names them.
* A zero has no points to take off, so there a warning costs nothing now. An average that stands for a zero is not
  lessened.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

WarningByJudge = Literal["unreadable", "discipline"]
WARNINGS_BY_JUDGE: tuple[str, ...] = get_args(WarningByJudge)


def warnings_counted_in_zero(given: Sequence[str]) -> tuple[str, ...]:
    """Those of a judge's warnings that count although the player got nothing."""
    return tuple(code for code in given if code == "discipline")


@dataclass(frozen=True, slots=True)
class WarningQuota:
    """A player's warnings so far (`prior`), how many are `free` (None: all), and those `given` by the judge now."""

    prior: int
    free: int | None
    given: tuple[str, ...] = ()

    def beyond(self, warnings: int) -> int:
        """The number of new warnings, out of `warnings`, that are not free."""
        return 0 if self.free is None else min(warnings, max(0, self.prior + warnings - self.free))

    def details(self, warnings: int) -> dict[str, str | int]:
        """The numbers that the sentence names after so many new warnings; empty if there are none, or all are free."""
        return {} if self.free is None or not warnings else {"warned": self.prior + warnings, "free": self.free}
