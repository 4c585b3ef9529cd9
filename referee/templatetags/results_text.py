"""Numbers and dates of results in templates, as the active language writes them."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from django import template

from referee.formats.texts import format_date, format_decimal, format_percent, format_short_date

register = template.Library()


@register.filter
def percent(value: Decimal | float | None) -> str:
    """Return a percentage with one decimal; a dash for None."""
    return format_percent(value)


@register.filter
def decimal(value: float | None) -> str:
    """Return a number with one decimal; a dash for None."""
    return format_decimal(value)


@register.filter
def day(value: date) -> str:
    """Return a date with the month as a word."""
    return format_date(value)


@register.filter
def short_day(value: date) -> str:
    """Return a date for the narrow column of a table."""
    return format_short_date(value)
