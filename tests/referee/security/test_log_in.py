"""Log-in with a password: nothing about accounts is revealed, guessing is slow, no lock-out of a whole hall."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from referee.security import login_throttle
from referee.security.login import make_link_token
from referee.security.token_bucket import Throttle

pytestmark = pytest.mark.django_db
PASSWORD = "tre parole a caso"
HALL = "192.168.7.77"


@pytest.fixture(autouse=True)
def _no_pause() -> Iterator[None]:
    login_throttle.reset_attempts()
    yield
    login_throttle.reset_attempts()


@pytest.fixture
def anna() -> User:
    return User.objects.create_user("anna", password=PASSWORD)


def try_to_log_in(username: str, password: str, address: str = HALL, **headers: str) -> Any:
    return Client().post(
        "/desk/locked/", {"username": username, "password": password}, REMOTE_ADDR=address, headers=headers
    )


def sentence(answer: Any) -> str:
    return str(answer.context["sentence"])


def test_the_right_password_opens_the_page_that_was_asked_for(anna: User) -> None:
    client = Client()
    asked = client.get("/desk/account/")["Location"]
    page = client.get(asked)
    assert (page.status_code, 'value="/desk/account/"' in page.content.decode()) == (403, True)
    answer = client.post("/desk/locked/", {"username": "anna", "password": PASSWORD, "next": "/desk/account/"})
    assert answer["Location"] == "/desk/account/"
    assert client.get("/desk/account/").status_code == 200


@pytest.mark.parametrize("foreign", ["https://evil.example/", "//evil.example/x", "javascript:alert(1)", "\\\\evil"])
def test_nobody_is_sent_to_a_foreign_page(anna: User, foreign: str) -> None:
    answer = Client().post("/desk/locked/", {"username": "anna", "password": PASSWORD, "next": foreign})
    assert answer["Location"] == "/desk/"


def test_a_wrong_log_in_does_not_tell_whether_the_user_exists(anna: User) -> None:
    User.objects.create_user("linked")  # comes by links and has no password
    User.objects.create_user("gone", password=PASSWORD, is_active=False)
    answers = [
        try_to_log_in(name, password)
        for name, password in (
            ("anna", "wrong"),
            ("nobody", PASSWORD),
            ("linked", ""),
            ("linked", PASSWORD),
            ("gone", PASSWORD),
            ("", ""),
        )
    ]
    assert {(answer.status_code, sentence(answer)) for answer in answers} == {
        (403, "User name or password is wrong: type them again.")
    }


def test_guessing_is_ended_after_a_few_tries_with_the_remedy_and_the_same_for_a_user_who_is_not_there(
    anna: User, settings: Settings
) -> None:
    for name in ("anna", "nobody"):
        for _ in range(settings.AXES_FAILURE_LIMIT):
            answer = try_to_log_in(name, "wrong")
        assert answer.status_code == 429, name
        assert "wait 10 minutes, or ask the director for a link" in sentence(answer)
        assert "wait 10 minutes" in sentence(try_to_log_in(name, PASSWORD)), name


def test_behind_one_address_colleagues_log_in_while_one_of_them_is_locked_out(anna: User, settings: Settings) -> None:
    User.objects.create_user("bruno", password=PASSWORD)
    for _ in range(settings.AXES_FAILURE_LIMIT):
        try_to_log_in("anna", "wrong")
    assert try_to_log_in("anna", PASSWORD).status_code == 429
    assert try_to_log_in("bruno", PASSWORD).status_code == 302


def test_a_stranger_elsewhere_cannot_lock_a_colleague_out(anna: User, settings: Settings) -> None:
    for _ in range(settings.AXES_FAILURE_LIMIT):
        try_to_log_in("anna", "wrong", "203.0.113.9")
    assert try_to_log_in("anna", PASSWORD).status_code == 302


def test_a_locked_out_user_can_still_use_a_link(anna: User, settings: Settings) -> None:
    for _ in range(settings.AXES_FAILURE_LIMIT):
        try_to_log_in("anna", "wrong")
    client = Client(REMOTE_ADDR=HALL)
    assert client.post(f"/enter/{make_link_token(anna)}/")["Location"] == "/desk/"
    assert client.get("/desk/account/").status_code == 200


def test_the_lock_opens_by_itself_and_trying_meanwhile_does_not_lengthen_it(anna: User, settings: Settings) -> None:
    for _ in range(settings.AXES_FAILURE_LIMIT):
        try_to_log_in("anna", "wrong")
    [locked] = AccessAttempt.objects.all()
    try_to_log_in("anna", "wrong")
    assert AccessAttempt.objects.get().attempt_time == locked.attempt_time
    AccessAttempt.objects.update(attempt_time=locked.attempt_time - settings.AXES_COOLOFF_TIME - timedelta(seconds=1))
    assert try_to_log_in("anna", PASSWORD).status_code == 302


def test_another_browser_on_the_same_device_gets_no_tries_of_its_own(anna: User, settings: Settings) -> None:
    for number in range(settings.AXES_FAILURE_LIMIT):
        try_to_log_in("anna", "wrong", **{"User-Agent": f"browser {number}"})
    assert try_to_log_in("anna", PASSWORD).status_code == 429


def test_many_names_from_one_network_are_slowed_down_before_a_password_is_looked_at(
    anna: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_network = Throttle(login_throttle._of_network._rate, clock=lambda: 0.0)  # no second passes for it
    monkeypatch.setattr(login_throttle, "_of_network", of_network)
    while login_throttle.get_wait(HALL) == 0.0:
        pass
    answer = try_to_log_in("anna", PASSWORD, "192.168.7.3")
    assert answer.status_code == 429
    assert "Many log-ins were tried from this network: wait" in sentence(answer)
    assert not AccessAttempt.objects.exists()
    assert try_to_log_in("anna", PASSWORD, "192.168.8.1").status_code == 302


def test_neither_passwords_nor_addresses_are_stored(anna: User) -> None:
    try_to_log_in("anna", "a-secret-guess")
    stored = str(list(AccessAttempt.objects.values()))
    assert "anna" in stored
    assert "a-secret-guess" not in stored
    assert HALL not in stored


def test_a_failed_log_in_is_logged_by_name_and_network_and_on_one_line(
    anna: User, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        try_to_log_in("anna\r\n2026-01-01 director logged in", "a-secret-guess")
    said = [record.getMessage() for record in caplog.records if record.name in ("multiplo.access", "axes")]
    [line] = [each for each in said if "log-in failed" in each]
    assert "anna 2026-01-01 director logged in" in line
    assert "192.168.7.0/24" in line
    assert not any(secret in each for each in said for secret in ("a-secret-guess", HALL, "\n"))


def test_an_invalid_link_is_logged_without_its_token(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="multiplo.access"):
        assert Client().get("/enter/an-invented-token/", REMOTE_ADDR=HALL)["Location"] == "/desk/locked/"
    [line] = [record.getMessage() for record in caplog.records if record.name == "multiplo.access"]
    assert "192.168.7.0/24" in line
    assert "an-invented-token" not in line
    assert HALL not in line


@pytest.mark.parametrize("name", ["\x00", "a" * 10_000, "🙂", "a\x00b"])
def test_names_that_no_account_can_have_are_refused_like_any_other(anna: User, name: str) -> None:
    assert try_to_log_in(name, "x" * 10_000).status_code == 403


def test_a_log_in_needs_the_page_and_not_a_foreign_form(anna: User) -> None:
    careful = Client(enforce_csrf_checks=True)
    assert careful.post("/desk/locked/", {"username": "anna", "password": PASSWORD}).status_code == 403
    assert "_auth_user_id" not in careful.session


def test_the_session_is_another_one_after_the_log_in(anna: User) -> None:
    client = Client()
    session = client.session
    session["planted"] = "before"
    session.save()
    before = client.cookies["sessionid"].value
    client.post("/desk/locked/", {"username": "anna", "password": PASSWORD})
    assert client.cookies["sessionid"].value != before
