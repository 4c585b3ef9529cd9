"""Localised numbers."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from django.utils.formats import number_format

from engine.standings.event import round_half_up


def number_text(value: Decimal | None, decimals: int) -> str:
    """Format a number with that many decimals, halves rounded up; a dash for None."""
    return "–" if value is None else number_format(round_half_up(Fraction(value), decimals), decimals)
