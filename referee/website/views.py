"""The public list of events, with its calendar and feed. It exists only if the club lists its events."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from referee.phone.join_address import base_of
from referee.website.feeds import write_calendar, write_feed
from referee.website.site import site_name
from tournaments.models import Club, Event
from tournaments.publishing.queries.club import get_club
from tournaments.publishing.queries.event_list import ListedEvent, list_events

FRESH_S = 60


@require_safe
def event_list(request: HttpRequest) -> HttpResponse:
    """Show the coming and the past events, with links to the public pages that are on."""
    club = _listing_club()
    with translation.override(club.language):
        events = list_events(timezone.localdate())
        context = {
            "club": club,
            "name": site_name(club),
            "coming": [each for each in events if each.is_ahead][::-1],
            "past": [each for each in events if not each.is_ahead],
        }
        return _fresh(render(request, "website/event_list.html", context), club)


@require_safe
def calendar(request: HttpRequest) -> HttpResponse:
    """Answer with the calendar of all listed events."""
    club = _listing_club()
    with translation.override(club.language):
        events = list_events(timezone.localdate())
        address = _addresses(request, events)
        content = write_calendar(site_name(club), [each.event for each in events], address)
    return _fresh(HttpResponse(content, content_type="text/calendar; charset=utf-8"), club)


@require_safe
def feed(request: HttpRequest) -> HttpResponse:
    """Answer with the feed of the newest finished events."""
    club, base = _listing_club(), base_of(request)
    with translation.override(club.language):
        events = [each for each in list_events(timezone.localdate()) if each.finished_at is not None]
        home, address = f"{base}{reverse('events:list')}", _addresses(request, events)
        content = write_feed(
            site_name(club),
            [(each.event, each.finished_at) for each in events if each.finished_at is not None],
            home=home,
            own=f"{base}{reverse('events:feed')}",
            address=lambda event: address(event) or home,
        )
    return _fresh(HttpResponse(content, content_type="application/atom+xml; charset=utf-8"), club)


def _listing_club() -> Club:
    """Return the club if it lists its events; 404 otherwise, as for any unknown address."""
    club = get_club()
    if not club.lists_events:
        raise Http404(_("There is no page at this address: ask the club for the current one."))
    return club


def _addresses(request: HttpRequest, events: list[ListedEvent]) -> Callable[[Event], str]:
    """Return the function that gives the absolute address of an event's public page, or ""."""
    base = base_of(request)
    pages = {each.event.pk: f"{base}{reverse('public:event', args=[each.token])}" for each in events if each.token}
    return lambda event: pages.get(event.pk, "")


def _fresh(response: HttpResponse, club: Club) -> HttpResponse:
    response["Cache-Control"] = f"public, max-age={FRESH_S}"
    response["Content-Language"] = club.language
    return response
