"""Charts on the wall: only if its address asks for them, and only of turns that the room has been shown."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.tournaments.club_game import create_club_game
from tests.tournaments.conftest import _small_word_list, small_data_folder
from tests.tournaments.rooms_game import create_three_rooms
from tournaments.staff.services.login_links import first_judge

__all__ = ["_small_word_list", "small_data_folder"]
pytestmark = pytest.mark.django_db


def test_a_wall_shows_charts_where_it_was_opened_so(client: Client) -> None:
    token = create_club_game(first_judge()).event.wall_token
    assert 'id="charts"' not in client.get(f"/wall/{token}/").content.decode()
    page = client.get(f"/wall/{token}/?charts=1").content.decode()
    assert f'data-source="/wall/{token}/charts/"' in page
    assert client.get("/wall/invented/charts/").status_code == 404


def test_a_room_sees_charts_of_a_turn_once_it_was_shown_its_move(client: Client) -> None:
    live_game = create_three_rooms(first_judge())
    club_game = live_game.club_game

    def charts(name: str) -> str:
        room = live_game.room(name)
        return client.get(f"/wall/{room.wall_token or club_game.event.wall_token}/charts/").content.decode()

    club_game.begin_turn("CORNOAT")
    club_game.phone(1, "CORNO", "8D", 22)
    club_game.phone(2, "PLANTEDWORD", "8D", 99)
    club_game.close()
    assert charts("A").strip() == ""
    club_game.place()
    assert "CORNO 8D" in charts("A")
    assert "PLANTEDWORD" not in charts("A")
    assert charts("B").strip() == ""
    live_game.play("B")
    assert "0 of 4" in charts("B")
    assert "CORNO" not in charts("B")
