"""The calendar (iCalendar, RFC 5545) and the feed (Atom, RFC 4287) of the club's events.

Their texts depend on the events alone, so that they are the same each time: the stamp of an entry is the time at which
its event was created, and the feed was updated when its newest event ended.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

from django.utils.crypto import salted_hmac
from django.utils.feedgenerator import Atom1Feed
from django.utils.formats import date_format
from django.utils.html import escape
from django.utils.translation import get_language
from icalendar import Calendar
from icalendar import Event as CalendarEvent

from tournaments.models import Event

MOST_ENTRIES = 30
_NEVER = datetime(2000, 1, 1, tzinfo=UTC)
"""Time at which a feed without entries was updated; it has to name one."""


class _Feed(Atom1Feed):
    def latest_post_date(self) -> datetime:
        return max((item["updateddate"] for item in self.items), default=_NEVER)


def write_calendar(name: str, events: Sequence[Event], address: Callable[[Event], str]) -> bytes:
    """Return the calendar of these events, each of a whole day; `address` gives an absolute address, or ""."""
    calendar = Calendar()
    calendar.add("prodid", "-//Multiplo//Events//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", name)
    for event in sorted(events, key=lambda each: (each.date, each.pk)):
        entry = CalendarEvent()
        entry.add("uid", _identity(f"event {event.pk}").urn)
        entry.add("dtstamp", event.created_at.astimezone(UTC))
        entry.add("dtstart", event.date)
        entry.add("dtend", event.date + timedelta(days=1))
        entry.add("summary", event.name)
        if event.place:
            entry.add("location", event.place)
        if url := address(event):
            entry.add("url", url)
        calendar.add_component(entry)
    content: bytes = calendar.to_ical()
    return content


def write_feed(
    name: str, events: Sequence[tuple[Event, datetime]], *, home: str, own: str, address: Callable[[Event], str]
) -> bytes:
    """Return the feed of the newest of these events, each with its end; the links may be relative to `own`."""
    feed = _Feed(
        title=name,
        link=home,
        description="",
        language=get_language(),
        author_name=name,
        feed_url=own,
        feed_guid=_identity("feed").urn,
    )
    for event, finished_at in sorted(events, key=lambda each: (each[1], each[0].pk), reverse=True)[:MOST_ENTRIES]:
        feed.add_item(
            title=event.name,
            link=address(event),
            description=escape(_summary(event)),
            pubdate=finished_at,
            updateddate=finished_at,
            unique_id=_identity(f"event {event.pk}").urn,
        )
    return feed.writeString("utf-8").encode()


def _summary(event: Event) -> str:
    return " · ".join(filter(None, [date_format(event.date, "DATE_FORMAT"), event.place]))


def _identity(of: str) -> UUID:
    """Return an identity that stays the same for this installation and tells nothing about it."""
    digest = salted_hmac("multiplo.website", of, algorithm="sha256").digest()
    return UUID(bytes=digest[:16], version=4)
