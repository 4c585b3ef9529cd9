"""The desks of several rooms: what each offers, and that a club with one room sees nothing of it."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.tournaments.hall_of_rooms import Evening, three_rooms
from tests.tournaments.night import Night, begin
from tournaments.enums import Role
from tournaments.models import Document, Membership, Room
from tournaments.services.access import first_judge

pytestmark = pytest.mark.django_db


@pytest.fixture
def director() -> User:
    return first_judge()


@pytest.fixture
def client(director: User, client: Client) -> Client:
    client.force_login(director)
    return client


@pytest.fixture
def evening(director: User) -> Evening:
    return three_rooms(director)


def page(client: Client, evening: Evening, name: str, part: str = "") -> str:
    number = evening.room(name).number
    suffix = "" if number == 1 else f"-{number}"
    answer = client.get(f"/desk/{evening.night.event.code}{suffix}/{part}")
    assert answer.status_code == 200, part
    return answer.content.decode()


def act(client: Client, evening: Evening, name: str, action: str, **fields: object) -> str:
    """What the desk of a room says to an action."""
    number = evening.room(name).number
    suffix = "" if number == 1 else f"-{number}"
    path = f"/desk/{evening.night.event.code}{suffix}/do/{action}/"
    answer = client.post(path, fields, headers={"Accept": "application/json"})
    return str(answer.json()["sentence"])


def test_a_club_with_one_room_sees_only_that_a_room_can_be_added(client: Client, director: User) -> None:
    night: Night = begin(director)
    night.begin_turn()
    code = night.event.code
    for part in ("", "main/", "standings/", "log/", "documents/", "rules/"):
        text = client.get(f"/desk/{code}/{part}").content.decode()
        assert "room" not in text.replace("drawing room", "room").casefold().replace("do/", ""), part
    players = client.get(f"/desk/{code}/players/").content.decode()
    assert "Add a room" in players
    assert ">Room<" not in players
    assert "?room=" not in players


def test_a_room_is_added_on_the_page_of_the_players_and_has_its_own_addresses(client: Client, director: User) -> None:
    night = begin(director)
    fields = {"name": "Upstairs", "follows": "itself", "minutes": "1", "seconds": "30", "next": "/desk/"}
    client.post(f"/desk/{night.event.code}/do/add-room/", fields)
    room = Room.objects.get(name="Upstairs")
    assert (room.number, room.offset_s) == (2, 90)
    rooms = client.get(f"/desk/{night.event.code}/rooms/").content.decode()
    assert f"/desk/{night.event.code}-2/" in rooms
    assert f"/wall/{room.wall_token}/" in rooms
    assert "after 1:30" in rooms
    wall = client.get(f"/wall/{room.wall_token}/").content.decode()
    assert "Upstairs" in wall
    assert "?room=2" in client.get(f"/desk/{night.event.code}-2/players/").content.decode() or "<svg" in wall


def test_the_desk_of_a_room_that_follows_announces_and_shows_and_draws_nothing(
    client: Client, evening: Evening
) -> None:
    assert "has not announced the next turn yet" in page(client, evening, "B")
    assert act(client, evening, "B", "draw") == "This is done at the desk of the drawing room."
    assert not evening.night.game.turns.exists()
    act(client, evening, "A", "draw")
    act(client, evening, "A", "announce")
    assert "Announce turn 1" in page(client, evening, "B")
    assert act(client, evening, "B", "announce") == ""
    assert act(client, evening, "B", "paper", line="11 8H CARTE 18") != ""
    assert "another room" not in page(client, evening, "B")
    assert "desk of that room" in act(client, evening, "B", "paper", line="1 8H CARTE 18")
    act(client, evening, "B", "close")
    assert "not placed its move yet" in page(client, evening, "B")
    act(client, evening, "A", "close")
    assert "not placed the move" in act(client, evening, "B", "show")
    act(client, evening, "A", "place")
    assert "do/show/" in page(client, evening, "B")
    assert act(client, evening, "B", "show") == ""
    assert (evening.phase("B"), evening.phase("C")) == ("placed", "lobby")
    for forbidden in ("do/place/", "do/draw/", "do/end/", "do/type-rack/"):
        assert forbidden not in page(client, evening, "B"), forbidden


def test_a_room_that_follows_has_no_tops_before_its_clock_has_closed(client: Client, evening: Evening) -> None:
    evening.night.begin_turn()
    evening.announce("B")
    code = evening.night.event.code
    assert client.get(f"/desk/{code}/tops/").status_code == 200
    assert client.get(f"/desk/{code}-2/tops/").status_code == 404


def test_the_desk_of_a_room_has_its_own_players_and_the_drawing_room_all(client: Client, evening: Evening) -> None:
    assert "Player A1" not in page(client, evening, "B", "players/")
    assert "Player B11" in page(client, evening, "B", "players/")
    everybody = page(client, evening, "A", "players/")
    assert "Player A1" in everybody
    assert "Player B11" in everybody
    assert "another room" in act(client, evening, "B", "player-leaves", table=1)
    assert act(client, evening, "A", "move-player", table=1, room=2) == ""
    assert "Player A1" in page(client, evening, "B", "players/")


def test_standings_of_another_room_are_not_shown_at_the_desk_of_a_room(client: Client, evening: Evening) -> None:
    evening.night.begin_turn()
    evening.night.close()
    evening.night.place()
    code = evening.night.event.code
    assert client.get(f"/desk/{code}-2/standings/?of=1.all.1").status_code == 404
    assert client.get(f"/desk/{code}-2/standings.csv?of=1.all.3").status_code == 404
    assert client.get(f"/desk/{code}-2/standings/?of=1.all.2").status_code == 200
    assert client.get(f"/desk/{code}-2/standings/?of=1.all").status_code == 200
    assert client.get(f"/desk/{code}/standings/?of=1.all.2").status_code == 200
    said = act(client, evening, "B", "make-document", kind="standings", choice="1.all.1")
    assert said == "These standings are shown at the desk of their room."
    assert not Document.objects.exists()


def test_a_sheet_belongs_to_the_desk_at_which_it_was_asked_for(client: Client, evening: Evening) -> None:
    act(client, evening, "A", "make-document", kind="match")
    document = Document.objects.get()
    Document.objects.update(state="done", path="nowhere.pdf")
    assert document.room == evening.room("A")
    code = evening.night.event.code
    assert f"documents/{document.pk}/" in page(client, evening, "A", "documents/")
    assert f"documents/{document.pk}/" not in page(client, evening, "B", "documents/")
    assert client.get(f"/desk/{code}-2/documents/{document.pk}/").status_code == 404


def test_the_director_sees_every_room_and_only_he_changes_them(client: Client, evening: Evening) -> None:
    evening.night.begin_turn()
    rooms = page(client, evening, "A", "rooms/")
    assert rooms.count('<th scope="row"') == 3
    assert "being judged" in rooms
    assert "not begun" in rooms
    judge = User.objects.create(username="judge of a room")
    Membership.objects.create(event=evening.night.event, user=judge, role=Role.JUDGE)
    client.force_login(judge)
    answer = client.post(f"/desk/{evening.night.event.code}-2/do/add-room/", {"name": "Mine"})
    assert answer.status_code == 403
    assert Room.objects.count() == 3


def test_taking_back_in_a_room_takes_back_only_what_it_was_shown(client: Client, evening: Evening) -> None:
    evening.night.begin_turn()
    evening.night.close()
    evening.night.place()
    evening.play("B")
    assert act(client, evening, "B", "undo") == "Turn 1 is open again."
    assert (evening.phase("A"), evening.phase("B")) == ("placed", "closed")
