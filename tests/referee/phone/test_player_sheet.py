"""A player's own game on his phone: light, for him alone, and never ahead of his room."""

from __future__ import annotations

import gzip

import pytest
from django.test import Client

from referee.security.player_tokens import new_token
from tests.referee.live.live_game import seat_cookie
from tests.tournaments.club_game import ClubGame, create_club_game
from tests.tournaments.conftest import _small_word_list, small_data_folder
from tournaments.enums import EndReason
from tournaments.play.services import game_end
from tournaments.players.services import players
from tournaments.staff.services.login_links import first_judge

__all__ = ["_small_word_list", "small_data_folder"]
pytestmark = pytest.mark.django_db

OWN_WORD, FOREIGN_WORD = "OWNPLANTEDWORD", "FOREIGNPLANTEDWORD"


@pytest.fixture
def club_game() -> ClubGame:
    return create_club_game(first_judge())


def phone_of(club_game: ClubGame, table: int) -> Client:
    token = new_token()
    players.join_event(event=club_game.event, name="", table=table, now=club_game.later(), token=token)
    client = Client()
    name, _equals, value = seat_cookie(token).partition("=")
    client.cookies[name] = value
    return client


def read(phone: Client) -> str:
    answer = phone.get("/play/my-sheet/")
    assert answer.status_code == 200
    return answer.content.decode()


def test_without_a_seat_there_is_no_sheet(client: Client, club_game: ClubGame) -> None:
    assert client.get("/play/my-sheet/").headers["Location"] == "/"


def test_own_slips_stand_on_it_once_the_room_was_shown_the_turn(club_game: ClubGame) -> None:
    phone = phone_of(club_game, 1)
    club_game.begin_turn("CORNOAT")
    club_game.phone(1, OWN_WORD, "8H", 864)
    club_game.phone(2, FOREIGN_WORD, "8H", 753)
    club_game.close()
    tops = [top["word"] for top in club_game.turn.tops or ()]
    before = read(phone)
    assert [word for word in (OWN_WORD, FOREIGN_WORD, *tops, club_game.turn.rack) if word in before] == []
    club_game.place()
    after = read(phone)
    assert OWN_WORD in after
    assert "864" in after
    assert FOREIGN_WORD not in after
    assert "753" not in after
    assert "<svg" in after


def test_the_page_of_a_long_game_is_light(club_game: ClubGame) -> None:
    phone = phone_of(club_game, 1)
    for _turn in range(6):
        club_game.begin_turn()
        club_game.phone(1, "CORNO", "8D", 22)
        club_game.close()
        club_game.place()
    answer = phone.get("/play/my-sheet/", headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(answer.content).count(b"<li class=") == 6
    assert len(answer.content) < 6_000
    assert "private" in answer["Cache-Control"]


def test_the_card_of_a_player_is_a_page_once_the_game_is_over(club_game: ClubGame) -> None:
    winner, other = phone_of(club_game, 1), phone_of(club_game, 2)
    club_game.begin_turn("CORNOAT")
    best = (club_game.turn.tops or [])[0]
    club_game.phone(1, best["word"], best["ref"], best["score"])
    club_game.close()
    club_game.place()
    assert winner.get("/play/card/").headers["Location"] == "/play/my-sheet/?game=1"
    assert "/play/card/" not in read(winner)
    game_end.end_game(game=club_game.refresh(), why=EndReason.JUDGE, by=club_game.judge, now=club_game.later())
    assert "/play/card/?game=1" in read(winner)
    answer = winner.get("/play/card/")
    assert "private" in answer["Cache-Control"]
    card = " ".join(answer.content.decode().split())
    assert '<body class="play gold">' in card
    assert f"1 of 4 · {best['score']} points" in card
    assert "<b>100.0%</b> <span>of the top</span>" in card
    assert f'aria-label="Best word: {best["word"]}"' in card
    assert "<script" not in card
    losing = other.get("/play/card/").content.decode()
    assert "gold" not in losing
    assert best["word"] not in losing
    assert other.get("/play/card/", {"game": "2"}).status_code == 404


def test_another_game_than_the_players_is_not_there(club_game: ClubGame) -> None:
    phone = phone_of(club_game, 1)
    for wanted in ("2", "0", "x"):
        assert phone.get("/play/my-sheet/", {"game": wanted}).status_code == 404
    assert phone.get("/play/my-sheet/", {"game": "1"}).status_code == 200
