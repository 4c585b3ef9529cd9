"""Acts that ask first: each names the act, says what happens and what changes, and never asks through the browser."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from django.test import Client

from tests.tournaments.club_game import ClubGame, create_club_game
from tournaments.players.services import players
from tournaments.staff.services.login_links import first_judge

STATIC = Path(__file__).resolve().parents[3] / "referee" / "static"
MOST_CHANGES = 3


@pytest.fixture
def live_game(db: None) -> ClubGame:
    return create_club_game(first_judge())


@pytest.fixture
def judge(client: Client, live_game: ClubGame) -> Client:
    client.force_login(live_game.judge)
    return client


def question(text: str, action: str) -> dict[str, str]:
    """Return the texts of the question of the first form for an action."""
    form = re.search(rf'<form[^>]*action="[^"]*/{action}/"[^>]*>', text)
    assert form is not None, action
    return {name: unescape(value) for name, value in re.findall(r'data-([a-z]+)="([^"]*)"', form[0])}


def require_question(asked: dict[str, str]) -> None:
    assert {"confirm", "title", "changes", "verb", "leave"} <= {*asked}
    assert asked["title"].endswith("?")
    assert asked["confirm"].endswith(".")
    assert 1 <= len(asked["changes"].splitlines()) <= MOST_CHANGES
    assert asked["verb"] != asked["leave"]
    assert "gives" not in asked


def test_no_script_asks_through_the_browser() -> None:
    asks = re.compile(r"(?<![\w.])(?:window\.)?(?:confirm|alert|prompt)\(")
    for script in STATIC.rglob("*.js"):
        assert not asks.search(script.read_text()), script


def test_a_removal_names_the_player_and_says_that_it_can_be_undone(judge: Client, live_game: ClubGame) -> None:
    players.join_event(event=live_game.event, name="", table=1, now=live_game.later(), token="phone")
    asked = question(judge.get(f"/desk/{live_game.event.code}/players/1/").content.decode(), "remove-player")
    require_question(asked)
    assert (asked["title"], asked["verb"]) == ("Remove Anna Rossi?", "Remove Anna Rossi")
    assert asked["changes"].splitlines() == [
        "The phone at this table leaves the game.",
        "You can undo this for ten minutes.",
    ]


def test_assigning_the_tables_says_that_cards_no_longer_fit(judge: Client, live_game: ClubGame) -> None:
    asked = question(judge.get(f"/desk/{live_game.event.code}/tables/").content.decode(), "assign-tables")
    require_question(asked)
    assert "Table cards that are printed no longer fit." in asked["changes"]
