"""Codes, seats, walls, links and passwords cannot be guessed in an evening, and trying is noticed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from referee.security import gate
from referee.security.seats import COOKIE, read_seat
from tests.referee.live.evening import make_evening
from tests.referee.live.in_process import SocketInProcess
from tests.referee.phone.seats import open_event, seat_player
from tournaments.models import Event, PracticeLink
from tournaments.services import events, practising
from tournaments.services.access import LINK_LIFE

pytestmark = pytest.mark.django_db
LAPTOP, PHONE = "192.168.1.66", "10.9.8.7"


@pytest.fixture(autouse=True)
def _open_gate() -> Iterator[None]:
    gate.reopen()
    yield
    gate.reopen()


@pytest.fixture
def event() -> Event:
    return open_event()


def test_wrong_codes_are_slowed_to_one_a_second_for_that_network_alone(event: Event) -> None:
    laptop = Client(REMOTE_ADDR=LAPTOP)
    for n in range(200):
        answer = laptop.post("/", {"code": f"WRNG{n}"})
        assert answer.status_code == 422
    refused = laptop.post("/", {"code": event.code})
    assert (refused.status_code, b"wait" in refused.content) == (422, True), "even the right one is not looked at"
    assert Client(REMOTE_ADDR=PHONE).post("/", {"code": event.code}).status_code == 302


def test_while_a_network_waits_its_codes_are_not_looked_up(event: Event) -> None:
    laptop = Client(REMOTE_ADDR=LAPTOP)
    for n in range(100):
        laptop.post("/", {"code": f"WRNG{n}"})
    with CaptureQueriesContext(connection) as asked:
        laptop.post("/", {"code": event.code})
        laptop.get(f"/j/{event.code}/")
    assert not [query for query in asked.captured_queries if "tournaments_event" in query["sql"]]


def test_guessing_a_code_takes_months() -> None:
    """14 million codes at one a second; and a code only opens the door that the wall shows to everybody."""
    codes = len(events._CODE_SIGNS) ** events._CODE_LENGTH
    assert codes / 2 > 60 * 24 * 3600
    assert len({open_event(f"T{n}").code for n in range(3)}) == 3


def test_secrets_that_open_something_have_128_bits_or_more(judge_of_evening: object) -> None:
    evening = make_evening()
    assert len(evening.event.wall_token) * 6 >= 128
    assert min(len(token) for token in evening.tokens.values()) * 6 >= 128
    assert LINK_LIFE.total_seconds() <= 3600
    assert PracticeLink._meta.get_field("token").max_length == 43
    assert practising._TOKEN_BYTES * 8 >= 128


@pytest.fixture
def judge_of_evening() -> None:
    """Named so that the database is there before the evening is made."""


@pytest.mark.parametrize("forged", ["abc", "1:abc:def", "x" * 4000, "%00", "' OR 1=1 --"])
def test_a_forged_seat_is_refused_without_asking_the_database(forged: str) -> None:
    client = Client()
    client.cookies[COOKIE] = forged
    with CaptureQueriesContext(connection) as asked:
        assert client.get("/play/").status_code == 302
        assert read_seat({COOKIE: forged}) is None
    assert not [query for query in asked.captured_queries if "tournaments_player" in query["sql"]]


def test_a_signed_seat_of_another_server_is_no_seat(event: Event, settings: object) -> None:
    from django.test import override_settings

    from tests.referee.live.evening import seat_cookie

    with override_settings(SECRET_KEY="the key of another laptop in the hall, long enough to be one"):
        cookie = seat_cookie("t" * 22)
    assert read_seat({COOKIE: cookie.partition("=")[2]}) is None


def test_names_cannot_be_read_off_by_going_through_the_tables_of_an_event_with_nicknames(event: Event) -> None:
    player = seat_player(event, 7, "Anna Zanzottera")
    player.nickname = "Vespa"
    player.save()
    for attempt in ({"table": 7, "name": "x"}, {"table": 8, "name": ""}, {"name": "Zanzottera"}):
        answer = Client().post(f"/j/{event.code}/", attempt, follow=False)
        assert b"Zanzottera" not in answer.content.replace(b'value="Zanzottera"', b"")


@pytest.mark.parametrize("token", ["wrong", "x" * 43, "../../desk", "%2e%2e", "a b", "\x00"])
def test_wrong_links_lead_nowhere(token: str) -> None:
    client = Client()
    for address in (f"/enter/{token}/", f"/wall/{token}/", f"/practice/{token}/"):
        answer = client.get(address)
        assert answer.status_code in (302, 404), address
        assert "sessionid" not in client.cookies


@pytest.mark.django_db(transaction=True)
async def test_a_socket_that_tries_walls_waits_before_each_once_it_tried_many() -> None:
    for _ in range(100):
        gate.failed("127.0.0.1", alarm=lambda: None)
    line = SocketInProcess("/ws/wall/wrong/")
    assert await line.open()
    assert await line.silence(0.2)
    assert await line.receive(3) == {"close": 4401}
