"""All files of the club's website, made one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from referee.website.event_pages import event_folder, event_list_pages, event_section
from referee.website.feeds import write_calendar, write_feed
from referee.website.member_pages import list_playing_members, list_published_records, member_pages
from referee.website.pages import Site, render_page
from referee.website.program_state import program_state
from referee.website.season_pages import list_published_seasons, season_pages
from referee.website.styles import write_styles
from tournaments.models import Club
from tournaments.publishing.queries.club import get_club
from tournaments.publishing.queries.published_events import (
    list_coming_events,
    list_published_events,
    list_withheld_events,
)
from tournaments.publishing.website_folder import WebsiteFile, WebsiteSection
from tournaments.seasons.services.summaries import refresh_summaries

NEWEST = 8


def website_files(now: datetime) -> Iterator[WebsiteFile | WebsiteSection]:
    """Make the files of the website, in the active language; those of an event are made only if it has changed."""
    refresh_summaries()
    yield from _files(get_club(), now)


def site_name(club: Club) -> str:
    """Return the name of the club, or a general one for a club without a name."""
    return club.name or _("Duplicate Scrabble")


def _files(club: Club, now: datetime) -> Iterator[WebsiteFile | WebsiteSection]:
    today = timezone.localdate(now)
    events, coming = list_published_events(club, today), list_coming_events(club, today)
    seasons, withheld = list_published_seasons(), list_withheld_events()
    members, records = list_playing_members(), list_published_records(withheld, events)
    sections = {"seasons": seasons, "members": members, "records": records}
    site = Site(
        club=club,
        name=site_name(club),
        logo=_logo_name(club),
        sections=frozenset(name for name, content in sections.items() if content),
        program=program_state(),
        now=now,
    )
    yield WebsiteFile("site.css", write_styles())
    if site.logo:
        yield WebsiteFile(site.logo, bytes(club.logo))
    context = {"coming": coming, "events": events[:NEWEST], "season": seasons[0] if seasons else None}
    yield render_page(site, "index.html", "home.html", context)
    yield from event_list_pages(site, events, coming)
    for published in events:
        yield event_section(site, published)
    yield from season_pages(site, seasons, events)
    yield from member_pages(site, members, events, withheld)
    if records:
        yield render_page(site, "records.html", "records.html", {"records": records})
    everything = [*(each.event for each in events), *coming]
    yield WebsiteFile("events.ics", write_calendar(site.name, everything, lambda event: ""))
    feed = write_feed(
        site.name,
        [(each.event, each.finished_at) for each in events],
        home="index.html",
        own="events.atom",
        address=lambda event: f"{event_folder(event)}index.html",
    )
    yield WebsiteFile("events.atom", feed)


def _logo_name(club: Club) -> str:
    if not club.logo:
        return ""
    return "logo.png" if bytes(club.logo).startswith(b"\x89PNG") else "logo.jpg"
