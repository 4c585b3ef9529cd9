"""The line for paper slips over HTTP: what is told to whom, before and after it counts."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.tournaments.hall_of_rooms import three_rooms
from tests.tournaments.night import Night, begin
from tournaments.enums import Role
from tournaments.models import Membership, Slip
from tournaments.now import utc_now
from tournaments.services.access import first_judge

pytestmark = pytest.mark.django_db
RACK = "ACEIRST"


@pytest.fixture
def night(client: Client) -> Night:
    """A running turn; `client` is the browser of the director."""
    night = begin(first_judge())
    night.now = utc_now() - timedelta(seconds=60)
    night.begin_turn(RACK)
    client.force_login(night.judge)
    return night


@pytest.fixture
def typist(night: Night) -> Client:
    user = User.objects.create(username="typist")
    Membership.objects.create(event=night.event, user=user, role=Role.TYPIST)
    client = Client()
    client.force_login(user)
    return client


def echo(client: Client, night: Night, line: str, **fields: str) -> dict[str, Any]:
    read: dict[str, Any] = client.get(f"/desk/{night.event.code}/echo/", {"line": line, **fields}).json()
    return read


def enter(client: Client, night: Night, line: str, *, room: str = "", **fields: object) -> dict[str, Any]:
    answer: dict[str, Any] = client.post(f"/desk/{night.event.code}{room}/paper/", {"line": line, **fields}).json()
    return answer


def test_the_echo_says_who_what_and_where_before_it_counts(client: Client, night: Night) -> None:
    read = echo(client, night, "8H CARTE 18", offered="17")
    assert read["sentence"] == "Table 17, Dario Bianchi: CARTE, across, row 8, from column H, declared 18."
    assert (read["said"], read["tables"], read["replaces"], read["hint"]) == ("8H CARTE 18", [17], "", "")
    assert echo(client, night, "17=", same="1 H8 CESTA")["said"] == "H8 CESTA"
    assert not Slip.objects.exists()


def test_a_zero_asks_for_its_reason_and_a_typist_is_not_offered_that_of_the_judge(
    client: Client, night: Night, typist: Client
) -> None:
    assert echo(client, night, "17 0")["hint"] == (
        "Or another reason behind it: 1 N nothing handed in, 2 U cannot be read, 3 S several slips, 4 L too late."
    )
    assert echo(typist, night, "17-")["hint"] == (
        "Or another reason behind it: 1 N nothing handed in, 2 U cannot be read, 3 S several slips."
    )
    assert echo(client, night, "17 0 U")["hint"] == ""


def test_a_typist_can_use_neither_the_top_nor_a_group_of_slips(client: Client, night: Night, typist: Client) -> None:
    night.phone(1, "CARTE", "8H", 18)
    secret = (night.turn.tops or [])[0]["word"]
    for close in (lambda: None, night.close):
        close()
        for answer in (echo(typist, night, "17 T"), enter(typist, night, "17 T"), enter(typist, night, "17*")):
            assert (answer["ok"], secret in answer["sentence"]) == (False, False)
    group = night.verdict(1).group
    for answer in (echo(typist, night, "17=", group=group), enter(typist, night, "17=", group=group)):
        assert (answer["ok"], "CARTE" in answer["sentence"]) == (False, False)
    assert Slip.objects.count() == 1
    assert enter(client, night, "17=", group=group)["said"] == "8H CARTE 18"
    assert enter(client, night, "2 T")["ok"]


def test_a_line_that_comes_twice_is_stored_once(client: Client, night: Night) -> None:
    line_id = str(uuid4())
    first = enter(client, night, "17 8H CARTE 18", line_id=line_id, turn=1)
    assert (first["ok"], first["versions"]) == (True, [1])
    again = enter(client, night, "17 8H CARTE 18", line_id=line_id, turn=1)
    assert again == {"ok": True, "sentence": "This line is in already."}
    assert Slip.objects.count() == 1
    assert not enter(client, night, "17 8H CARTE 18", line_id="no mark")["ok"]


def test_a_browser_without_scripts_hands_in_by_the_form(client: Client, night: Night) -> None:
    answer = client.post(f"/desk/{night.event.code}/do/paper/", {"line": "17 8H CARTE 18"}, follow=True)
    assert "Table 17, Dario Bianchi: CARTE, across" in answer.content.decode()
    assert Slip.objects.get().word == "CARTE"


def test_the_desk_of_a_room_takes_the_tables_of_that_room(client: Client) -> None:
    evening = three_rooms(first_judge())
    night = evening.night
    night.now = utc_now() - timedelta(seconds=60)
    night.begin_turn(RACK)
    evening.announce("B")
    client.force_login(night.judge)
    assert "type its slips at the desk of that room" in enter(client, night, "11 8H CARTE 18")["sentence"]
    assert enter(client, night, "11+12 8H CARTE 18", room="-2")["tables"] == [11, 12]
    page = client.get(f"/desk/{night.event.code}-2/").content.decode()
    shown = page.split('id="missing"')[1].split("</div>")[0]
    assert [table for table in range(1, 30) if f"<span>{table}</span>" in shown] == [13, 14]


def test_the_desk_of_a_typist_shows_how_many_are_missing_and_has_the_line(night: Night, typist: Client) -> None:
    enter(typist, night, "17 8H CARTE 18")
    page = typist.get(f"/desk/{night.event.code}/").content.decode()
    assert '<b id="missing-count">3</b>' in page
    assert 'id="typed"' in page
    assert 'id="entry-line"' in page
    assert page.count('data-key="F') == 0, "nothing of the clock is a typist's to press"
