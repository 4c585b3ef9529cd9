"""Malformed requests are answered by a page or a sentence, and write one line into the log."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.test import Client

from referee.phone.appeals import reset_limits
from referee.security.log_lines import OneLineFormatter
from tests.referee.live.live_game import LiveGame, make_live_game

pytestmark = pytest.mark.django_db
DEEP = "[" * 8_000
LONG = "9" * 4_500
OWN = {"Host": "localhost", "Origin": "http://localhost"}
IMPOSSIBLE = ("2026-02-30", "2026-13-01T10:00", "2026-02-30T25:61", "0001-01-01T00:00", "9999-12-31T23:59-14:00")
NO_NUMBERS = (LONG, "x", "²", "٣", "-1", "1e9")
CAUSES = ("Traceback", "TooManyFields", "RequestDataTooBig", "MultiPartParser", "DATA_UPLOAD", "boundary")
BACK = ("foo", "desk:events", "//evil.example/", "http://evil.example/", "/\\evil.example", "")


class Lines(logging.Handler):
    """The lines of the log as written."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.setFormatter(OneLineFormatter("%(name)s %(message)s"))
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
def live_game() -> LiveGame:
    live_game = make_live_game()
    live_game.draw("CORNOAT")
    live_game.announce()
    return live_game


@pytest.fixture
def desk(client: Client, live_game: LiveGame) -> Client:
    client.force_login(live_game.judge)
    return client


def test_an_appeal_nested_too_deep_is_refused(client: Client, live_game: LiveGame, log: Lines) -> None:
    reset_limits()
    name, _, value = live_game.cookie(1).partition("=")
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
    page = answer.content.decode()
    assert "<h1>" in page
    assert [cause for cause in CAUSES if cause in page] == []
    assert len(log.text) == 1


def test_what_a_role_may_not_do_writes_one_line(client: Client, live_game: LiveGame, log: Lines) -> None:
    client.force_login(make_live_game().judge)
    client.post("/desk/locked/", {"username": "nobody", "password": "wrong"})
    assert len(log.text) == 1


@pytest.mark.parametrize("wanted", BACK)
def test_a_way_back_that_is_no_address_leads_to_the_own_page(desk: Client, live_game: LiveGame, wanted: str) -> None:
    code = live_game.event.code
    answer = desk.post(f"/desk/{code}/do/pause/", {"next": wanted})
    assert (answer.status_code, answer["Location"]) == (302, f"/desk/{code}/")
    assert desk.post(f"/desk/{code}/preview/decide/", {"next": wanted, "points": "x"})["Location"] == f"/desk/{code}/"
    live_game.judge.set_password("correct horse battery")
    live_game.judge.save()
    given = {"username": live_game.judge.username, "password": "correct horse battery", "next": wanted}
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
    desk: Client, live_game: LiveGame, log: Lines, action: str, field: str
) -> None:
    for value in (*IMPOSSIBLE, *NO_NUMBERS):
        given = {"number": "1", "name": "A", "group": "x", "points": "1", "table": "1", "game": "1", field: value}
        answer = desk.post(f"/desk/{live_game.event.code}/do/{action}/", given, headers={"Accept": "application/json"})
        assert answer.status_code == 200, (action, value)
        assert answer.json()["sentence"]
    assert log.text == []


def test_ids_that_fit_no_database_lead_nowhere(desk: Client, live_game: LiveGame) -> None:
    for number in (LONG, "9" * 30, str(2**63)):
        assert desk.get(f"/desk/{live_game.event.code}/documents/{number}/").status_code == 404
        assert desk.get(f"/desk/{live_game.event.code}/players/{number}/data.json").status_code == 404
    assert desk.get(f"/desk/{live_game.event.code}/documents/{uuid4()}/").status_code == 404
