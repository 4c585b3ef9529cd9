"""Values of members as pages show them."""

from __future__ import annotations

from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _


def format_value(value: object) -> str:
    """Return a value as a page shows it; empty for none."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, date):
        return date_format(value, "SHORT_DATE_FORMAT")
    return "" if value is None else str(value)
