"""The public list of events: it exists only if the club wants it, and shows no more than names, dates and places."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from icalendar import Calendar

from tests.referee.website.small_club import PLAYERS, switch_on
from tests.tournaments.club_game import ClubGame, create_club_game
from tournaments.models import Club, PublicPage
from tournaments.play.services import game_end
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db
ADDRESSES = ("/events/", "/events/events.ics", "/events/events.atom")


@pytest.fixture
def club() -> Club:
    return Club.objects.create(name="Scarabeo Torino", language="it", lists_events=True)


@pytest.fixture
def events(club: Club) -> list[ClubGame]:
    """A finished event with a public page, and a coming one without."""
    judge, today = first_judge(), timezone.localdate()
    past = create_club_game(judge, PLAYERS, name="Past night", date=today - timedelta(days=7))
    switch_on(past)
    past.begin_turn()
    past.close()
    past.place()
    game_end.end_game(game=past.refresh(), by=judge, now=past.later())
    coming = create_club_game(judge, PLAYERS, name="Next night", date=today + timedelta(days=7))
    return [past, coming]


@pytest.mark.parametrize("address", ADDRESSES)
def test_without_the_wish_of_the_club_there_is_no_list(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404
    Club.objects.create(name="Scarabeo Torino", language="it")
    assert client.get(address).status_code == 404


def test_the_list_links_to_the_public_pages_that_are_on_and_tells_nothing_else(
    client: Client, events: list[ClubGame]
) -> None:
    answer = client.get("/events/")
    page, token = answer.content.decode(), PublicPage.objects.get().token
    assert answer.headers["Content-Language"] == "it"
    assert page.index("Next night") < page.index("Past night")
    assert f'href="/p/{token}/"' in page
    assert page.count("/p/") == 1
    hidden = [*(each.event.code for each in events), *(each.event.wall_token for each in events)]
    assert not [text for text in (*hidden, *(player.name for player in PLAYERS)) if text in page]
    PublicPage.objects.update(is_on=False)
    assert "/p/" not in client.get("/events/").content.decode()


def test_calendar_and_feed_lead_to_the_public_page(client: Client, events: list[ClubGame]) -> None:
    address = f"http://testserver/p/{PublicPage.objects.get().token}/"
    calendar = Calendar.from_ical(client.get("/events/events.ics").content)
    urls = {str(entry["summary"]): str(entry.get("url", "")) for entry in calendar.walk("VEVENT")}
    assert urls == {"Past night": address, "Next night": ""}
    feed = ET.fromstring(client.get("/events/events.atom").content)  # noqa: S314  our own answer
    entries = feed.findall("{*}entry")
    assert [entry.findtext("{*}title") for entry in entries] == ["Past night"]
    assert entries[0].find("{*}link").attrib["href"] == address  # type: ignore[union-attr]
