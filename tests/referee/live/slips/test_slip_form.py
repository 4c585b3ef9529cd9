"""Reading of slip messages: only the form is checked, and every refusal is one sentence."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from referee.live.slips.slip_form import MalformedMessage, SlipForm, read_message, read_slip
from tournaments.slip_content import SlipContent

ID = "0f8fad5b-d9cb-469f-a165-70867728950e"
WHOLE = {
    "t": "slip",
    "id": ID,
    "turn": 3,
    "word": "CORNO",
    "ref": "8D",
    "direction": "across",
    "score": 22,
    "sent": 1_800_000_000_123,
}


def slip(**changes: Any) -> dict[str, Any]:
    return {**WHOLE, **changes}


def test_a_whole_slip_is_read_field_by_field() -> None:
    assert read_slip(slip()) == SlipForm(
        client_id=UUID(ID),
        turn=3,
        content=SlipContent("CORNO", "8D", 22, "across"),
        sent_at=datetime(2027, 1, 15, 8, 0, 0, 123_000, tzinfo=UTC),
    )


def test_a_slip_needs_no_more_than_a_word() -> None:
    bare = read_slip({"id": ID, "turn": 1, "word": "re"})
    assert (bare.content, bare.sent_at) == (SlipContent("re"), None)


@pytest.mark.parametrize("word", ["corNo", "(O)RO", "L·L", "😀", "ZZZZZZZ", "x" * 200, "parola sbagliata"])
def test_whatever_can_be_written_may_be_handed_in(word: str) -> None:
    assert read_slip(slip(word=word)).content.word == word


@pytest.mark.parametrize("ref", ["Z99", "", None, "non so", "H8"])
def test_a_reference_may_be_wrong_or_missing(ref: str | None) -> None:
    assert read_slip(slip(ref=ref)).content.ref == (ref or "")


def test_crossing_letters_may_stand_in_place_of_a_reference() -> None:
    assert read_slip(slip(ref="", hook="ESC")).content.hook == "ESC"
    assert read_slip(slip(hook=None)).content.hook == ""
    with pytest.raises(MalformedMessage, match="write three letters"):
        read_slip(slip(hook="E" * 21))
    with pytest.raises(MalformedMessage, match="write three letters"):
        read_slip(slip(hook=3))


def test_signs_that_no_database_holds_are_left_out() -> None:
    read = read_slip(slip(word="CO\x00R\ud83dNO\n", ref=" 8D\t"))
    assert (read.content.word, read.content.ref) == ("CORNO", "8D")


@pytest.mark.parametrize(
    "changes",
    [
        {"word": ""},
        {"word": "   "},
        {"word": "\x00\ud800"},
        {"word": None},
        {"word": 22},
        {"word": ["CORNO"]},
        {"word": "x" * 201},
        {"ref": "8" * 21},
        {"ref": 8},
        {"direction": "sideways"},
        {"direction": 1},
        {"direction": []},
        {"score": "22"},
        {"score": 2.5},
        {"score": -1},
        {"score": 10_000},
        {"score": True},
        {"turn": None},
        {"turn": 0},
        {"turn": "3"},
        {"turn": True},
        {"turn": 10**30},
    ],
)
def test_a_malformed_slip_is_refused_with_a_sentence_and_its_own_id(changes: dict[str, Any]) -> None:
    with pytest.raises(MalformedMessage) as fault:
        read_slip(slip(**changes))
    assert fault.value.client_id == UUID(ID)
    assert fault.value.sentence.endswith(".")
    assert "\n" not in fault.value.sentence


@pytest.mark.parametrize("client_id", [None, "", "1", 7, "0f8fad5b" * 50, "not-a-uuid-not-a-uuid-not-a-uuid-not"])
def test_a_slip_without_an_id_is_refused(client_id: object) -> None:
    with pytest.raises(MalformedMessage) as fault:
        read_slip(slip(id=client_id))
    assert fault.value.client_id is None


@pytest.mark.parametrize("sent", [None, "now", True, -5, 1e300, float("nan"), float("inf"), [], 10**40])
def test_a_phone_with_a_wild_clock_may_play(sent: object) -> None:
    assert read_slip(slip(sent=sent)).sent_at is None


def test_a_frame_of_eight_kilobytes_is_read_and_a_longer_one_gets_a_sentence() -> None:
    filling = 8192 - len(json.dumps(slip(word="")).encode())
    assert read_message(json.dumps(slip(word="x" * filling)))["t"] == "slip"
    with pytest.raises(MalformedMessage, match="too long"):
        read_message(json.dumps(slip(word="x" * (filling + 1))))
    with pytest.raises(MalformedMessage, match="too long"):
        read_message("è" * 5000)


@pytest.mark.parametrize("text", [None, "", "slip", "[1]", "3", "null", "{", '{"t":', "[" * 5000, "\ud800"])
def test_anything_but_an_object_gets_a_sentence(text: str | None) -> None:
    with pytest.raises(MalformedMessage) as fault:
        read_message(text)
    assert fault.value.sentence.endswith(".")
