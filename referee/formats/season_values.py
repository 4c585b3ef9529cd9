"""Values of a season's ranking as numbers for pages, sheets and files."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from engine.seasons.ranking_rule import RankingRule
from engine.standings.event import round_half_up

Number = int | Decimal


def round_value(value: Fraction, rule: RankingRule) -> Number:
    """Round the value of a member: two decimals for percents and means, a whole number for sums of points."""
    if rule.measure == "percent" or rule.combination == "mean":
        return round_half_up(value, 2)
    return int(value)


def round_event_value(value: Fraction, rule: RankingRule) -> Number:
    """Round the value of an event for a member: one decimal for percents, else a whole number."""
    return round_half_up(value, 1) if rule.measure == "percent" else int(value)
