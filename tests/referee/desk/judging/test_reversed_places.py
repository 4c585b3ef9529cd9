"""The question of the desk, asked once in an event, whether reversed references count."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from tests.referee.desk.play.test_keys import at_the_desk, reversed_place
from tests.tournaments.club_game import ClubGame, create_club_game
from tournaments.enums import Role
from tournaments.now import utc_now
from tournaments.play.position import profile_of
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db

QUESTION = "Do places written the other way round count?"


@pytest.fixture
def asked(db: None) -> ClubGame:
    club_game = create_club_game(first_judge())
    club_game.now = utc_now() - timedelta(seconds=60)
    reversed_place(club_game)
    return club_game


def console(client: Client, club_game: ClubGame) -> str:
    return client.get(f"/desk/{club_game.event.code}/").content.decode()


def answers(club_game: ClubGame, answer: str) -> str:
    """Return the console after the answer of the director."""
    client = Client()
    client.force_login(club_game.judge)
    address = f"/desk/{club_game.event.code}/do/reversed-places/"
    return client.post(address, {"answer": answer}, headers={"HX-Request": "true"}).content.decode()


def test_the_director_is_asked_with_two_buttons_and_a_judge_sees_who_decides(asked: ClubGame) -> None:
    director, judge = at_the_desk(asked, Role.DIRECTOR), at_the_desk(asked, Role.JUDGE)
    page = console(director, asked)
    assert QUESTION in page
    assert "A slip says CESTA 7L for 8. At 7L the word gets nothing; at L7 it is worth exactly 8." in page
    assert "Count such places in this event" in page
    assert "Keep them as they are written" in page
    seen = console(judge, asked)
    assert QUESTION in seen
    assert "Count such places in this event" not in seen
    assert "The director of the event decides this." in seen
    assert QUESTION not in console(at_the_desk(asked, Role.TYPIST), asked)


@pytest.mark.parametrize(("answer", "points", "switch"), [("count", 8, "reversed"), ("keep", 0, "zero")])
def test_the_answer_judges_the_turn_and_the_question_is_gone(
    asked: ClubGame, answer: str, points: int, switch: str
) -> None:
    assert QUESTION not in answers(asked, answer)
    assert asked.verdict(1).points == points
    assert profile_of(asked.refresh()).wrong_reference == switch


def test_an_answer_that_is_none_changes_nothing(asked: ClubGame) -> None:
    assert QUESTION in answers(asked, "perhaps")
    assert asked.verdict(1).points == 0
