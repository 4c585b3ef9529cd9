"""HTTP fallback: state by GET and slips by POST, through the same queue."""

from __future__ import annotations

import json

import pytest

from tests.referee.live.live_game import LiveGame, make_live_game, slip
from tests.referee.live.live_server import HttpAnswer, ServerProcess, SocketClient
from tests.waiting import until
from tournaments.models import Slip

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def live_game() -> LiveGame:
    live_game = make_live_game()
    live_game.draw("CORNOAT")
    live_game.announce()
    return live_game


def post(served: ServerProcess, cookie: str, body: object, **headers: str) -> HttpAnswer:
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    return served.request(
        "POST",
        "/play/slip",
        text,
        {"Cookie": cookie, "Origin": f"http://{served.host}", "Content-Type": "application/json", **headers},
    )


def state(served: ServerProcess, cookie: str, **headers: str) -> HttpAnswer:
    return served.request("GET", "/play/state.json", headers={"Cookie": cookie, **headers})


def test_the_state_is_that_of_the_socket(served: ServerProcess, live_game: LiveGame, lines: list[SocketClient]) -> None:
    lines.append(served.phone(live_game.cookie(1)))
    by_socket = [lines[-1].until(kind) for kind in ("hello", "state", "me")]
    answer = state(served, live_game.cookie(1))
    assert answer.status == 200
    assert [answer.json["hello"], answer.json["me"]] == [by_socket[0], by_socket[2]]
    assert answer.json["state"]["view"] == by_socket[1]["view"]
    assert answer.json["count"] == {"t": "count", "slips_in": 0, "players": 4}


def test_while_nothing_changes_the_answer_is_empty(served: ServerProcess, live_game: LiveGame) -> None:
    first = state(served, live_game.cookie(1))
    again = state(served, live_game.cookie(1), **{"If-None-Match": first.headers["etag"]})
    assert (again.status, again.text) == (304, "")
    post(served, live_game.cookie(1), slip(1))
    changed: list[HttpAnswer] = []

    def has_changed() -> bool:
        changed.append(state(served, live_game.cookie(1), **{"If-None-Match": first.headers["etag"]}))
        return changed[-1].status == 200

    until(has_changed, "the slip in the state")  # with Redis the news of it may come a moment after the receipt
    assert changed[-1].json["hello"]["slip"]["word"] == "CORNO"


def test_two_players_never_share_an_answer(served: ServerProcess, live_game: LiveGame) -> None:
    first, second = state(served, live_game.cookie(1)), state(served, live_game.cookie(2))
    assert first.headers["etag"] != second.headers["etag"]
    assert second.json["hello"]["player"]["table"] == 2
    assert "no-store" in first.headers["cache-control"]


def test_a_slip_by_post_is_acknowledged_like_one_by_socket(
    served: ServerProcess, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    sent = slip(1)
    answer = post(served, live_game.cookie(1), sent)
    assert (answer.status, answer.json["t"], answer.json["in_time"]) == (200, "ack", True)
    assert Slip.objects.get().word == "CORNO"
    lines.append(served.phone(live_game.cookie(1)))
    assert lines[-1].hand_in(sent) == answer.json


@pytest.mark.parametrize("cookie", ["", "seat=abc"])
def test_without_a_seat_nothing_is_shown_or_taken(served: ServerProcess, live_game: LiveGame, cookie: str) -> None:
    for answer in (state(served, cookie), post(served, cookie, slip(1))):
        assert answer.status == 401
        assert answer.json["why"] == "no_seat"
    assert not Slip.objects.exists()


@pytest.mark.parametrize("origin", ["http://evil.example", "null", ""])
def test_a_foreign_page_cannot_hand_in(served: ServerProcess, live_game: LiveGame, origin: str) -> None:
    answer = post(served, live_game.cookie(1), slip(1), Origin=origin)
    assert (answer.status, answer.json["why"]) == (403, "foreign")
    assert not Slip.objects.exists()


@pytest.mark.parametrize(
    ("body", "status"), [(b"", 400), (b"CORNO", 400), (b"[1]", 400), (b"\xff\xfe", 400), (b"{}", 200)]
)
def test_what_is_no_slip_gets_one_sentence(
    served: ServerProcess, live_game: LiveGame, body: bytes, status: int
) -> None:
    answer = post(served, live_game.cookie(1), body)
    assert (answer.status, answer.json["why"]) == (status, "malformed")
    assert answer.json["text"].endswith(".")


def test_ten_kilobytes_are_no_slip(served: ServerProcess, live_game: LiveGame) -> None:
    answer = post(served, live_game.cookie(1), slip(1, word="x" * 10_000))
    assert (answer.status, answer.json["why"]) == (413, "malformed")


def test_a_get_hands_nothing_in(served: ServerProcess, live_game: LiveGame) -> None:
    assert served.request("GET", "/play/slip", headers={"Cookie": live_game.cookie(1)}).status == 405


def test_a_replaced_phone_is_sent_to_the_join_page(served: ServerProcess, live_game: LiveGame) -> None:
    old = live_game.cookie(1)
    live_game.join(1)
    assert state(served, old).status == 401
