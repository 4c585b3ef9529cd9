"""A client with an older protocol version gets one notice and can continue to play."""

from __future__ import annotations

import json

import pytest

from referee.live.sockets import messages, versions
from tests.referee.live.live_game import LiveGame, make_live_game, slip
from tests.referee.live.live_server import ServerProcess, SocketClient

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def live_game() -> LiveGame:
    return make_live_game()


def test_an_older_page_is_told_first_of_all_to_load_itself_anew(
    served: ServerProcess, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    lines.append(served.socket("/ws/phone/?v=0", live_game.cookie(1)))
    told = lines[-1].receive()
    assert (told["t"], told["v"]) == ("outdated", messages.VERSION)
    assert told["text"] == "This page is out of date: load it again. What you have written is kept."
    assert [lines[-1].receive()["t"] for _ in range(3)] == ["hello", "state", "me"]


def test_it_is_told_in_the_language_of_the_phone(
    served: ServerProcess, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    for language in ("en", "it"):
        lines.append(served.socket("/ws/phone/?v=0", live_game.cookie(1), **{"Accept-Language": language}))
    english, italian = (line.receive()["text"] for line in lines)
    assert english != italian


def test_an_older_page_still_hands_its_slip_in(
    served: ServerProcess, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    lines.append(served.socket("/ws/phone/?v=0", live_game.cookie(1)))
    live_game.draw("CORNOAT")
    live_game.announce()
    lines[-1].phase("running")
    assert lines[-1].hand_in(slip(1))["in_time"] is True


@pytest.mark.parametrize("query", [f"?v={messages.VERSION}", f"?v={messages.VERSION + 1}", "?v=1&sun=2"])
def test_a_page_of_this_version_or_a_newer_one_is_told_nothing(
    served: ServerProcess, live_game: LiveGame, lines: list[SocketClient], query: str
) -> None:
    lines.append(served.socket(f"/ws/phone/{query}", live_game.cookie(1)))
    assert lines[-1].receive()["t"] == "hello"


@pytest.mark.parametrize("named", [None, "", "new", "-1", "1e3", "٣", "1" * 400])
def test_what_is_no_number_counts_as_the_first_version(named: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "VERSION", 2)
    told = json.loads(versions.build_outdated_notice(named) or "{}")
    assert (told.get("t"), told.get("v")) == ("outdated", 2)


def test_a_page_that_polls_is_told_too(served: ServerProcess, live_game: LiveGame) -> None:
    headers = {"Cookie": live_game.cookie(1)}
    old = served.request("GET", "/play/state.json?v=0", headers=headers)
    present = served.request("GET", f"/play/state.json?v={messages.VERSION}", headers=headers)
    assert (old.json["outdated"]["t"], present.json["outdated"]) == ("outdated", None)
    assert old.headers["etag"] != present.headers["etag"]


def test_fields_that_the_server_does_not_know_are_ignored(
    served: ServerProcess, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    live_game.draw("CORNOAT")
    live_game.announce()
    lines.append(served.phone(live_game.cookie(1)))
    assert lines[-1].hand_in(slip(1, sun={"is": "shining"}, v=7))["in_time"] is True
    lines[-1].send({"t": "ping", "c": 1, "sun": True})
    assert lines[-1].until("pong")["c"] == 1
