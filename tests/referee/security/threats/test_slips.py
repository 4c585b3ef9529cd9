"""Forged, replayed and foreign slips; and side channels in the bytes or the cost of an answer."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from referee.live.slips.slip_form import read_slip
from referee.live.slips.slip_queue import store_batch
from referee.live.sockets import messages
from referee.security.player_tokens import COOKIE
from tests.referee.live.live_game import LiveGame, make_live_game, slip
from tests.referee.live.live_server import HttpAnswer, ServerProcess, SocketClient
from tests.referee.security.threats.handing import incoming
from tournaments.models import Player, Slip, Turn
from tournaments.now import utc_now

pytestmark = pytest.mark.django_db(transaction=True)
VALID, INVALID = ("CORNO", "8D"), ("XKCDQ", "8D")
TOP = "TRONCO"
# Words of equal length: a good move, no word, one that does not fit the rack, the top.
WORDS = ("CORNO", "XKCDQ", "ZZZZZ", "AAAAA", "CORNI")


@pytest.fixture
def live_game() -> LiveGame:
    live_game = make_live_game()
    live_game.draw("CORNOAT")
    live_game.announce()
    return live_game


def post(served: ServerProcess, cookie: str, body: object) -> HttpAnswer:
    headers = {"Cookie": cookie, "Origin": f"http://{served.host}", "Content-Type": "application/json"}
    return served.request("POST", "/play/slip", json.dumps(body).encode(), headers)


def statements(live_game: LiveGame, word: str) -> list[str]:
    """Return the SQL statements for storing a slip with this word, without numbers and texts."""
    handed_in = incoming(live_game, word)
    with CaptureQueriesContext(connection) as asked:
        [receipt] = store_batch([handed_in])
    assert receipt.in_time
    return [re.sub(r"'[^']*'|\b\d+\b", "?", query["sql"]) for query in asked.captured_queries]


def test_a_slip_of_an_old_turn_is_not_worth_anything_in_a_new_one(live_game: LiveGame, served: ServerProcess) -> None:
    sent = slip(1)
    first = post(served, live_game.cookie(1), sent)
    live_game.close()
    live_game.place()
    live_game.draw("ADEORST")
    live_game.announce()
    assert post(served, live_game.cookie(1), sent).json == first.json
    assert post(served, live_game.cookie(1), {**sent, "turn": 2}).json == {**first.json, "id": sent["id"]}
    assert Slip.objects.count() == 1
    assert not Slip.objects.filter(turn=live_game.turn).exists()


@pytest.mark.parametrize(
    "forged",
    [
        {"table": 2},
        {"player": 2},
        {"player_id": 2},
        {"seat": "2", "token": "2", "token_hash": "2"},
        {"received_at": 0, "received": 0, "in_time": True, "source": "paper", "version": 99, "several": False},
    ],
)
def test_nothing_in_a_slip_says_whose_it_is_or_when_it_came(
    live_game: LiveGame, served: ServerProcess, forged: dict[str, Any]
) -> None:
    second = Player.objects.get(event=live_game.event, table=2)
    forged = {name: second.pk if value == 2 else value for name, value in forged.items()}
    before = utc_now() - timedelta(seconds=1)  # the server is another process, and reads the time by itself
    assert post(served, live_game.cookie(1), slip(1, **forged)).json["t"] == "ack"
    stored = Slip.objects.get()
    assert (stored.player.table, stored.source, stored.version) == (1, "phone", 1)
    assert stored.received_at >= before


def test_the_senders_clock_does_not_bring_a_late_slip_into_time(served: ServerProcess) -> None:
    live_game = make_live_game()
    live_game.draw("CORNOAT")
    live_game.announce(seconds=-60)
    answer = post(served, live_game.cookie(1), slip(1, sent=0)).json
    assert (answer["t"], answer.get("in_time")) in {("ack", False), ("refused", None)}
    assert not Slip.objects.filter(in_time=True).exists()


def test_a_seat_of_another_event_hands_in_only_there(live_game: LiveGame, served: ServerProcess) -> None:
    other = make_live_game(names=("Zoe Elsewhere",))
    answer = post(served, other.cookie(1), slip(1))
    assert (answer.json["t"], answer.json["why"]) == ("refused", "no_turn")
    assert not Slip.objects.exists()


def test_the_slip_of_another_player_is_neither_replaced_nor_revealed_by_its_id(
    live_game: LiveGame, served: ServerProcess
) -> None:
    sent = slip(1)
    receipt = post(served, live_game.cookie(1), sent).json
    stolen = post(served, live_game.cookie(2), {**sent, "word": "ORCA"}).json
    assert stolen["t"] == "refused"
    assert not {"received", "version"} & set(stolen)
    assert Slip.objects.get().word == "CORNO"
    assert post(served, live_game.cookie(1), sent).json == receipt


def test_good_and_bad_words_get_the_same_bytes(
    live_game: LiveGame, served: ServerProcess, lines: list[SocketClient]
) -> None:
    """Compare length and headers; only the id, which the sender chose, and the time differ."""
    assert TOP in [top["word"] for top in live_game.turn.tops or ()]
    line = served.phone(live_game.cookie(1))
    lines.append(line)
    line.drain()
    answers, headers = set(), set()
    for word in WORDS:
        sent = slip(1, word=word)
        answer = line.hand_in(sent)
        assert answer.pop("id") == sent["id"]
        assert isinstance(answer.pop("received"), int)
        assert answer.pop("version") == WORDS.index(word) + 1
        answers.add(json.dumps(answer))
        by_post = post(served, live_game.cookie(2), slip(1, word=word))
        headers.add((len(by_post.text), *sorted(name for name in by_post.headers), by_post.headers["content-type"]))
    assert answers == {'{"t": "ack", "in_time": true}'}
    assert len(headers) == 1
    assert {"etag", "server-timing", "x-response-time"}.isdisjoint(next(iter(headers)))


def test_a_good_and_a_bad_word_cost_the_same_questions_to_the_database(live_game: LiveGame) -> None:
    """The response time cannot depend on the word, since the same statements run for each."""
    statements(live_game, "ORCA")  # whatever a first slip alone needs
    asked = [statements(live_game, word) for word in (*WORDS, TOP)]
    assert asked[0]
    assert all(each == asked[0] for each in asked)
    assert not [one for one in asked[0] if re.search(r"\btops\b|\btop\b|\bseed\b|wordruling", one.lower())]


def test_a_slip_is_taken_without_word_list_and_without_tops(live_game: LiveGame, served: ServerProcess) -> None:
    """Submitting a slip cannot use a word list or tops that do not exist."""
    for folder in (Path(settings.DATA_DIR), served.data):
        for file in (folder / "lexicons").glob("few*"):
            file.unlink()
    Turn.objects.filter(pk=live_game.turn.pk).update(tops=None, top=None)
    for word in WORDS:
        [receipt] = store_batch([incoming(live_game, word)])
        assert receipt.in_time
    for word in WORDS:
        assert post(served, live_game.cookie(2), slip(1, word=word)).json["t"] == "ack"


def test_what_is_refused_is_refused_by_its_form_alone(live_game: LiveGame, served: ServerProcess) -> None:
    for word in ("", "   ", "x" * 201):
        answer = post(served, live_game.cookie(1), slip(1, word=word)).json
        assert (answer["t"], answer["why"]) == ("refused", "malformed")
    assert read_slip(slip(1, word="not a word at all")).content.word == "not a word at all"


def test_a_receipt_has_no_field_for_a_verdict() -> None:
    fields = {"t", "id", "version", "received", "in_time"}
    live_game = make_live_game()
    live_game.draw("CORNOAT")
    live_game.announce()
    [receipt] = store_batch([incoming(live_game, "CORNO")])
    assert set(json.loads(messages.ack_message(receipt))) == fields
    assert isinstance(replace(receipt).client_id, UUID)


def test_a_table_that_has_a_phone_is_not_taken_over_by_a_laptop(live_game: LiveGame, served: ServerProcess) -> None:
    laptop = Client()
    for claim in ({"table": 1}, {"table": 1, "name": "Anna Ferri"}, {"name": "Anna Ferri"}, {"name": "anna ferri"}):
        answer = laptop.post(f"/j/{live_game.event.code}/", claim)
        assert answer.status_code == 422, claim
        assert COOKIE not in laptop.cookies
    assert post(served, live_game.cookie(1), slip(1)).json["t"] == "ack"
