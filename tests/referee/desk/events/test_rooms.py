"""The desks of several rooms: their controls, and none of them for a club with one room."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from tests.tournaments.club_game import ClubGame, create_club_game
from tests.tournaments.rooms_game import RoomsGame, create_three_rooms
from tournaments.enums import Role
from tournaments.judging.services.closed_rooms import judge_closed_rooms
from tournaments.models import Document, Membership, Room
from tournaments.play.services import clocks
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db


@pytest.fixture
def director() -> User:
    return first_judge()


@pytest.fixture
def client(director: User, client: Client) -> Client:
    client.force_login(director)
    return client


@pytest.fixture
def live_game(director: User) -> RoomsGame:
    return create_three_rooms(director)


def page(client: Client, live_game: RoomsGame, name: str, part: str = "") -> str:
    number = live_game.room(name).number
    suffix = "" if number == 1 else f"-{number}"
    answer = client.get(f"/desk/{live_game.club_game.event.code}{suffix}/{part}")
    assert answer.status_code == 200, part
    return answer.content.decode()


def act(client: Client, live_game: RoomsGame, name: str, action: str, **fields: object) -> str:
    """Return the answer of a room's desk to an action."""
    number = live_game.room(name).number
    suffix = "" if number == 1 else f"-{number}"
    path = f"/desk/{live_game.club_game.event.code}{suffix}/do/{action}/"
    answer = client.post(path, fields, headers={"Accept": "application/json"})
    return str(answer.json()["sentence"])


def test_a_club_with_one_room_sees_only_that_a_room_can_be_added(client: Client, director: User) -> None:
    club_game: ClubGame = create_club_game(director)
    club_game.begin_turn()
    code = club_game.event.code
    for part in ("", "main/", "standings/", "log/", "documents/", "rules/"):
        text = client.get(f"/desk/{code}/{part}").content.decode()
        for token in (club_game.event.wall_token, r"\b[A-Za-z0-9]{64}\b"):  # a random token can contain the word
            text = re.sub(token, "", text)
        assert "room" not in text.replace("drawing room", "room").casefold().replace("do/", ""), part
    players = client.get(f"/desk/{code}/players/").content.decode()
    assert "Add a room" in players
    assert ">Room<" not in players
    assert "?room=" not in players


def test_a_room_is_added_on_the_page_of_the_players_and_has_its_own_addresses(client: Client, director: User) -> None:
    club_game = create_club_game(director)
    fields = {"name": "Upstairs", "follows": "itself", "minutes": "1", "seconds": "30", "next": "/desk/"}
    client.post(f"/desk/{club_game.event.code}/do/add-room/", fields)
    room = Room.objects.get(name="Upstairs")
    assert (room.number, room.offset_s) == (2, 90)
    rooms = client.get(f"/desk/{club_game.event.code}/rooms/").content.decode()
    assert f"/desk/{club_game.event.code}-2/" in rooms
    assert f"/wall/{room.wall_token}/" in rooms
    assert "after 1:30" in rooms
    wall = client.get(f"/wall/{room.wall_token}/").content.decode()
    assert "Upstairs" in wall
    assert "?room=2" in client.get(f"/desk/{club_game.event.code}-2/players/").content.decode() or "<svg" in wall


def test_the_desk_of_a_room_that_follows_announces_and_shows_and_draws_nothing(
    client: Client, live_game: RoomsGame
) -> None:
    assert "has not announced the next turn yet" in page(client, live_game, "B")
    assert act(client, live_game, "B", "draw") == "This is done at the desk of the drawing room."
    assert not live_game.club_game.game.turns.exists()
    act(client, live_game, "A", "draw")
    act(client, live_game, "A", "announce")
    assert "Announce turn 1" in page(client, live_game, "B")
    assert act(client, live_game, "B", "announce") == ""
    assert act(client, live_game, "B", "paper", line="11 8H CARTE 18") != ""
    assert "another room" not in page(client, live_game, "B")
    assert "desk of that room" in act(client, live_game, "B", "paper", line="1 8H CARTE 18")
    act(client, live_game, "B", "close")
    assert "not placed its move yet" in page(client, live_game, "B")
    act(client, live_game, "A", "close")
    assert "not placed the move" in act(client, live_game, "B", "show")
    act(client, live_game, "A", "place")
    assert "do/show/" in page(client, live_game, "B")
    assert act(client, live_game, "B", "show") == ""
    assert (live_game.phase("B"), live_game.phase("C")) == ("placed", "lobby")
    for forbidden in ("do/place/", "do/draw/", "do/end/", "do/type-rack/"):
        assert forbidden not in page(client, live_game, "B"), forbidden


def test_a_room_that_follows_has_no_tops_before_its_clock_has_closed(client: Client, live_game: RoomsGame) -> None:
    live_game.club_game.begin_turn()
    live_game.announce("B")
    code = live_game.club_game.event.code
    assert client.get(f"/desk/{code}/tops/").status_code == 200
    assert client.get(f"/desk/{code}-2/tops/").status_code == 404


