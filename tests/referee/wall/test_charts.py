"""The charts on the wall: only where it was opened so, and only of turns that its room was shown."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.tournaments.conftest import _small_word_list, small_data_folder
from tests.tournaments.hall_of_rooms import three_rooms
from tests.tournaments.night import begin
from tournaments.services.access import first_judge

__all__ = ["_small_word_list", "small_data_folder"]
pytestmark = pytest.mark.django_db


def test_a_wall_shows_charts_where_it_was_opened_so(client: Client) -> None:
    token = begin(first_judge()).event.wall_token
    assert 'id="charts"' not in client.get(f"/wall/{token}/").content.decode()
    page = client.get(f"/wall/{token}/?charts=1").content.decode()
    assert f'data-source="/wall/{token}/charts/"' in page
    assert client.get("/wall/invented/charts/").status_code == 404


def test_a_room_sees_charts_of_a_turn_once_it_was_shown_its_move(client: Client) -> None:
    evening = three_rooms(first_judge())
    night = evening.night

    def charts(name: str) -> str:
        room = evening.room(name)
        return client.get(f"/wall/{room.wall_token or night.event.wall_token}/charts/").content.decode()

    night.begin_turn("CORNOAT")
    night.phone(1, "CORNO", "8D", 22)
    night.phone(2, "PLANTEDWORD", "8D", 99)
    night.close()
    assert charts("A").strip() == ""
    night.place()
    assert "CORNO 8D" in charts("A")
    assert "PLANTEDWORD" not in charts("A")
    assert charts("B").strip() == ""
    evening.play("B")
    assert "0 of 4" in charts("B")
    assert "CORNO" not in charts("B")
