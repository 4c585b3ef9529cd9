"""Codes, tokens, wall addresses, links and passwords cannot be guessed in an evening, and attempts are logged."""

from __future__ import annotations

from time import monotonic

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from referee.security import failure_throttle, rate_limit
from referee.security.login import make_link_token
from referee.security.player_tokens import COOKIE, read_seat
from tests.referee.live.in_process import SocketInProcess
from tests.referee.live.live_game import make_live_game
from tests.referee.live.live_server import ServerProcess
from tests.referee.phone.seats import open_event, seat_player
from tests.waiting import PATIENCE_S
from tournaments.events.services import events
from tournaments.models import Event, PracticeLink
from tournaments.prepared.services import solo_practice
from tournaments.staff.services.login_links import LINK_LIFE

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("failures_at_one_moment")]
LAPTOP = "192.168.1.66"
DAY_S = 24 * 3600


@pytest.fixture
def event() -> Event:
    return open_event()


def test_a_valid_code_is_answered_at_once_however_many_wrong_ones_came_from_its_address(event: Event) -> None:
    phone = Client(REMOTE_ADDR=LAPTOP)
    wrong = [phone.post("/", {"code": f"WRNG{n}"}) for n in range(200)]
    assert {answer.status_code for answer in wrong} == {422}
    assert failure_throttle.delay_of(wrong[0].wsgi_request) == 0.0
    assert failure_throttle.delay_of(wrong[-1].wsgi_request) == failure_throttle.DELAY_S
    right = phone.post("/", {"code": event.code})
    assert (right.status_code, failure_throttle.delay_of(right.wsgi_request)) == (302, 0.0)
    assert phone.get(right["Location"]).status_code == 200


def test_a_missing_or_forged_seat_is_no_wrong_code() -> None:
    phone = Client(REMOTE_ADDR=LAPTOP)
    phone.cookies[COOKIE] = "token:1abcde:forged"
    for _ in range(100):
        phone.get("/play/state.json")
        phone.get("/play/appeals.json")
    assert failure_throttle.count_failure(LAPTOP) == 0.0


@pytest.mark.endurance
@pytest.mark.django_db(transaction=True)
def test_a_wrong_code_after_many_is_answered_late(served: ServerProcess) -> None:
    def seconds(number: int) -> float:
        begun = monotonic()
        assert served.request("GET", f"/j/WRNG{number}/").status == 422
        return monotonic() - begun

    assert any(seconds(number) >= failure_throttle.DELAY_S for number in range(1000))


def test_guessing_a_code_takes_months() -> None:
    """Check the time to guess a code at 400 answers a second for an address (referee/security/rate_limit.py)."""
    codes = len(events._CODE_SIGNS) ** events._CODE_LENGTH
    assert codes == 10_460_353_203
    assert len(events.free_code()) == events._CODE_LENGTH
    assert codes / 2 / rate_limit.REQUESTS.per_second / DAY_S == pytest.approx(151, abs=1)
    assert 4 * 3600 * 1000 / codes == pytest.approx(0.0014, abs=0.0001)
    assert 32**8 / 2 / rate_limit.REQUESTS.per_second / DAY_S / 365 > 43, "the code of a table"


def test_secrets_that_open_something_have_128_bits_or_more(judge_of_live_game: object) -> None:
    live_game = make_live_game()
    assert len(live_game.event.wall_token) * 6 >= 128
    assert min(len(token) for token in live_game.tokens.values()) * 6 >= 128
    assert len(make_link_token(live_game.judge)) * 6 >= 128
    assert LINK_LIFE.total_seconds() <= 3600
    assert PracticeLink._meta.get_field("token").max_length == 43
    assert solo_practice._TOKEN_BYTES * 8 >= 128


@pytest.fixture
def judge_of_live_game() -> None:
    """Return the judge; requested by name so that the database exists before the evening is created."""


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

    from tests.referee.live.live_game import seat_cookie

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
        assert answer.status_code in (302, 400, 404), address
        assert "sessionid" not in client.cookies


@pytest.mark.django_db(transaction=True)
async def test_a_wrong_wall_is_answered_late_after_many_and_a_right_one_at_once() -> None:
    live_game = await sync_to_async(make_live_game)()
    for _ in range(100):
        failure_throttle.count_failure("127.0.0.1", alarm=lambda: None)
    right = SocketInProcess(f"/ws/wall/{live_game.event.wall_token}/")
    assert await right.open()
    assert (await right.receive(3))["t"] == "state"
    wrong = SocketInProcess("/ws/wall/wrong/")
    assert await wrong.open()
    assert await wrong.silence(0.2)
    assert await wrong.receive(PATIENCE_S) == {"close": 4401}
