"""The rehearsal at the desk: opened by a button, with a page that shows the round-trip times of the phones."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client
from pytest_django import Settings

from referee.desk.events.rehearsal import PhoneLine, assess_phones
from tests.referee.live.live_game import LiveGame, make_live_game
from tournaments.models import Event
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db


@pytest.fixture
def judge(client: Client) -> Client:
    client.force_login(first_judge())
    return client


def phone(table: int, trip: int | None) -> PhoneLine:
    kind = "new" if trip is None else "good" if trip <= 300 else "slow" if trip <= 1000 else "bad"
    return PhoneLine(table, f"Player {table}", trip, kind)  # type: ignore[arg-type]


def test_the_button_opens_a_demo_with_an_address_for_simulated_phones(judge: Client) -> None:
    answer = judge.post("/desk/rehearsal/")
    event = Event.objects.get()
    assert event.is_rehearsal
    assert answer["Location"] == f"/desk/{event.code}/"
    page = judge.get(f"/desk/{event.code}/rehearsal/")
    assert event.code in page.content.decode()
    found = re.search(r"--url (http\S+?)</code>", page.content.decode())
    assert found is not None
    address = html.unescape(found[1])
    assert Client().get(address).json()["rehearsal"] == event.code


def test_with_several_processes_a_rehearsal_is_offered_and_no_demo(judge: Client, settings: Settings) -> None:
    assert "Try a demo game" in judge.get("/desk/").content.decode()
    settings.EMBEDDED = False
    page = judge.get("/desk/").content.decode()
    assert ("Create a rehearsal" in page, "demo game" in page) == (True, False)
    assert judge.post("/desk/rehearsal/")["Location"].endswith("/rehearsal/")


def test_the_page_says_when_nobody_is_there(judge: Client) -> None:
    event_page = judge.post("/desk/rehearsal/")["Location"]
    text = judge.get(f"{event_page}rehearsal/phones/").content.decode()
    assert "0 phones are here" in text
    assert "No phone has joined yet" in text


def test_a_real_event_has_no_such_page_and_no_way_to_it(judge: Client) -> None:
    live_game: LiveGame = make_live_game()
    live_game.event.memberships.create(user=first_judge(), role="director")
    code = live_game.event.code
    assert judge.get(f"/desk/{code}/rehearsal/").status_code == 404
    assert judge.get(f"/desk/{code}/rehearsal/phones/").status_code == 404
    assert f"/desk/{code}/rehearsal/" not in judge.get(f"/desk/{code}/").content.decode()


def test_a_user_who_may_not_create_events_opens_no_rehearsal(client: Client) -> None:
    assert client.post("/desk/rehearsal/").status_code in (302, 403)
    assert not Event.objects.exists()


@pytest.mark.parametrize(
    ("trips", "colour", "sentence"),
    [
        ([None, None], "", "being measured"),
        ([20, 300, None], "green", "All phones are quick."),
        ([20, 301], "yellow", "1 phone is slow"),
        ([400, 900, 30], "yellow", "2 phones are slow"),
        ([400, 1001, 30], "red", "1 phone waits longer than a second"),
    ],
)
def test_the_slowest_phones_set_the_light(trips: list[int | None], colour: str, sentence: str) -> None:
    shown = assess_phones([phone(table, trip) for table, trip in enumerate(trips, 1)])
    assert shown[0] == colour
    assert sentence in shown[1]
