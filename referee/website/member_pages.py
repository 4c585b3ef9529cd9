"""Pages of the members who agreed, and the records of the club."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from referee.charts.shapes import WIDTH
from referee.formats.record_texts import CLUB_RECORDS, PERSONAL_RECORDS, record_value
from referee.members.history_page import WIDE_CHART, history_chart
from referee.website.pages import Site, render_page, render_parts
from tournaments.models import EventSummary, Member
from tournaments.players.name_order import alphabetic_key
from tournaments.publishing.queries.public_names import list_members_with_results, list_published_members, public_name
from tournaments.publishing.queries.published_events import PublishedEvent
from tournaments.publishing.website_folder import WebsiteFile
from tournaments.seasons.queries.club_records import Holder, RecordEntry, club_records
from tournaments.seasons.queries.member_history import (
    Averages,
    MemberHistory,
    list_counting_of_seasons,
    member_history,
)

MOST_EVENTS = 100
MOST_ON_CHART, MOST_ON_PHONE = 24, 10


@dataclass(frozen=True, slots=True)
class RecordRow:
    """An event in which a record was reached; `page` is the page of the event or of the turn, or ""."""

    name: str
    page: str
    entry: RecordEntry


@dataclass(frozen=True, slots=True)
class PublishedRecord:
    """A record of the club as texts, with all who reached it."""

    title: str
    kind: str
    value: str
    rows: Sequence[RecordRow]


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A member in the list."""

    member: Member
    averages: Averages


def list_playing_members() -> list[Member]:
    """Return the members who agreed and have a result, by name."""
    playing = list_members_with_results()
    members = [member for member in list_published_members() if member.pk in playing]
    return sorted(members, key=lambda member: alphabetic_key(f"{member.surname} {member.first_name}"))


def member_pages(
    site: Site, members: Sequence[Member], events: Sequence[PublishedEvent], withheld: Collection[int]
) -> Iterator[WebsiteFile]:
    """Render the page of each member, without words that are still secret, and the list."""
    published, counting = {each.event.pk for each in events}, list_counting_of_seasons()
    rows = []
    for member in members:
        history = _without_secrets(member_history(member, counting), withheld)
        rows.append(MemberRow(member, history.averages))
        yield render_page(site, f"members/{member.pk}.html", "member.html", _context(history, published))
    if rows:
        yield from render_parts(site, "members/index.html", "members.html", rows, {})


def _context(history: MemberHistory, published: Collection[int]) -> dict[str, object]:
    return {
        "history": history,
        "wide_chart": history_chart(history, "events", WIDE_CHART, MOST_ON_CHART),
        "narrow_chart": history_chart(history, "last-events", WIDTH, MOST_ON_PHONE),
        "lines": [(line, _page_of(line.summary, published)) for line in history.events[::-1][:MOST_EVENTS]],
        "words": [(word, _page_of(word.summary, published, word.game, word.turn)) for word in history.words],
        "records": [
            (
                PERSONAL_RECORDS[record.kind],
                record_value(record.kind, record.value),
                record,
                _page_of(record.summary, published),
            )
            for record in history.records
        ],
    }


def list_published_records(withheld: Collection[int], events: Sequence[PublishedEvent]) -> list[PublishedRecord]:
    """Return the records of the club; those that an event still in play holds are left out."""
    published = {each.event.pk for each in events}
    records = [
        record for record in club_records() if not any(entry.summary.event_id in withheld for entry in record.entries)
    ]
    return [
        PublishedRecord(
            title=str(CLUB_RECORDS[record.kind]),
            kind=record.kind,
            value=record_value(record.kind, record.value),
            rows=[_record_row(entry, published) for entry in record.entries],
        )
        for record in records
    ]


def _record_row(entry: RecordEntry, published: Collection[int]) -> RecordRow:
    holders = [_holder_name(holder) for holder in entry.holders]
    names = [name for name in holders if name] + ["–"] * (not all(holders))
    return RecordRow(", ".join(names), _page_of(entry.summary, published, entry.game, entry.turn), entry)


def _holder_name(holder: Holder) -> str:
    """Return the name of a holder of a record if every member behind it is named; guests are not."""
    names = [public_name(member) for member in holder.members]
    return " · ".join(names) if names and all(names) else ""


def _page_of(
    summary: EventSummary, published: Collection[int], game: int | None = None, turn: int | None = None
) -> str:
    """Return the page of an event, or of one of its turns, from the root of the site; "" if it is not published."""
    if summary.event_id not in published:
        return ""
    page = "index" if not game else f"game-{game}" if not turn else f"game-{game}-turn-{turn}"
    return f"events/{summary.event_id}/{page}.html"


def _without_secrets(history: MemberHistory, withheld: Collection[int]) -> MemberHistory:
    return replace(
        history,
        events=[line for line in history.events if line.summary.event_id not in withheld],
        words=[word for word in history.words if word.summary.event_id not in withheld],
        records=[record for record in history.records if record.summary.event_id not in withheld],
    )
