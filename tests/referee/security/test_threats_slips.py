"""Forged, replayed and foreign slips; and what an answer tells, by its bytes or by what had to be done for it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from referee.live import messages
from referee.live.intake import store
from referee.live.slip_form import read_slip
from referee.security.seats import COOKIE
from tests.referee.live.evening import Evening, make_evening, slip
from tests.referee.live.serving import Answer, Line, Served
from tests.referee.security.handing import incoming
from tournaments.models import Player, Slip, Turn
from tournaments.now import utc_now

pytestmark = pytest.mark.django_db(transaction=True)
VALID, INVALID = ("CORNO", "8D"), ("XKCDQ", "8D")
TOP = "TRONCO"
# The same number of letters each: a good move, a word that is none, one that is no rack, one that is the top.
WORDS = ("CORNO", "XKCDQ", "ZZZZZ", "AAAAA", "CORNI")


@pytest.fixture
def evening() -> Evening:
    evening = make_evening()
    evening.draw("CORNOAT")
    evening.announce()
    return evening


def post(served: Served, cookie: str, body: object) -> Answer:
    headers = {"Cookie": cookie, "Origin": f"http://{served.host}", "Content-Type": "application/json"}
    return served.request("POST", "/play/slip", json.dumps(body).encode(), headers)


def statements(evening: Evening, word: str) -> list[str]:
    """What the database is asked for when a slip with this word is stored; numbers and texts of it left out."""
    handed_in = incoming(evening, word)
    with CaptureQueriesContext(connection) as asked:
        [receipt] = store([handed_in])
    assert receipt.in_time
    return [re.sub(r"'[^']*'|\b\d+\b", "?", query["sql"]) for query in asked.captured_queries]


def test_a_slip_of_an_old_turn_is_not_worth_anything_in_a_new_one(evening: Evening, served: Served) -> None:
    sent = slip(1)
    first = post(served, evening.cookie(1), sent)
    evening.close()
    evening.place()
    evening.draw("ADEORST")
    evening.announce()
    assert post(served, evening.cookie(1), sent).json == first.json
    assert post(served, evening.cookie(1), {**sent, "turn": 2}).json == {**first.json, "id": sent["id"]}
    assert Slip.objects.count() == 1
    assert not Slip.objects.filter(turn=evening.turn).exists()


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
    evening: Evening, served: Served, forged: dict[str, Any]
) -> None:
    second = Player.objects.get(event=evening.event, table=2)
    forged = {name: second.pk if value == 2 else value for name, value in forged.items()}
    before = utc_now()
    assert post(served, evening.cookie(1), slip(1, **forged)).json["t"] == "ack"
    stored = Slip.objects.get()
    assert (stored.player.table, stored.source, stored.version) == (1, "phone", 1)
    assert stored.received_at >= before


def test_the_senders_clock_does_not_bring_a_late_slip_into_time(served: Served) -> None:
    evening = make_evening()
    evening.draw("CORNOAT")
    evening.announce(seconds=-60)
    answer = post(served, evening.cookie(1), slip(1, sent=0)).json
    assert (answer["t"], answer.get("in_time")) in {("ack", False), ("refused", None)}
    assert not Slip.objects.filter(in_time=True).exists()


def test_a_seat_of_another_event_hands_in_only_there(evening: Evening, served: Served) -> None:
    other = make_evening(names=("Zoe Elsewhere",))
    answer = post(served, other.cookie(1), slip(1))
    assert (answer.json["t"], answer.json["why"]) == ("refused", "no_turn")
    assert not Slip.objects.exists()


def test_somebody_elses_slip_is_neither_replaced_nor_told_by_its_id(evening: Evening, served: Served) -> None:
    sent = slip(1)
    receipt = post(served, evening.cookie(1), sent).json
    stolen = post(served, evening.cookie(2), {**sent, "word": "ORCA"}).json
    assert stolen["t"] == "refused"
    assert not {"received", "version"} & set(stolen)
    assert Slip.objects.get().word == "CORNO"
    assert post(served, evening.cookie(1), sent).json == receipt


def test_good_and_bad_words_get_the_same_bytes(evening: Evening, served: Served, lines: list[Line]) -> None:
    """Same length, same headers; what differs is the id, which the sender made, and the time."""
    assert TOP in [top["word"] for top in evening.turn.tops or ()]
    line = served.phone(evening.cookie(1))
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
        by_post = post(served, evening.cookie(2), slip(1, word=word))
        headers.add((len(by_post.text), *sorted(name for name in by_post.headers), by_post.headers["content-type"]))
    assert answers == {'{"t": "ack", "in_time": true}'}
    assert len(headers) == 1
    assert {"etag", "server-timing", "x-response-time"}.isdisjoint(next(iter(headers)))


def test_a_good_and_a_bad_word_cost_the_same_questions_to_the_database(evening: Evening) -> None:
    """So a response time cannot depend on whether the word is good: the same is done for each."""
    statements(evening, "ORCA")  # whatever a first slip alone needs
    asked = [statements(evening, word) for word in (*WORDS, TOP)]
    assert asked[0]
    assert all(each == asked[0] for each in asked)
    assert not [one for one in asked[0] if re.search(r"\btops\b|\btop\b|\bseed\b|wordruling", one.lower())]


def test_a_slip_is_taken_without_word_list_and_without_tops(evening: Evening, served: Served) -> None:
    """The road of a slip cannot look at what is not there."""
    for folder in (Path(settings.DATA_DIR), served.data):
        for file in (folder / "lexicons").glob("few*"):
            file.unlink()
    Turn.objects.filter(pk=evening.turn.pk).update(tops=None, top=None)
    for word in WORDS:
        [receipt] = store([incoming(evening, word)])
        assert receipt.in_time
    for word in WORDS:
        assert post(served, evening.cookie(2), slip(1, word=word)).json["t"] == "ack"


def test_what_is_refused_is_refused_by_its_form_alone(evening: Evening, served: Served) -> None:
    for word in ("", "   ", "x" * 201):
        answer = post(served, evening.cookie(1), slip(1, word=word)).json
        assert (answer["t"], answer["why"]) == ("refused", "malformed")
    assert read_slip(slip(1, word="not a word at all")).word == "not a word at all"


def test_a_receipt_has_no_field_for_a_verdict() -> None:
    fields = {"t", "id", "version", "received", "in_time"}
    evening = make_evening()
    evening.draw("CORNOAT")
    evening.announce()
    [receipt] = store([incoming(evening, "CORNO")])
    assert set(json.loads(messages.ack(receipt))) == fields
    assert isinstance(replace(receipt).client_id, UUID)


def test_a_table_that_has_a_phone_is_not_taken_over_by_a_laptop(evening: Evening, served: Served) -> None:
    laptop = Client()
    for claim in ({"table": 1}, {"table": 1, "name": "Anna Ferri"}, {"name": "Anna Ferri"}, {"name": "anna ferri"}):
        answer = laptop.post(f"/j/{evening.event.code}/", claim)
        assert answer.status_code == 422, claim
        assert COOKIE not in laptop.cookies
    assert post(served, evening.cookie(1), slip(1)).json["t"] == "ack"
