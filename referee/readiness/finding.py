"""Result of one check."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "warning", "fault"]
STATES: tuple[State, ...] = ("ok", "warning", "fault")


@dataclass(frozen=True, slots=True)
class Finding:
    """Result of a check: `text` is one sentence about what was found, `remedy` the action that mends it."""

    name: str
    state: State
    text: str
    remedy: str = ""
