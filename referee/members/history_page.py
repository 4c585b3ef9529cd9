"""Content of a member's page, for the desk and for the member."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from referee.charts.evenings import Evening, evenings_chart
from referee.charts.shapes import WIDTH, Drawing
from referee.formats.texts import format_percent, format_sum
from tournaments.models import Member
from tournaments.seasons.queries.member_history import EventLine, MemberHistory, PersonalRecord, member_history
from tournaments.training.queries.lost_turns import list_due_turns, list_lost_turns, list_missed_words

MOST_EVENINGS = 10
WIDE_CHART, MOST_ON_WIDE, MOST_ON_NARROW = 620.0, 24, 10
_TITLES = {
    "most_percent": gettext_lazy("Best evening, percent of the top"),
    "most_points": gettext_lazy("Best evening, points"),
    "best_move": gettext_lazy("Best move"),
    "longest_word": gettext_lazy("Longest word"),
    "most_solos": gettext_lazy("Most solos in an evening"),
}


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A personal record as texts."""

    title: str
    value: str
    word: str
    day: date


def history_context(member: Member, *, today: date, with_all: bool, links: Mapping[int, str]) -> dict[str, Any]:
    """Return the context of `members/_history.html`, without the turns to play again.

    `links` are the addresses of events that the reader may open, by event; `with_all` shows all evenings.
    """
    history = member_history(member)
    newest = list(reversed(history.events))
    shown = newest if with_all else newest[:MOST_EVENINGS]
    return {
        "member": member,
        "history": history,
        "evenings": [(line, links.get(line.summary.event_id or 0, "")) for line in shown],
        "number_of_evenings": len(newest),
        "has_more": len(shown) < len(newest),
        "wide_chart": _chart(history, "evenings", WIDE_CHART, MOST_ON_WIDE),
        "narrow_chart": _chart(history, "last-evenings", WIDTH, MOST_ON_NARROW),
        "records": [_record_line(record) for record in history.records],
        "lost": list_lost_turns(member),
        "missed": list_missed_words(member),
        "due": list_due_turns(member, today),
        "today": today,
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


def _record_line(record: PersonalRecord) -> RecordLine:
    word = record.word.word if record.word else ""
    value = record_value(record.kind, record.value)
    return RecordLine(str(_TITLES[record.kind]), value, word, record.summary.date)


def _chart(history: MemberHistory, name: str, width: float, most: int) -> Drawing | None:
    """Return the chart of the last evenings that have a percentage; None for fewer than two."""
    points = [_evening(line) for line in history.events if line.percent is not None][-most:]
    return evenings_chart(points, name=name, width=width) if len(points) > 1 else None


def _evening(line: EventLine) -> Evening:
    return Evening(line.summary.date, line.percent or 0.0, line.club_percent, is_won=line.is_won)
