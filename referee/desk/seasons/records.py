"""Records of the club."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from referee.desk.access import general_page, user_of
from referee.desk.event_links import event_codes
from referee.desk.registry import Access
from referee.formats.record_texts import CLUB_RECORDS, record_value
from tournaments.seasons.queries.club_records import ClubRecord, Holder, RecordEntry, club_records
from tournaments.seasons.services.summaries import try_refresh_summaries

SHOWN = 5


@dataclass(frozen=True, slots=True)
class EntryLine:
    """The holders of a record, with day and move; `link` leads to the event or the turn, "" if the user has no
    role there. `game` is set in an evening of several games, `turns` is the length of the only game."""

    holders: tuple[Holder, ...]
    word: str
    ref: str
    solo: bool
    game: int | None
    turn: int | None
    event: str
    day: date
    link: str
    turns: int


@dataclass(frozen=True, slots=True)
class RecordCard:
    """A record as texts. `others` are the entries that are folded."""

    title: str
    value: str
    entries: tuple[EntryLine, ...]
    others: tuple[EntryLine, ...]


@require_safe
@general_page("club-records", access=Access.ORGANISER)
def records(request: HttpRequest) -> HttpResponse:
    """Show the records."""
    try_refresh_summaries()
    codes = event_codes(user_of(request))
    cards = [_card(record, codes) for record in club_records()]
    return render(request, "desk/seasons/records.html", {"page": "records", "records": cards})


def _card(record: ClubRecord, codes: Mapping[int, str]) -> RecordCard:
    entries = tuple(_line(entry, codes.get(entry.summary.event_id or 0, "")) for entry in record.entries)
    value = record_value(record.kind, record.value)
    return RecordCard(str(CLUB_RECORDS[record.kind]), value, entries[:SHOWN], entries[SHOWN:])


def _line(entry: RecordEntry, code: str) -> EntryLine:
    return EntryLine(
        holders=entry.holders,
        word=entry.word,
        ref=entry.ref,
        solo=entry.solo,
        game=entry.game if entry.summary.games > 1 else None,
        turn=entry.turn,
        event=entry.summary.name,
        day=entry.summary.date,
        link=_link(entry, code),
        turns=entry.summary.turns if entry.summary.games == 1 and entry.turn is None else 0,
    )


def _link(entry: RecordEntry, code: str) -> str:
    if not code:
        return ""
    chosen = {name: number for name, number in (("game", entry.game), ("turn", entry.turn)) if number}
    page = "desk:analysis" if entry.turn else "desk:standings"
    return reverse(page, args=[code]) + (f"?{urlencode(chosen)}" if chosen else "")
