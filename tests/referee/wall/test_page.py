from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.referee.phone.seats import open_event, seat_player
from tournaments.models import Event, Turn

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return open_event(language="it")


def wall(client: Client, event: Event, **headers: str) -> str:
    answer = client.get(f"/wall/{event.wall_token}/", headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_wall_shows_how_to_join(client: Client, event: Event) -> None:
    page = wall(client, event)
    assert event.code in page
    assert "testserver" in page
    assert "<svg" in page
    assert f'data-socket="/ws/wall/{event.wall_token}/?room={event.code}"' in page


def test_the_wall_speaks_the_language_of_the_event_whatever_the_projector_prefers(client: Client, event: Event) -> None:
    headers = {"Accept-Language": "en"}
    assert '<html lang="it"' in wall(client, event, **headers)
    texts = client.get(f"/wall/{event.wall_token}/texts.js", headers=headers)
    assert texts["Content-Language"] == "it"
    assert f'src="/wall/{event.wall_token}/texts.js"' in wall(client, event)


@pytest.mark.parametrize("path", ["/wall/invented/", "/wall/invented/texts.js", "/wall/KTMQX/"])
def test_a_wall_that_nobody_hung_up_does_not_exist(client: Client, event: Event, path: str) -> None:
    assert client.get(path).status_code == 404


def test_the_wall_has_nothing_to_press_but_the_voice_and_no_way_to_the_desk(client: Client, event: Event) -> None:
    page = wall(client, event)
    assert re.findall(r"<(button|input|form|a)\b", page) == ["button"]
    assert '<button type="button" id="voice"' in page
    assert "/desk/" not in page
    assert client.post(f"/wall/{event.wall_token}/").status_code == 405


def test_neither_seed_nor_rack_nor_top_nor_a_player_s_key_is_on_the_page(client: Client, event: Event) -> None:
    Turn.objects.create(
        game=event.games.get(),
        number=1,
        rack="QUZZHGF",
        board=["." * 15] * 15,
        top=77,
        tops=[{"word": "QUZHY", "ref": "8H", "score": 77, "why": ""}],
        drawn_at=event.created_at,
    )
    player = seat_player(event, 3, "Anna")
    player.token_hash = "f" * 64
    player.save()
    page = wall(client, event) + client.get(f"/wall/{event.wall_token}/?overlay").content.decode()
    for secret in ("QUZZHGF", "QUZHY", "planted-seed", event.games.get().seed.hex(), "f" * 64):
        assert secret not in page


def test_the_overlay_of_a_stream_is_the_wall_with_a_style_sheet_more(client: Client, event: Event) -> None:
    overlay = client.get(f"/wall/{event.wall_token}/?overlay").content.decode()
    assert 'class="dark overlay"' in overlay
    assert "wall/overlay" in overlay
    assert "wall/overlay" not in wall(client, event)
    assert f'data-socket="/ws/wall/{event.wall_token}/?room={event.code}"' in overlay


def test_nothing_on_the_wall_breaks_the_content_security_policy(client: Client, event: Event) -> None:
    page = wall(client, event)
    assert not re.search(r"<style|\sstyle=|\son\w+=", page)
    addresses = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert addresses
    assert all(address.startswith("/") for address in addresses)
