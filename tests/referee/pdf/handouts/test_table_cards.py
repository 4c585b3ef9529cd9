"""Table cards show the number to the room and how to join to the player; only the player's side has the seat code."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from django.urls import reverse

from referee.pdf.handouts.table_cards import (
    TableCard,
    chosen_table_cards_pdf,
    draw_cards,
    label_of_cards,
    offered_cards,
    read_cards,
    table_cards_pdf,
)
from tests.engine.archive.played_game import play_game_archive
from tests.referee.live.live_game import LiveGame, make_live_game
from tests.referee.pdf.pages import pages_of, qr_at
from tournaments.models import Event, Player
from tournaments.players.seat_codes import format_seat_code, seat_code

DOOR = "http://192.168.1.20:8000/join/ABCDE/"


@pytest.fixture
def live_game(db: None) -> LiveGame:
    return make_live_game(joined=False)


@pytest.fixture
def reachable(settings: Any) -> str:
    settings.PUBLIC_URL = "http://192.168.1.20:8000"
    return str(settings.PUBLIC_URL)


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_one_side_shows_the_number_and_the_other_how_to_join(small: bool, paper: str) -> None:
    card = TableCard(17, "Anna Ferri", DOOR, "7K3M-9QWX")
    pdf = draw_cards(play_game_archive(turns=1), [card], "ABCDE", language="en", paper=paper, small=small)
    [page] = pages_of(pdf)
    fold = next(box for box in page.boxes if box.text == "fold")
    number = max((box for box in page.boxes if box.text == "17"), key=lambda box: box.top - box.low)
    assert number.low > fold.top
    assert number.top - number.low > page.height / 10
    for text in ("Table 17", "7K3M-9QWX", "ABCDE", "192.168.1.20:8000/join/ABCDE", "Wi-Fi"):
        assert all(box.top < fold.low for box in page.boxes if box.text == text), text
        assert text in page.text
    assert qr_at(pdf, f"{DOOR}?{urlencode({'table': '17', 'seat_code': '7K3M-9QWX'})}")


def test_from_an_archive_there_is_a_card_for_each_player_and_a_line_for_the_address() -> None:
    archive = play_game_archive(turns=1)
    pages = pages_of(table_cards_pdf(archive, language="en"))
    assert len(pages) == len(archive["players"])
    assert all("No QR code: this server has no address" in page.text for page in pages)


@pytest.mark.usefixtures("reachable")
def test_the_secret_of_a_table_is_printed_only_where_the_event_asks_for_it(live_game: LiveGame) -> None:
    event, game, room = live_game.event, live_game.game, live_game.room
    codes = [format_seat_code(seat_code(player)) for player in Player.objects.filter(event=event)]
    text = " ".join(page.text for page in pages_of(chosen_table_cards_pdf(game, room, "", language="en")))
    assert not any(code in text for code in codes)
    Event.objects.filter(pk=event.pk).update(seat_codes=True)
    game.refresh_from_db()
    event.refresh_from_db()
    pdf = chosen_table_cards_pdf(game, room, "", language="en")
    text = " ".join(page.text for page in pages_of(pdf))
    assert all(code in text for code in codes)
    door = reverse("phone:join_event", args=[event.code])
    assert qr_at(pdf, f"http://192.168.1.20:8000{door}?{urlencode({'table': '1', 'seat_code': codes[0]})}")


def test_tables_can_be_chosen_by_number_with_the_names_of_those_who_are_there(live_game: LiveGame) -> None:
    pages = pages_of(chosen_table_cards_pdf(live_game.game, live_game.room, "small.3-6", language="en"))
    assert len(pages) == 2
    assert "Carla Monti" in pages[0].text
    assert "Table 6" in pages[1].text
    assert "Anna Ferri" not in pages[0].text + pages[1].text


def test_with_nobody_there_the_page_says_what_to_do(live_game: LiveGame) -> None:
    pdf = draw_cards(play_game_archive(turns=1), [], "ABCDE", language="en", paper="a4")
    assert "No table has a player yet." in pages_of(pdf)[0].text


@pytest.mark.parametrize("choice", ["0-5", "7-3", "1-5001", "1-", "small", "big.1-5", "1-5.small", "١-٥"])
def test_what_is_no_choice_of_tables_is_none(choice: str) -> None:
    assert read_cards(choice) is None


def test_everything_that_is_offered_can_be_read_and_has_a_name(live_game: LiveGame) -> None:
    for text, label in offered_cards(live_game.game, live_game.room):
        assert read_cards(text) is not None
        assert label
        assert label_of_cards(text)
