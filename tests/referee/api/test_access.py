"""Access to the API: off without a token, wrong and revoked tokens, limits, and the page where tokens are made."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import get_resolver

from referee.api import access
from referee.api.urls import urlpatterns
from referee.security import failure_throttle
from referee.security.token_bucket import Rate, Throttle
from tests.referee.api.conftest import TOKEN, Reader
from tests.tournaments.club_game import ClubGame
from tournaments.models import ApiToken
from tournaments.now import utc_now
from tournaments.publishing.services.api_tokens import revoke_token
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db
PATHS = ("events", "events/1", "events/1/standings", "events/1/games/1", "events/1/games/1/standings", "seasons")
ALL_PATHS = (*PATHS, "seasons/1/rankings/1", "openapi.json")


def test_without_a_token_the_api_is_an_unknown_address(club_game: ClubGame) -> None:
    client = Client(enforce_csrf_checks=True)
    nowhere = client.get("/api/v1/there-is-nothing/")
    unknown = nowhere.content
    assert set(nowhere.json()) == {"detail"}
    for path in (*ALL_PATHS, "docs", ""):
        for send in (client.get, client.post, client.options):
            answer = send(f"/api/v1/{path}", headers={"Authorization": "Bearer x"})
            assert (answer.status_code, answer.content) == (404, unknown), path
    assert len(urlpatterns) == len(ALL_PATHS)
    assert all(hasattr(pattern.callback, "__wrapped__") for pattern in urlpatterns)
    assert not [name for name in get_resolver().reverse_dict if "swagger" in str(name)]


def test_only_a_valid_token_reads(reader: Reader, club_game: ClubGame) -> None:
    assert reader.get("openapi.json").status_code == 200
    for token in ("", "wrong", TOKEN + " ", TOKEN[:-1], TOKEN.upper(), "é", "\x00"):
        answers = [Reader(token).get(path) for path in ALL_PATHS]
        expected = 200 if token.strip() == TOKEN else 401
        assert {answer.status_code for answer in answers} <= {expected, 404 if expected == 200 else 401}, token
    assert reader.client.get("/api/v1/events").status_code == 401
    assert reader.client.get("/api/v1/events")["WWW-Authenticate"] == "Bearer"
    assert reader.client.get(f"/api/v1/events?token={TOKEN}").status_code == 401


def test_nothing_can_be_written(reader: Reader, club_game: ClubGame) -> None:
    for send in (reader.client.post, reader.client.put, reader.client.patch, reader.client.delete):
        assert send("/api/v1/events", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 405


def test_a_revoked_token_is_void_and_the_last_one_closes_the_api(reader: Reader) -> None:
    revoke_token(pk=ApiToken.objects.get().pk, now=utc_now())
    access.valid_tokens.forget()
    assert reader.get("events").status_code == 404


def test_wrong_tokens_are_delayed_and_right_ones_are_not(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failure_throttle, "_failures", Throttle(Rate(per_second=0.001, burst=3)))
    answers = [Reader("wrong").get("events") for _number in range(5)]
    delays = [failure_throttle.delay_of(answer.wsgi_request) for answer in answers]
    assert delays == [0, 0, 0, failure_throttle.DELAY_S, failure_throttle.DELAY_S]
    assert failure_throttle.delay_of(reader.get("events").wsgi_request) == 0


def test_a_token_that_asks_too_often_waits_and_others_do_not(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "_requests", Throttle(Rate(per_second=0.5, burst=3), clock=lambda: 1.0))
    answers = [reader.get("events") for _number in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert answers[3]["Retry-After"] == "2"
    client = logged_in()
    other = Reader(re.findall(r'class="copied">([\w-]{43})<', create(client, "Another"))[0])
    assert other.get("events").status_code == 200


def logged_in() -> Client:
    client = Client()
    client.force_login(first_judge())
    return client


def create(client: Client, name: str) -> str:
    answer = client.post("/desk/club/api/", {"name": name})
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


def test_the_page_shows_a_token_once_and_stores_only_its_hash() -> None:
    client = logged_in()
    assert "there is no valid token" in client.get("/desk/club/api/").content.decode()
    [token] = re.findall(r'class="copied">([\w-]{43})<', create(client, "Club site"))
    stored = ApiToken.objects.get()
    assert token not in str(stored.__dict__)
    page = client.get("/desk/club/api/").content.decode()
    assert token not in page
    assert "never" in page
    reader, today = Reader(token), utc_now().date()
    assert reader.get("events").status_code == 200
    stored.refresh_from_db()
    assert stored.last_used_on in (today, utc_now().date())
    assert client.post("/desk/club/api/", {"revoke": stored.pk}).status_code == 302
    assert reader.get("events").status_code == 404
    assert "revoked on" in client.get("/desk/club/api/").content.decode()
    refused = client.post("/desk/club/api/", {"name": "  "})
    assert (refused.status_code, "Write what the token is for" in refused.content.decode()) == (422, True)
