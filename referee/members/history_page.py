"""Content of a member's page, for the desk and for the member."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from referee.charts.evenings import Evening, evenings_chart
from referee.charts.shapes import WIDTH, Drawing
from referee.formats.record_texts import PERSONAL_RECORDS, record_value
from tournaments.models import Member
from tournaments.ratings.queries.ratings import find_ratings
from tournaments.seasons.queries.member_history import EventLine, MemberHistory, PersonalRecord, member_history
from tournaments.training.queries.lost_turns import list_due_turns, list_lost_turns, list_missed_words

MOST_EVENINGS = 10
WIDE_CHART, MOST_ON_WIDE, MOST_ON_NARROW = 620.0, 24, 10


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
        "wide_chart": history_chart(history, "evenings", WIDE_CHART, MOST_ON_WIDE),
        "narrow_chart": history_chart(history, "last-evenings", WIDTH, MOST_ON_NARROW),
        "ratings": find_ratings(member),
        "records": [_record_line(record) for record in history.records],
        "lost": list_lost_turns(member),
        "missed": list_missed_words(member),
        "due": list_due_turns(member, today),
        "today": today,
    }


def _record_line(record: PersonalRecord) -> RecordLine:
    word = record.word.word if record.word else ""
    value = record_value(record.kind, record.value)
    return RecordLine(str(PERSONAL_RECORDS[record.kind]), value, word, record.summary.date)


def history_chart(history: MemberHistory, name: str, width: float, most: int) -> Drawing | None:
    """Return the chart of the last evenings that have a percentage; None for fewer than two."""
    points = [_evening(line) for line in history.events if line.percent is not None][-most:]
    return evenings_chart(points, name=name, width=width) if len(points) > 1 else None


def _evening(line: EventLine) -> Evening:
    return Evening(line.summary.date, line.percent or 0.0, line.club_percent, is_won=line.is_won)
