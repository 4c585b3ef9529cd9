"""The season of a day, a proposal for a new one, and the events that a season may count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.db.models import Q
from django.utils.translation import gettext as _

from tournaments.models import EventSummary, Season
from tournaments.seasons.queries.results import counts_by_rule

FIRST_MONTH = 9
"""Club years begin in September."""


@dataclass(frozen=True, slots=True)
class EventChoice:
    """An event that a season may count. `counts` is the present state, `by_rule` what dates and name say."""

    summary: EventSummary
    counts: bool
    by_rule: bool
    in_time: bool

    @property
    def is_exception(self) -> bool:
        """True if somebody decided it by hand."""
        return self.counts != self.by_rule


def find_season(today: date) -> Season | None:
    """Return the season of this day, else the newest one; None without seasons."""
    return Season.objects.filter(starts__lte=today, ends__gte=today).first() or Season.objects.first()


def list_event_choices(season: Season, exceptions: Mapping[int, bool]) -> list[EventChoice]:
    """Return the events within the dates of the season, and those with an exception, newest first."""
    near = Q(date__range=(season.starts, season.ends)) | Q(pk__in=exceptions)
    choices = []
    for summary in EventSummary.objects.filter(near).select_related("event").order_by("-date", "-pk"):
        by_rule = counts_by_rule(season, summary)
        in_time = season.starts <= summary.date <= season.ends
        choices.append(EventChoice(summary, exceptions.get(summary.pk, by_rule), by_rule, in_time))
    return choices


def propose_dates(today: date) -> tuple[date, date]:
    """Return the first and the last day of the club year of this day, or of the next one if a season covers it."""
    year = today.year if today.month >= FIRST_MONTH else today.year - 1
    while Season.objects.filter(starts__lte=date(year, FIRST_MONTH, 30), ends__gte=date(year, FIRST_MONTH, 1)).exists():
        year += 1
    return date(year, FIRST_MONTH, 1), date(year + 1, FIRST_MONTH - 1, 31)


def propose_name(starts: date, ends: date) -> str:
    """Return the name of a season: “Season 2026–27”."""
    years = str(starts.year) if starts.year == ends.year else f"{starts.year}–{ends.year % 100:02d}"
    return _("Season %(years)s") % {"years": years}
