"""A reader with a token, and a club night in which nothing is cached longer than from one look to the next."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from django.test import Client

from referee.api import access, answers
from referee.public.page_cache import AnswerCache
from referee.security import failure_throttle
from tests.tournaments.club_game import ClubGame, create_club_game
from tests.tournaments.conftest import _small_word_list, small_data_folder
from tournaments.now import utc_now
from tournaments.players.services.players import NewPlayer
from tournaments.publishing.services.api_tokens import create_token
from tournaments.staff.services.login_links import first_judge

__all__ = ["_small_word_list", "small_data_folder"]
TOKEN = "the-token-of-the-club-site"


class Reader:
    """A program that reads with this token."""

    def __init__(self, token: str = TOKEN) -> None:
        self.client = Client()
        self.token = token

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(f"/api/v1/{path}", headers={"Authorization": f"Bearer {self.token}", **headers})

    def json(self, path: str) -> Any:
        answer = self.get(path)
        assert answer.status_code == 200, (path, answer.content)
        return answer.json()


@pytest.fixture(autouse=True)
def _looks_each_time(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Clocks that jump an hour at each look; limits are forgotten between tests."""
    hours = (float(hour * 3600) for hour in count())
    monkeypatch.setattr(answers, "events", AnswerCache(answers._find_event, lambda: next(hours)))
    monkeypatch.setattr(answers, "seasons", AnswerCache(answers._find_seasons, lambda: next(hours)))
    access.reset_requests()
    answers.forget_answers()
    yield
    access.reset_requests()
    failure_throttle.reset_failures()


@pytest.fixture
def club_game(db: None) -> ClubGame:
    return create_club_game(
        first_judge(), players=[NewPlayer(1, "Anna Rossi", "Torino"), NewPlayer(2, "Bruno Verdi", nickname="Bru")]
    )


@pytest.fixture
def reader(db: None) -> Reader:
    create_token(name="Club site", token=TOKEN, by=first_judge(), now=utc_now())
    access.valid_tokens.forget()
    return Reader()
