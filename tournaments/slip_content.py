"""The fields that a player writes on a slip, the same in a phone's message, a typed line and a database row."""

from __future__ import annotations

from dataclasses import dataclass

from engine.board.coordinates import Direction
from engine.slips.slip import Received
from engine.slips.slip import Slip as WrittenSlip


@dataclass(frozen=True, slots=True)
class SlipContent:
    """The written fields of a slip, uncorrected. `declared` is None without a score; `direction` is "across", "down"
    or ""; `hook` holds the crossing letters that replace the reference in some federations."""

    word: str
    ref: str = ""
    declared: int | None = None
    direction: str = ""
    hook: str = ""

    @classmethod
    def from_slip(cls, slip: WrittenSlip) -> SlipContent:
        """Take the written fields of an engine slip."""
        return cls(slip.word, slip.ref, slip.declared, slip.direction or "", slip.hook)

    def to_slip(self, received: Received) -> WrittenSlip:
        """Build the slip as the engine judges it."""
        direction = Direction(self.direction) if self.direction else None
        return WrittenSlip(self.word, self.ref, self.declared, direction, self.hook, received)
