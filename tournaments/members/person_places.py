"""Places in which a person appears in results: a name of a player, or a line of an imported evening."""

from __future__ import annotations

from dataclasses import dataclass

from engine.bounded_input import parse_whole_number


@dataclass(frozen=True, slots=True, order=True)
class PersonPlace:
    """A name of a player, `position` 1 for the second one of a pair; or an imported result."""

    player: int = 0
    position: int = 0
    result: int = 0

    @property
    def text(self) -> str:
        """The place in forms: "12.0", or "r5" for a result."""
        return f"r{self.result}" if self.result else f"{self.player}.{self.position}"


def read_place(text: str) -> PersonPlace | None:
    """Read the text of a place; None for anything else."""
    if text.startswith("r"):
        result = parse_whole_number(text[1:])
        return PersonPlace(result=result) if result else None
    player, _dot, position = text.partition(".")
    number, at = parse_whole_number(player), parse_whole_number(position)
    return PersonPlace(number, at) if number and at in (0, 1) else None
