"""Without sockets: the state by GET and a slip by POST, through the same intake."""

from __future__ import annotations

import json

import pytest

from tests.referee.live.evening import Evening, make_evening, slip
from tests.referee.live.serving import Answer, Line, Served
from tournaments.models import Slip

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def evening() -> Evening:
    evening = make_evening()
    evening.draw("CORNOAT")
    evening.announce()
    return evening


def post(served: Served, cookie: str, body: object, **headers: str) -> Answer:
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    return served.request(
        "POST",
        "/play/slip",
        text,
        {"Cookie": cookie, "Origin": f"http://{served.host}", "Content-Type": "application/json", **headers},
    )


def state(served: Served, cookie: str, **headers: str) -> Answer:
    return served.request("GET", "/play/state.json", headers={"Cookie": cookie, **headers})


def test_the_state_is_that_of_the_socket(served: Served, evening: Evening, lines: list[Line]) -> None:
    lines.append(served.phone(evening.cookie(1)))
    by_socket = [lines[-1].until(kind) for kind in ("hello", "state", "me")]
    answer = state(served, evening.cookie(1))
    assert answer.status == 200
    assert [answer.json["hello"], answer.json["me"]] == [by_socket[0], by_socket[2]]
    assert answer.json["state"]["view"] == by_socket[1]["view"]
    assert answer.json["count"] == {"t": "count", "slips_in": 0, "players": 4}


def test_while_nothing_changes_the_answer_is_empty(served: Served, evening: Evening) -> None:
    first = state(served, evening.cookie(1))
    again = state(served, evening.cookie(1), **{"If-None-Match": first.headers["etag"]})
    assert (again.status, again.text) == (304, "")
    post(served, evening.cookie(1), slip(1))
    changed = state(served, evening.cookie(1), **{"If-None-Match": first.headers["etag"]})
    assert changed.status == 200
    assert changed.json["hello"]["slip"]["word"] == "CORNO"


def test_two_players_never_share_an_answer(served: Served, evening: Evening) -> None:
    first, second = state(served, evening.cookie(1)), state(served, evening.cookie(2))
    assert first.headers["etag"] != second.headers["etag"]
    assert second.json["hello"]["player"]["table"] == 2
    assert "no-store" in first.headers["cache-control"]


def test_a_slip_by_post_is_acknowledged_like_one_by_socket(served: Served, evening: Evening, lines: list[Line]) -> None:
    sent = slip(1)
    answer = post(served, evening.cookie(1), sent)
    assert (answer.status, answer.json["t"], answer.json["in_time"]) == (200, "ack", True)
    assert Slip.objects.get().word == "CORNO"
    lines.append(served.phone(evening.cookie(1)))
    assert lines[-1].hand_in(sent) == answer.json


@pytest.mark.parametrize("cookie", ["", "seat=abc"])
def test_without_a_seat_nothing_is_shown_or_taken(served: Served, evening: Evening, cookie: str) -> None:
    for answer in (state(served, cookie), post(served, cookie, slip(1))):
        assert answer.status == 401
        assert answer.json["why"] == "no_seat"
    assert not Slip.objects.exists()


@pytest.mark.parametrize("origin", ["http://evil.example", "null", ""])
def test_a_foreign_page_cannot_hand_in(served: Served, evening: Evening, origin: str) -> None:
    answer = post(served, evening.cookie(1), slip(1), Origin=origin)
    assert (answer.status, answer.json["why"]) == (403, "foreign")
    assert not Slip.objects.exists()


@pytest.mark.parametrize("body", [b"", b"CORNO", b"[1]", b"\xff\xfe", b"{}"])
def test_what_is_no_slip_gets_one_sentence(served: Served, evening: Evening, body: bytes) -> None:
    answer = post(served, evening.cookie(1), body)
    assert answer.json["why"] == "malformed"
    assert answer.json["text"].endswith(".")


def test_ten_kilobytes_are_no_slip(served: Served, evening: Evening) -> None:
    answer = post(served, evening.cookie(1), slip(1, word="x" * 10_000))
    assert (answer.status, answer.json["why"]) == (413, "malformed")


def test_a_get_hands_nothing_in(served: Served, evening: Evening) -> None:
    assert served.request("GET", "/play/slip", headers={"Cookie": evening.cookie(1)}).status == 405


def test_a_replaced_phone_is_sent_to_the_join_page(served: Served, evening: Evening) -> None:
    old = evening.cookie(1)
    evening.join(1)
    assert state(served, old).status == 401
