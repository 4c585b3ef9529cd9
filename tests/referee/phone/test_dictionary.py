"""The dictionary on a phone: in games with an open dictionary alone, and without what would tell of slips."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from referee.live.sockets import messages
from referee.phone import dictionary
from referee.security.token_bucket import Rate, Throttle
from referee.views.hall import get_public_view
from tests.referee.phone.test_player_sheet import phone_of
from tests.tournaments.club_game import ClubGame, create_club_game
from tests.tournaments.conftest import _small_word_list, small_data_folder
from tournaments.enums import Ruling
from tournaments.judging.services.agreed_words import agree_words
from tournaments.staff.services.login_links import first_judge

__all__ = ["_small_word_list", "small_data_folder"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def club_game() -> ClubGame:
    return create_club_game(first_judge(), switches={"open_dictionary": True})


def asked(phone: Client, question: str) -> str:
    return phone.get("/play/dictionary/", {"q": question}).content.decode()


def test_a_player_is_told_whether_a_word_is_valid_and_nothing_else(club_game: ClubGame) -> None:
    phone = phone_of(club_game, 1)
    page = asked(phone, "carte")
    assert "CARTE is valid: it is in the list it." in page
    assert "TARCE" not in page
    assert "ZZZ is not valid: it is not in the list it." in asked(phone, "zzz")
    for question in ("CA?TE", "C*", "A", "  ", "X" * 70):
        assert "Type one whole word." in asked(phone, question) or question.isspace()
    assert "no tile shows 1" in asked(phone, "A1")


def test_rulings_of_the_running_turn_are_not_told(club_game: ClubGame) -> None:
    phone = phone_of(club_game, 1)
    agree_words(game=club_game.game, text="INPS", by=club_game.judge, now=club_game.later())
    club_game.begin_turn("ACEIRST")
    club_game.phone(2, "TRISCEA", "8H", 76)
    club_game.close()
    club_game.rule("TRISCEA", Ruling.ACCEPTED)
    assert "TRISCEA is not valid: it is not in the list it." in asked(phone, "TRISCEA")
    assert "INPS is valid" in asked(phone, "INPS")
    club_game.place()
    club_game.begin_turn()
    assert "TRISCEA is valid: the judge accepted it from turn 1 on" in asked(phone, "TRISCEA")


def test_without_the_rule_there_is_no_dictionary(client: Client) -> None:
    club_game = create_club_game(first_judge())
    phone = phone_of(club_game, 1)
    page = asked(phone, "CARTE")
    assert "players may not use a dictionary" in page
    assert "valid" not in page
    assert client.get("/play/dictionary/").headers["Location"] == "/"


@pytest.mark.parametrize("is_open", [True, False])
def test_the_phone_is_told_whether_it_may_offer_the_dictionary(is_open: bool) -> None:
    club_game = create_club_game(first_judge(), switches={"open_dictionary": is_open})
    view = json.loads(messages.phone_view(get_public_view(club_game.game, club_game.room, club_game.later())))
    assert view["open_dictionary"] is is_open


def test_many_questions_of_one_phone_have_to_wait(club_game: ClubGame, monkeypatch: pytest.MonkeyPatch) -> None:
    phone = phone_of(club_game, 1)
    monkeypatch.setattr(dictionary, "_question_limit", Throttle(Rate(per_second=1, burst=1), clock=lambda: 0.0))
    assert phone.get("/play/dictionary/", {"q": "CARTE"}).status_code == 200
    answer = phone.get("/play/dictionary/", {"q": "CARTE"})
    assert answer.status_code == 429
    assert "Too many searches: wait 1 s." in answer.content.decode()
