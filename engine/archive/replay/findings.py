"""Findings of a verification: differences between the archive and the rules."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Difference:
    """`where` is like "turn 7, table 12, verdict.points"; `derived` is what the rules give from the archive's facts."""

    where: str
    stored: object
    derived: object


@dataclass(slots=True)
class Findings:
    """Collects differences in the order of the game."""

    differences: list[Difference] = field(default_factory=list)

    def compare(self, where: str, stored: object, derived: object) -> bool:
        """Note a difference unless both are equal; whether they are."""
        if stored != derived:
            self.differences.append(Difference(where, stored, derived))
        return stored == derived

    def require(self, where: str, holds: bool, stored: object, derived: object) -> bool:
        """Note a difference unless `holds`; `derived` says in words what should be there."""
        if not holds:
            self.differences.append(Difference(where, stored, derived))
        return holds
