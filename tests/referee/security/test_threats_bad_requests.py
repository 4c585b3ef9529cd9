"""A request that cannot be read is answered by a page or a sentence, and writes one line into the log."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.test import Client

from referee.phone.appeals import forget_senders
from referee.security.log_lines import OneLine
from tests.referee.live.evening import Evening, make_evening

pytestmark = pytest.mark.django_db
DEEP = "[" * 8_000
LONG = "9" * 4_500
OWN = {"Host": "localhost", "Origin": "http://localhost"}
IMPOSSIBLE = ("2026-02-30", "2026-13-01T10:00", "2026-02-30T25:61", "0001-01-01T00:00", "9999-12-31T23:59-14:00")
NO_NUMBERS = (LONG, "x", "²", "٣", "-1", "1e9")
BACK = ("foo", "desk:events", "//evil.example/", "http://evil.example/", "/\\evil.example", "")


class Lines(logging.Handler):
    """What the program writes into its log, as it stands there."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.setFormatter(OneLine("%(name)s %(message)s"))
        self.text: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.text += self.format(record).splitlines()


@pytest.fixture
def log() -> Iterator[Lines]:
    handler = Lines()
    logging.getLogger().addHandler(handler)
    yield handler
    logging.getLogger().removeHandler(handler)


@pytest.fixture
def evening() -> Evening:
    evening = make_evening()
    evening.draw("CORNOAT")
    evening.announce()
    return evening


@pytest.fixture
def desk(client: Client, evening: Evening) -> Client:
    client.force_login(evening.judge)
    return client


def test_an_appeal_nested_too_deep_is_refused(client: Client, evening: Evening, log: Lines) -> None:
    forget_senders()
    name, _, value = evening.cookie(1).partition("=")
    client.cookies[name] = value
    for body in (DEEP, '{"id":' * 1_000, f'{{"turn":{LONG}}}', '{"id":"\\ud800"}', "NaN"):
        answer = client.post("/play/appeal", body, "application/json", headers=OWN)
        assert (answer.status_code, answer.json()["why"]) == (400, "malformed")
    assert len(log.text) == 5


@pytest.mark.parametrize(
    ("address", "body", "media", "status"),
    [
        ("/nowhere/", b"--X\r\nbroken", "multipart/form-data; boundary=X", 404),
        ("/nowhere/", b"", "multipart/form-data; boundary=", 404),
        ("/nowhere/", b"a=&" * 2_000, "application/x-www-form-urlencoded", 404),
        ("/", b"a=&" * 2_000, "application/x-www-form-urlencoded", 400),
        ("/", b"a=" + b"x" * 3_000_000, "application/x-www-form-urlencoded", 400),
        ("/desk/locked/", b"--X\r\n" * 3, "multipart/form-data", 400),
    ],
)
def test_a_body_that_cannot_be_read_gets_a_page_and_one_line(
    client: Client, log: Lines, address: str, body: bytes, media: str, status: int
) -> None:
    answer = client.generic("POST", address, body, media)
    assert answer.status_code == status
    assert "<h1>" in answer.content.decode()
    assert len(log.text) == 1


def test_what_a_role_may_not_do_writes_one_line(client: Client, evening: Evening, log: Lines) -> None:
    client.force_login(make_evening().judge)
    client.post("/desk/locked/", {"username": "nobody", "password": "wrong"})
    assert len(log.text) == 1


@pytest.mark.parametrize("wanted", BACK)
def test_a_way_back_that_is_no_address_leads_to_the_own_page(desk: Client, evening: Evening, wanted: str) -> None:
    code = evening.event.code
    answer = desk.post(f"/desk/{code}/do/pause/", {"next": wanted})
    assert (answer.status_code, answer["Location"]) == (302, f"/desk/{code}/")
    assert desk.post(f"/desk/{code}/preview/decide/", {"next": wanted, "points": "x"})["Location"] == f"/desk/{code}/"
    evening.judge.set_password("correct horse battery")
    evening.judge.save()
    given = {"username": evening.judge.username, "password": "correct horse battery", "next": wanted}
    assert Client().post("/desk/locked/", given)["Location"] == "/desk/"


@pytest.mark.parametrize(
    ("action", "field"),
    [
        ("plan-round", "starts_at"),
        ("plan-round", "number"),
        ("more-time", "deadline"),
        ("check-slip", "slip"),
        ("decide", "points"),
        ("settle-typing", "typing"),
        ("set-judging", "spot_check"),
        ("walk-in", "table"),
        ("play-along", "table"),
        ("again-slip", "game"),
    ],
)
def test_impossible_times_and_numbers_are_refused_with_a_sentence(
    desk: Client, evening: Evening, log: Lines, action: str, field: str
) -> None:
    for value in (*IMPOSSIBLE, *NO_NUMBERS):
        given = {"number": "1", "name": "A", "group": "x", "points": "1", "table": "1", "game": "1", field: value}
        answer = desk.post(f"/desk/{evening.event.code}/do/{action}/", given, headers={"Accept": "application/json"})
        assert answer.status_code == 200, (action, value)
        assert answer.json()["sentence"]
    assert log.text == []


def test_ids_that_fit_no_database_lead_nowhere(desk: Client, evening: Evening) -> None:
    for number in (LONG, "9" * 30, str(2**63)):
        assert desk.get(f"/desk/{evening.event.code}/documents/{number}/").status_code == 404
        assert desk.get(f"/desk/{evening.event.code}/players/{number}/data.json").status_code == 404
    assert desk.get(f"/desk/{evening.event.code}/documents/{uuid4()}/").status_code == 404
