"""Numbers as people of a language write them."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from django.utils.formats import number_format

from engine.event_standings import half_up


def number_text(value: Decimal | None, decimals: int) -> str:
    """A number with so many decimals, a half rounded up; a dash where there is none."""
    return "–" if value is None else number_format(half_up(Fraction(value), decimals), decimals)
