"""Numbers, percentages and dates as the active language writes them; the same on pages and sheets."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from fractions import Fraction

from django.utils.formats import date_format, number_format
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext as _

from engine.standings.event import round_half_up

GROUPED_FROM = 10_000
_CAPITAL_MONTHS = ("de", "en")
MONTHS = (
    pgettext_lazy("alt. month", "January"),
    pgettext_lazy("alt. month", "February"),
    pgettext_lazy("alt. month", "March"),
    pgettext_lazy("alt. month", "April"),
    pgettext_lazy("alt. month", "May"),
    pgettext_lazy("alt. month", "June"),
    pgettext_lazy("alt. month", "July"),
    pgettext_lazy("alt. month", "August"),
    pgettext_lazy("alt. month", "September"),
    pgettext_lazy("alt. month", "October"),
    pgettext_lazy("alt. month", "November"),
    pgettext_lazy("alt. month", "December"),
)
"""Months as the letter E of a date format writes them: our catalogues go before Django's, which begins the Italian and
Romanian ones with a capital and has no Catalan “de” or “d’”."""


def format_sum(number: int) -> str:
    """Format a sum: a thousands separator from five digits on, a typographic minus sign."""
    return number_format(number, 0, force_grouping=abs(number) >= GROUPED_FROM).replace("-", "−")


def format_decimal(value: Decimal | float | None, decimals: int = 1) -> str:
    """Format a number with that many decimals, halves rounded up; a dash for None."""
    if value is None:
        return "–"
    return number_format(round_half_up(Fraction(str(value)), decimals), decimals).replace("-", "−")


def format_percent(value: Decimal | float | None, decimals: int = 1) -> str:
    """Format a percentage with its sign; a dash for None."""
    return "–" if value is None else _("%(number)s%%") % {"number": format_decimal(value, decimals)}


def format_short_date(day: date) -> str:
    """Format a date for the narrow column of a table."""
    return date_format(day, "SHORT_DATE_FORMAT")


def format_short_month(day: date) -> str:
    """Return the month in three letters, with a capital in the languages that write months so."""
    return date_format(day, "M" if (get_language() or "")[:2] in _CAPITAL_MONTHS else "b")


def format_date(day: date) -> str:
    """Format a date with the month as a word."""
    return date_format(day, "DATE_FORMAT")
