"""Cache of the public pages: read once a second for each language, not filled by guessed addresses."""

from __future__ import annotations

import gzip

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from referee.public import views
from referee.public.page_cache import PageCache
from referee.security.token_bucket import Rate, Throttle
from tests.tournaments.club_game import ClubGame, create_club_game
from tournaments.models import PublicPage
from tournaments.results.services import public_page
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db


class Hands:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Hands:
    hands = Hands()
    monkeypatch.setattr(views, "cached_pages", PageCache(hands))
    return hands


@pytest.fixture
def club_game() -> ClubGame:
    return create_club_game(first_judge(), language="it")


def switch_on(club_game: ClubGame) -> PublicPage:
    return public_page.set_page(
        event=club_game.event,
        is_on=True,
        delay=0,
        own_sheets=False,
        may_be_found=False,
        by=club_game.judge,
        now=club_game.later(),
    )


def test_the_database_is_asked_once_a_second_and_the_page_made_when_something_changed(
    client: Client, clock: Hands, club_game: ClubGame
) -> None:
    page = switch_on(club_game)
    path = f"/p/{page.token}/"
    first = client.get(path).content
    club_game.begin_turn()
    with CaptureQueriesContext(connection) as queries:
        assert client.get(path).content == first
    assert len(queries) == 0
    clock.seconds = 1.0
    assert client.get(path).content != first
    clock.seconds = 2.0
    with CaptureQueriesContext(connection) as queries:
        for _reader in range(10):
            assert client.get(path).status_code == 200
    assert 0 < len(queries) < 8


def test_a_page_speaks_the_language_of_the_event_to_everybody(
    client: Client, clock: Hands, club_game: ClubGame
) -> None:
    path = f"/p/{switch_on(club_game).token}/"
    answers = [client.get(path, headers={"Accept-Language": language}) for language in ("en", "it", "fr")]
    assert {answer["Content-Language"] for answer in answers} == {"it"}
    assert {answer.content for answer in answers} == {answers[0].content}
    assert '<html lang="it">' in answers[0].content.decode()


def test_who_takes_it_zipped_gets_the_same_page(client: Client, clock: Hands, club_game: ClubGame) -> None:
    path = f"/p/{switch_on(club_game).token}/"
    plain, zipped = client.get(path), client.get(path, headers={"Accept-Encoding": "gzip"})
    assert zipped["Content-Encoding"] == "gzip"
    assert gzip.decompress(zipped.content) == plain.content
    assert "Accept-Encoding" in plain["Vary"]


def test_addresses_that_somebody_tries_push_no_page_out_and_are_slowed_down(
    client: Client, clock: Hands, club_game: ClubGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = switch_on(club_game)
    monkeypatch.setattr(views, "_unknown_limit", Throttle(Rate(per_second=0.001, burst=80)))
    assert client.get(f"/p/{page.token}/").status_code == 200
    tried = [client.get(f"/p/guess{number}/").status_code for number in range(90)]
    assert tried[:79] == [404] * 79
    assert tried[80:] == [429] * 10
    with CaptureQueriesContext(connection) as queries:
        assert client.get(f"/p/{page.token}/").status_code == 200
    assert len(queries) == 0


def test_only_reading_is_possible(client: Client, clock: Hands, club_game: ClubGame) -> None:
    path = f"/p/{switch_on(club_game).token}/"
    assert [client.post(path).status_code, client.delete(path).status_code] == [405, 405]
    assert client.head(path).status_code == 200
