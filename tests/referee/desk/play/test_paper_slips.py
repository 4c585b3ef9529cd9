"""The input line for paper slips over HTTP: its answers before and after submission, by role."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.tournaments.club_game import ClubGame, create_club_game
from tests.tournaments.rooms_game import create_three_rooms
from tournaments.enums import Role
from tournaments.models import Membership, Slip
from tournaments.now import utc_now
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db
RACK = "ACEIRST"


@pytest.fixture
def club_game(client: Client) -> ClubGame:
    """A running turn; `client` is the browser of the director."""
    club_game = create_club_game(first_judge())
    club_game.now = utc_now() - timedelta(seconds=60)
    club_game.begin_turn(RACK)
    client.force_login(club_game.judge)
    return club_game


@pytest.fixture
def typist(club_game: ClubGame) -> Client:
    user = User.objects.create(username="typist")
    Membership.objects.create(event=club_game.event, user=user, role=Role.TYPIST)
    client = Client()
    client.force_login(user)
    return client


def echo(client: Client, club_game: ClubGame, line: str, **fields: str) -> dict[str, Any]:
    read: dict[str, Any] = client.get(f"/desk/{club_game.event.code}/echo/", {"line": line, **fields}).json()
    return read


def enter(client: Client, club_game: ClubGame, line: str, *, room: str = "", **fields: object) -> dict[str, Any]:
    answer: dict[str, Any] = client.post(f"/desk/{club_game.event.code}{room}/paper/", {"line": line, **fields}).json()
    return answer


def test_the_echo_names_player_word_and_place_before_submission(client: Client, club_game: ClubGame) -> None:
    read = echo(client, club_game, "8H CARTE 18", offered="17")
    assert read["sentence"] == "Table 17, Dario Bianchi: CARTE, across, row 8, from column H, declared 18."
    assert (read["said"], read["tables"], read["replaces"], read["hint"]) == ("8H CARTE 18", [17], "", "")
    assert echo(client, club_game, "17=", same="1 H8 CESTA")["said"] == "H8 CESTA"
    assert not Slip.objects.exists()


def test_a_zero_asks_for_its_reason_and_a_typist_is_not_offered_that_of_the_judge(
    client: Client, club_game: ClubGame, typist: Client
) -> None:
    assert echo(client, club_game, "17 0")["hint"] == (
        "Or add a reason: 1 N nothing handed in, 2 U cannot be read, 3 S several slips, 4 L too late."
    )
    assert echo(typist, club_game, "17-")["hint"] == (
        "Or add a reason: 1 N nothing handed in, 2 U cannot be read, 3 S several slips."
    )
    assert echo(client, club_game, "17 0 U")["hint"] == ""


def test_a_typist_can_use_neither_the_top_nor_a_group_of_slips(
    client: Client, club_game: ClubGame, typist: Client
) -> None:
    club_game.phone(1, "CARTE", "8H", 18)
    secret = (club_game.turn.tops or [])[0]["word"]
    for close in (lambda: None, club_game.close):
        close()
        for answer in (
            echo(typist, club_game, "17 T"),
            enter(typist, club_game, "17 T"),
            enter(typist, club_game, "17*"),
        ):
            assert (answer["ok"], secret in answer["sentence"]) == (False, False)
    group = club_game.verdict(1).group
    for answer in (echo(typist, club_game, "17=", group=group), enter(typist, club_game, "17=", group=group)):
        assert (answer["ok"], "CARTE" in answer["sentence"]) == (False, False)
    assert Slip.objects.count() == 1
    assert enter(client, club_game, "17=", group=group, answered="closed")["said"] == "8H CARTE 18"
    assert enter(client, club_game, "2 T", answered="closed")["ok"]


def test_a_line_that_comes_twice_is_stored_once(client: Client, club_game: ClubGame) -> None:
    line_id = str(uuid4())
    first = enter(client, club_game, "17 8H CARTE 18", line_id=line_id, turn=1)
    assert (first["ok"], first["versions"]) == (True, [1])
    again = enter(client, club_game, "17 8H CARTE 18", line_id=line_id, turn=1)
    assert again == {"ok": True, "sentence": "This line was taken already."}
    assert Slip.objects.count() == 1
    assert not enter(client, club_game, "17 8H CARTE 18", line_id="no mark")["ok"]


def test_the_part_of_a_line_that_is_refused_comes_back(client: Client, club_game: ClubGame) -> None:
    answer = enter(client, club_game, "1+99 8H CARTE 18", line_id=uuid4())
    assert answer["ok"]
    assert answer["tables"] == [1]
    assert (answer["refused"], answer["rest"]) == ("Nobody sits at table 99; add the player first.", "99 8H CARTE 18")


def test_a_browser_without_scripts_hands_in_by_the_form(client: Client, club_game: ClubGame) -> None:
    answer = client.post(f"/desk/{club_game.event.code}/do/paper/", {"line": "17 8H CARTE 18"}, follow=True)
    assert "Table 17, Dario Bianchi: CARTE, across" in answer.content.decode()
    assert Slip.objects.get().word == "CARTE"


def test_the_desk_of_a_room_takes_the_tables_of_that_room(client: Client) -> None:
    live_game = create_three_rooms(first_judge())
    club_game = live_game.club_game
    club_game.now = utc_now() - timedelta(seconds=60)
    club_game.begin_turn(RACK)
    live_game.announce("B")
    client.force_login(club_game.judge)
    assert "type its slips at the desk of that room" in enter(client, club_game, "11 8H CARTE 18")["sentence"]
    assert enter(client, club_game, "11+12 8H CARTE 18", room="-2")["tables"] == [11, 12]
    page = client.get(f"/desk/{club_game.event.code}-2/").content.decode()
    shown = page.split('id="missing"')[1].split("</div>")[0]
    assert [table for table in range(1, 30) if f"<span>{table}</span>" in shown] == [13, 14]


def test_the_desk_of_a_typist_shows_how_many_are_missing_and_has_the_line(club_game: ClubGame, typist: Client) -> None:
    enter(typist, club_game, "17 8H CARTE 18")
    page = typist.get(f"/desk/{club_game.event.code}/").content.decode()
    assert page.count('class="waits') == 3
    assert 'id="typed"' in page
    assert 'id="entry-line"' in page
    assert page.count('data-key="F2') == 0, "nothing of the clock is a typist's to press"


def test_a_slip_typed_after_the_close_is_stored_once_the_judge_says_that_it_was_in_time(
    client: Client, club_game: ClubGame, typist: Client
) -> None:
    club_game.close()
    asked = enter(client, club_game, "17 8H CARTE 18")
    assert (asked["ok"], asked["asks"], asked["verb"]) == (False, "closed", "It was in time")
    assert asked["text"].startswith("Table 17, Dario Bianchi: CARTE, across, row 8")
    assert not Slip.objects.exists()
    assert enter(client, club_game, "17 8H CARTE 18", answered="closed")["ok"]
    assert enter(client, club_game, "1 0 L")["ok"]  # too late, as the judge has typed
    assert enter(typist, club_game, "2 8H CARTE 18")["ok"]  # only the judge decides what came too late
    assert list(Slip.objects.order_by("player__table").values_list("in_time", flat=True)) == [False, True, True]


def test_a_slip_of_a_phone_is_replaced_once_somebody_says_so(
    client: Client, club_game: ClubGame, typist: Client
) -> None:
    club_game.phone(1, "CARTE", "8H", 18)
    for browser in (client, typist):
        asked = enter(browser, club_game, "1 8H CESTA 8")
        assert (asked["asks"], asked["verb"]) == ("phone", "Replace it")
        assert "the slip that came from the phone at" in asked["text"]
        assert "CARTE" not in str(asked)
    club_game.close()
    assert enter(client, club_game, "1 8H CESTA 8", answered="phone")["asks"] == "closed"
    assert club_game.verdict(1).points == 18
    assert enter(client, club_game, "1 8H CESTA 8", answered="phone,closed")["ok"]
    assert enter(client, club_game, "1 8H CARTE 18", answered="closed")["ok"]  # a slip on paper is replaced unasked
