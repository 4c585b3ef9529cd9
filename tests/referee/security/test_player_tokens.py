"""A player's token is in a signed cookie that scripts cannot read."""

from __future__ import annotations

import hashlib
import time

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from referee.security.player_tokens import (
    COOKIE,
    SEAT_LIFETIME,
    leave_seat,
    new_token,
    put_seat,
    read_seat,
    read_seat_hash,
)


def cookie_of(response: HttpResponse) -> str:
    return str(response.cookies[COOKIE].value)


def test_a_token_has_at_least_128_bits_and_is_never_the_same() -> None:
    tokens = {new_token() for _ in range(1000)}
    assert len(tokens) == 1000
    assert min(len(token) for token in tokens) * 6 >= 128


def test_a_phone_that_was_given_a_seat_is_known_by_it() -> None:
    response, token = HttpResponse(), new_token()
    put_seat(response, RequestFactory().get("/"), token)
    cookies = {COOKIE: cookie_of(response)}
    assert read_seat(cookies) == token
    assert read_seat_hash(cookies) == hashlib.sha256(token.encode()).hexdigest()


def test_the_cookie_is_hidden_from_scripts_and_other_sites() -> None:
    response = HttpResponse()
    put_seat(response, RequestFactory().get("/"), new_token())
    morsel = response.cookies[COOKIE]
    assert morsel["httponly"] is True
    assert morsel["samesite"] == "Lax"
    assert not morsel["secure"]


def test_over_https_the_cookie_never_travels_by_plain_http() -> None:
    response = HttpResponse()
    put_seat(response, RequestFactory().get("/", secure=True), new_token())
    assert response.cookies[COOKIE]["secure"] is True


@pytest.mark.parametrize("forged", ["", "abc", "abc:1:def", "x" * 5000, "äöü:%:%"])
def test_a_forged_cookie_is_no_seat(forged: str) -> None:
    assert read_seat({COOKIE: forged}) is None


def test_a_token_without_its_signature_is_no_seat() -> None:
    response, token = HttpResponse(), new_token()
    put_seat(response, RequestFactory().get("/"), token)
    assert read_seat({COOKIE: token}) is None
    assert read_seat({COOKIE: cookie_of(response)[:-1]}) is None


def test_a_seat_of_last_season_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    response, token = HttpResponse(), new_token()
    put_seat(response, RequestFactory().get("/"), token)
    later = time.time() + SEAT_LIFETIME.total_seconds() + 5
    monkeypatch.setattr(time, "time", lambda: later)
    assert read_seat({COOKIE: cookie_of(response)}) is None


def test_leaving_takes_the_cookie_away() -> None:
    response = HttpResponse()
    leave_seat(response)
    assert cookie_of(response) == ""
    assert response.cookies[COOKIE]["max-age"] == 0
