from __future__ import annotations

from referee.practice.forms import SlipForm


class TrySlipForm(SlipForm):
    """Slip of a turn that is played again: word and reference."""

    turn = None  # type: ignore[assignment]  # Django removes an inherited field that is None
    declared = None  # type: ignore[assignment]