def test_the_desk_of_a_room_has_its_own_players_and_the_drawing_room_all(client: Client, live_game: RoomsGame) -> None:
    assert "Player A1" not in page(client, live_game, "B", "players/")
    assert "Player B11" in page(client, live_game, "B", "players/")
    everybody = page(client, live_game, "A", "players/")
    assert "Player A1" in everybody
    assert "Player B11" in everybody
    changes = [
        f"/desk/{live_game.club_game.event.code}{room}/players/{table}/" for room in ("", "-2") for table in (1, 11)
    ]
    assert [client.get(address).status_code for address in changes] == [200, 200, 404, 200]
    assert "another room" in act(client, live_game, "B", "player-leaves", table=1)
    assert act(client, live_game, "A", "move-players", table=1, room=2) == "1 player is in the room “B” now."
    assert "Player A1" in page(client, live_game, "B", "players/")
    assert 'form="move-players" name="table" value="2"' in everybody
    assert "Choose players first." in act(client, live_game, "A", "move-players", room=2)
    assert act(client, live_game, "A", "move-players", table=[1, 2, 3], room=2).startswith("2 players are in the room")


def test_standings_of_another_room_are_not_shown_at_the_desk_of_a_room(client: Client, live_game: RoomsGame) -> None:
    live_game.club_game.begin_turn()
    live_game.club_game.close()
    live_game.club_game.place()
    code = live_game.club_game.event.code
    assert client.get(f"/desk/{code}-2/standings/?of=1.all.1").status_code == 404
    assert client.get(f"/desk/{code}-2/standings.csv?of=1.all.3").status_code == 404
    assert client.get(f"/desk/{code}-2/standings/?of=1.all.2").status_code == 200
    assert client.get(f"/desk/{code}-2/standings/?of=1.all").status_code == 200
    assert client.get(f"/desk/{code}/standings/?of=1.all.2").status_code == 200
    said = act(client, live_game, "B", "make-document", kind="standings", choice="1.all.1")
    assert said == "These standings are shown at the desk of their room."
    assert not Document.objects.exists()


def test_a_sheet_belongs_to_the_desk_at_which_it_was_asked_for(client: Client, live_game: RoomsGame) -> None:
    act(client, live_game, "A", "make-document", kind="match")
    document = Document.objects.get()
    Document.objects.update(state="done", path="nowhere.pdf")
    assert document.room == live_game.room("A")
    code = live_game.club_game.event.code
    assert f"documents/{document.pk}/" in page(client, live_game, "A", "documents/")
    assert f"documents/{document.pk}/" not in page(client, live_game, "B", "documents/")
    assert client.get(f"/desk/{code}-2/documents/{document.pk}/").status_code == 404


def test_the_director_sees_every_room_and_only_the_director_changes_them(client: Client, live_game: RoomsGame) -> None:
    live_game.club_game.begin_turn()
    rooms = page(client, live_game, "A", "rooms/")
    assert rooms.count('<th scope="row"') == 3
    assert "being judged" in rooms
    assert "not started" in rooms
    judge = User.objects.create(username="judge of a room")
    Membership.objects.create(event=live_game.club_game.event, user=judge, role=Role.JUDGE)
    client.force_login(judge)
    answer = client.post(f"/desk/{live_game.club_game.event.code}-2/do/add-room/", {"name": "Mine"})
    assert answer.status_code == 403
    assert Room.objects.count() == 3


def test_taking_back_in_a_room_takes_back_only_what_it_was_shown(client: Client, live_game: RoomsGame) -> None:
    live_game.club_game.begin_turn()
    live_game.club_game.close()
    live_game.club_game.place()
    live_game.play("B")
    assert act(client, live_game, "B", "undo") == "Turn 1 is open again."
    assert (live_game.phase("A"), live_game.phase("B")) == ("placed", "closed")


def test_a_room_that_is_removed_from_its_own_desk_leads_to_the_first_desk(client: Client, live_game: RoomsGame) -> None:
    empty = Room.objects.create(event=live_game.club_game.event, name="Cellar", number=9)
    path = f"/desk/{live_game.club_game.event.code}-9/do/remove-room/"
    answer = client.post(path, {"room": empty.number}, headers={"HX-Request": "true"})
    assert answer["HX-Redirect"] == f"/desk/{live_game.club_game.event.code}/"
    assert not Room.objects.filter(pk=empty.pk).exists()


@pytest.mark.parametrize("name", ["A", "B"])
def test_a_desk_whose_slips_wait_for_a_missing_word_list_says_so(
    client: Client, live_game: RoomsGame, name: str, settings: Settings, tmp_path: Path
) -> None:
    live_game.club_game.begin_turn("ACEIRST")
    live_game.announce("B")
    closed = clocks.close_due_clocks(now=live_game.club_game.later(1000), rooms=[live_game.room(name).pk])
    assert len(closed) == 1
    assert "The slips are being judged." in page(client, live_game, name)
    installed, settings.DATA_DIR = settings.DATA_DIR, tmp_path
    text = page(client, live_game, name)
    assert "is not installed any more; put its file back." in text
    assert "The slips are being judged." not in text
    settings.DATA_DIR = installed
    judge_closed_rooms(now=live_game.club_game.now)
    assert "put its file back." not in page(client, live_game, name)
    settings.DATA_DIR = tmp_path
    text = page(client, live_game, name)
    assert "put its file back." in text
    assert "No move is possible" not in text


def test_the_desk_of_a_placed_turn_opens_without_the_word_list(
    client: Client, live_game: RoomsGame, settings: Settings, tmp_path: Path
) -> None:
    live_game.club_game.play("ACEIRST")
    settings.DATA_DIR = tmp_path
    assert "put its file back." in page(client, live_game, "A")
