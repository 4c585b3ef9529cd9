"""The page “Is everything ready?” and the address by which a phone confirms."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client

from referee.readiness.reach import AGAIN_WITHIN, VALID_FOR, ReachTest, reach_test
from referee.security.failure_throttle import FAILURE_RATE, delay_of
from tournaments.now import utc_now
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db
PHONE, OTHER = "192.168.77.5", "192.168.77.6"


@pytest.fixture(autouse=True)
def _no_test_under_way() -> Iterator[None]:
    reach_test.start_again()
    yield
    reach_test.start_again()


@pytest.fixture
def judge() -> Client:
    client = Client()
    client.force_login(first_judge(), "django.contrib.auth.backends.ModelBackend")
    return client


def test_the_page_shows_all_checks_and_the_remedies(judge: Client) -> None:
    page = judge.get("/desk/readiness/").content.decode()
    for text in (
        "Word lists",
        "Database",
        "Clock",
        "Windows Defender Firewall",
        "sudo ufw allow 80/tcp",
        "guest Wi-Fi",
    ):
        assert text in page


def test_a_phone_confirms_once_and_the_desk_shows_the_time(client: Client, judge: Client) -> None:
    address = f"/reach/{reach_test.get_token(utc_now())}/"
    assert "proves nothing" in client.get(address).content.decode()
    assert reach_test.confirmation is None
    assert "The connection works" in client.get(address, REMOTE_ADDR=PHONE).content.decode()
    assert "Confirmed by a phone at" in judge.get("/desk/readiness/phone/").content.decode()
    assert client.get(address, REMOTE_ADDR=PHONE).status_code == 200
    assert client.get(address, REMOTE_ADDR=OTHER).status_code == 404
    judge.post("/desk/readiness/")
    assert "Confirmed by" not in judge.get("/desk/readiness/").content.decode()
    assert client.get(address, REMOTE_ADDR=PHONE).status_code == 404


@pytest.mark.usefixtures("failures_at_one_moment")
def test_a_wrong_token_does_not_exist_and_counts_as_a_wrong_code(client: Client) -> None:
    reach_test.get_token(utc_now())
    answers = [client.get("/reach/wrong/", REMOTE_ADDR=OTHER) for _ in range(int(FAILURE_RATE.burst) + 1)]
    assert {answer.status_code for answer in answers} == {404}
    assert [delay_of(answer.wsgi_request) for answer in (answers[0], answers[-1])] == [0.0, 1.0]
    assert not answers[0].cookies


def test_without_a_test_no_token_is_open_and_strangers_do_not_see_the_page(client: Client) -> None:
    assert client.get("/reach//").status_code == 404
    assert client.get("/reach/x/").status_code == 404
    assert client.get("/desk/readiness/").status_code == 302


def test_tokens_end_after_an_hour_and_the_used_one_after_some_minutes() -> None:
    reach, now = ReachTest(), utc_now()
    token = reach.get_token(now)
    assert reach.get_token(now + VALID_FOR / 2) == token
    assert not reach.is_open(token, now + VALID_FOR * 1.01, PHONE)
    assert reach.get_token(now + VALID_FOR * 1.01) != token
    token = reach.get_token(now + VALID_FOR * 1.01)
    used = now + VALID_FOR * 1.02
    reach.confirm(used, PHONE)
    assert reach.is_open(token, used + AGAIN_WITHIN / 2, PHONE)
    assert not reach.is_open(token, used + AGAIN_WITHIN * 1.1, PHONE)
