"""A slip: a word, reference and score as the player wrote them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal

from engine.board.coordinates import Direction, Notation, Reference, UnreadableReference, parse_reference
from engine.canonical_json import canonical_json

Received = Literal["in_time", "late", "delayed", "several"]
"""`delayed`: received after the time was up, but by the phone's clock sent before."""


@dataclass(frozen=True, slots=True)
class Slip:
    """A slip as the player wrote it, nothing corrected.

    `word` in tile text or by hand, a lower-case letter is a marked blank; `ref` may be empty or nonsense; `declared`
    None when no score was written; `direction` as the word stands in the grid of a paper slip, None when there is
    none; `hook` the crossing letters that some federations take in place of a reference: three letters of a word on
    the board that the new word crosses or extends.
    """

    word: str
    ref: str
    declared: int | None
    direction: Direction | None = None
    hook: str = ""
    received: Received = "in_time"

    @property
    def key(self) -> tuple[str, str, int | None, Direction | None, str, Received]:
        """Equal for slips that say the same. Where warnings have a quota, a player's earlier warnings count too."""
        ref, hook = "".join(self.ref.split()).upper(), self.hook.strip().upper()
        return self.word.strip(), ref, self.declared, self.direction, hook, self.received

    @property
    def is_blank(self) -> bool:
        """Nothing written at all."""
        return not (self.word.strip() or self.ref.strip() or self.hook.strip()) and self.declared is None

    @property
    def place_text(self) -> str:
        """The reference as it was written, or the crossing letters that stand for it."""
        return self.ref.strip() or self.hook.strip().upper()

    def reference(self, notation: Notation) -> Reference | None:
        """The start and direction of the word, None if they cannot be read; the grid's direction wins."""
        reference = self.written_reference(notation)
        return reference and reference._replace(direction=self.direction or reference.direction)

    def written_reference(self, notation: Notation) -> Reference | None:
        """The reference without the grid, None if it cannot be read."""
        try:
            return parse_reference(self.ref, notation)
        except UnreadableReference:
            return None

    def has_contradictory_direction(self, notation: Notation) -> bool:
        """Return whether the word stands in the grid in another direction than its reference says."""
        reference = self.written_reference(notation)
        return reference is not None and self.direction not in (None, reference.direction)


def slip_group_key(slip: Slip) -> str:
    """Key shared by slips with the same content that were received in the same way."""
    return hashlib.sha256(canonical_json([None if part is None else str(part) for part in slip.key])).hexdigest()
