"""The members as a table for a spreadsheet; the import of members reads it back unchanged."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from django.utils.translation import gettext as _

from referee.results.tables import ResultSheet, Value
from tournaments.members.member_fields import MEMBER_FIELDS, member_field_titles
from tournaments.models import Member


def members_sheet(members: Sequence[Member]) -> ResultSheet:
    """Build the table of these members with all their fields."""
    titles = member_field_titles()
    rows = [[_value(getattr(member, name)) for name in MEMBER_FIELDS] for member in members]
    return ResultSheet(_("Members"), [titles[name] for name in MEMBER_FIELDS], rows)


def _value(value: object) -> Value:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, date):
        return value.isoformat()
    return value if isinstance(value, int) else str(value or "")
