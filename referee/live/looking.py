"""Which judge has which slips before him: attention, told among the desks of a room and kept nowhere.

Each desk says where it looks and repeats it now and then; what is not repeated is forgotten, so that nothing stays of a
desk or a process that died.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

FORGOTTEN_S = 45.0
LONGEST_KEY = 64
StageKey = tuple[int, int]
"""An event and one of its rooms, as the hub names them."""


@dataclass(frozen=True, slots=True)
class Glance:
    """Where a desk looks: whose it is, and the key of the card, "" for nowhere."""

    stage: StageKey
    user_id: int
    name: str
    at: str


class Looking:
    """The glances of all desks of all processes; times are those of this event loop."""

    def __init__(self) -> None:
        self._glances: dict[str, tuple[Glance, float]] = {}

    def note(self, desk: str, glance: Glance, now: float) -> bool:
        """Whether that is something new."""
        before = self._glances.pop(desk, None)
        if glance.at:
            self._glances[desk] = glance, now
        return (before[0] if before else None) != (glance if glance.at else None)

    def forget(self, now: float) -> set[StageKey]:
        """Forget who has said nothing for long; the rooms where that was."""
        old = {desk: glance for desk, (glance, at) in self._glances.items() if now - at > FORGOTTEN_S}
        for desk in old:
            del self._glances[desk]
        return {glance.stage for glance in old.values()}

    def others(self, stage: StageKey, user_id: int) -> list[Glance]:
        """Where the colleagues of a judge look, each pair of name and card once."""
        return list(dict.fromkeys(self._there(stage, user_id)))

    def _there(self, stage: StageKey, user_id: int) -> Iterable[Glance]:
        return (glance for glance, _at in self._glances.values() if glance.stage == stage and glance.user_id != user_id)
