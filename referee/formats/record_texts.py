"""Titles and values of records, of a member and of the club."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from referee.formats.texts import format_percent, format_sum

CLUB_RECORDS = {
    "most_percent": gettext_lazy("Best game, percent of the top"),
    "most_points": gettext_lazy("Best game, points"),
    "best_move": gettext_lazy("Best move"),
    "highest_top": gettext_lazy("Highest top"),
    "longest_word": gettext_lazy("Longest word"),
    "most_solos": gettext_lazy("Most solos in an evening"),
    "closest_finish": gettext_lazy("Closest finish"),
}
PERSONAL_RECORDS = {
    "most_percent": gettext_lazy("Best evening, percent of the top"),
    "most_points": gettext_lazy("Best evening, points"),
    "best_move": gettext_lazy("Best move"),
    "longest_word": gettext_lazy("Longest word"),
    "most_solos": gettext_lazy("Most solos in an evening"),
}


def record_value(kind: str, value: float) -> str:
    """Return the value of a record of this kind with its unit."""
    number = format_sum(int(value))
    match kind:
        case "most_percent":
            return format_percent(value)
        case "longest_word":
            return ngettext("%(n)s letter", "%(n)s letters", int(value)) % {"n": number}
        case "most_solos":
            return ngettext("%(n)s solo", "%(n)s solos", int(value)) % {"n": number}
        case "closest_finish" if value == 0:
            return _("the same points")
    return ngettext("%(n)s point", "%(n)s points", int(value)) % {"n": number}
