"""Pages of a game whose word list is not installed any more: each opens or says what is missing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from tests.tournaments.club_game import ClubGame, create_club_game, play_turn, seeded_random
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db
OK, UNAVAILABLE = 200, 503
PAGES = (
    *("", "main/", "players/", "standings/", "analysis/", "log/", "documents/", "again/?turn=1", "appeals/"),
    *("tops/", "tables/", "entry-desk/", "archive.json", "standings.csv"),
)


@pytest.fixture
def club_game(client: Client) -> ClubGame:
    """A game of a judge, who has logged in."""
    judge = first_judge()
    client.force_login(judge, backend="django.contrib.auth.backends.ModelBackend")
    return create_club_game(judge)


def test_a_page_opens_without_the_word_list_or_names_it(
    client: Client, club_game: ClubGame, settings: Settings, tmp_path: Path
) -> None:
    play_turn(club_game, seeded_random(11))
    settings.DATA_DIR = tmp_path
    answers = {page: client.get(f"/desk/{club_game.event.code}/{page}") for page in PAGES}
    assert {answer.status_code for answer in answers.values()} == {OK, UNAVAILABLE}
    for page, answer in answers.items():
        is_named = "is not installed any more; put its file back." in answer.content.decode()
        assert is_named or answer.status_code == OK, page


def test_an_act_that_needs_the_word_list_changes_nothing_and_names_it(
    client: Client, club_game: ClubGame, settings: Settings, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    answer = client.post(f"/desk/{club_game.event.code}/do/draw/", headers={"HX-Request": "true"})
    said = json.loads(answer["HX-Trigger"])["notices"] if "HX-Trigger" in answer else answer.content.decode()
    assert "put its file back" in str(said)
    assert not club_game.game.turns.exists()
