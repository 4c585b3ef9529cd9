"""Each kind of finding is reported once, starting from a run without any."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from tests.chaos.findings import count_run, findings, overtaken_slips
from tests.chaos.game import DeskAnswer, RunRecord, ServerOutage
from tests.chaos.plan import Kill
from tests.referee.live.raw_phone import RawPhone

ACK = {"t": "ack", "id": "a", "version": 1, "received": 1000, "in_time": True}
FACTS: dict[str, Any] = {
    "slips": [
        {"id": "a", "table": 1, "turn": 1, "version": 1, "word": "NOMI", "received": 1000, "in_time": True},
        {"id": "b", "table": 1, "turn": 1, "version": 2, "word": "NODI", "received": 2000, "in_time": True},
    ],
    "turns": [{"number": 1, "rack": "ACEGINO"}],
    "ledger": [
        {"kind": "draw", "data": {"turn": 1, "rack": "ACEGINO"}},
        {"kind": "announce", "data": {"turn": 1}},
        {"kind": "close", "data": {"turn": 1}},
        {"kind": "give_back", "data": {"turn": 1, "seconds": 25}},
        {"kind": "close", "data": {"turn": 1}},
        {"kind": "place", "data": {"turn": 1}},
    ],
    "bad_link": None,
    "differences": [],
    "damage": "",
}
KILL = Kill(1, "write", "server", 0.1, 4.0)


def club_game() -> RunRecord:
    """One phone with two slips, a server that was away for five seconds, and the time given back."""
    phone = RawPhone([])
    phone.written = {
        "a": {"id": "a", "turn": 1, "word": "NOMI", "sent": 990},
        "b": {"id": "b", "turn": 1, "word": "NODI", "sent": 1990},
    }
    phone.acked_ms = {"a": 1010, "b": 2010}
    phone.acks = {"a": ACK, "b": {**ACK, "id": "b", "version": 2, "received": 2000}}
    phone.frames = {"state": {"seq": 9, "view": {"phase": "finished"}}}
    outage = ServerOutage(KILL, died=100.0, running=True, dark=True, begun=105.0)
    return RunRecord([phone], [outage], [DeskAnswer(5, 105.5, [outage])], [5], [("done", b"%PDF-1.4")])


def test_a_night_in_which_nothing_was_lost_has_no_findings() -> None:
    assert findings(club_game(), FACTS) == []
    figures = count_run(club_game(), FACTS)
    assert (figures.slips, figures.acked, figures.lost, figures.doubled, figures.unanswered) == (2, 2, 0, 0, 0)


def lost(facts: dict[str, Any]) -> None:
    del facts["slips"][1]


def doubled(facts: dict[str, Any]) -> None:
    facts["slips"].append({**facts["slips"][1], "version": 3})


def changed_word(facts: dict[str, Any]) -> None:
    facts["slips"][0]["word"] = "NONI"


def stamped_anew(facts: dict[str, Any]) -> None:
    facts["slips"][0]["received"] = 1001


def invented(facts: dict[str, Any]) -> None:
    facts["slips"].append({**facts["slips"][1], "id": "c", "version": 3})


def gap(facts: dict[str, Any]) -> None:
    facts["slips"][1]["version"] = 3


def closed_twice(facts: dict[str, Any]) -> None:
    facts["ledger"].insert(3, {"kind": "close", "data": {"turn": 1}})


def never_closed(facts: dict[str, Any]) -> None:
    facts["ledger"] = [entry for entry in facts["ledger"] if entry["kind"] not in ("close", "give_back")]


def drawn_twice(facts: dict[str, Any]) -> None:
    facts["ledger"].insert(1, deepcopy(facts["ledger"][0]))


def other_rack(facts: dict[str, Any]) -> None:
    facts["turns"][0]["rack"] = "ACEGINS"


def placed_twice(facts: dict[str, Any]) -> None:
    facts["ledger"].append({"kind": "place", "data": {"turn": 1}})


def too_little_given(facts: dict[str, Any]) -> None:
    facts["ledger"][3]["data"]["seconds"] = 24


def broken_chain(facts: dict[str, Any]) -> None:
    facts["bad_link"] = 3


def other_replay(facts: dict[str, Any]) -> None:
    facts["differences"] = ["turn 1, top: 30, 31"]


def damaged(facts: dict[str, Any]) -> None:
    facts["damage"] = "row 7 missing from index"


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lost, "slip b was acknowledged and is stored 0 times"),
        (doubled, "slip b was acknowledged and is stored 2 times"),
        (changed_word, "slip a is stored with another word"),
        (stamped_anew, "slip a is stored as"),
        (invented, "slip c was written by nobody"),
        (gap, "turn 1, table 1: the versions are [1, 3]"),
        (closed_twice, "turn 1 was closed twice"),
        (never_closed, "turn 1 was closed twice: []"),
        (drawn_twice, "turn 1: draw happened 2 times"),
        (other_rack, "turn 1: the ledger drew ACEGINO and ACEGINS lies there"),
        (placed_twice, "turn 1: place happened 2 times"),
        (too_little_given, "the judge gave [5] s back, and the ledger has [24]"),
        (broken_chain, "the ledger is broken at entry 3"),
        (other_replay, "the replay differs: turn 1, top: 30, 31"),
        (damaged, "the database is damaged: row 7 missing from index"),
    ],
)
def test_what_is_stored_wrongly_is_found(spoil: Callable[[dict[str, Any]], None], sentence: str) -> None:
    facts = deepcopy(FACTS)
    spoil(facts)
    assert any(found.startswith(sentence) for found in findings(club_game(), facts)), findings(club_game(), facts)


def test_a_receipt_that_contradicts_the_first_is_found() -> None:
    played = club_game()
    played.phones[0].contradictions = [(ACK, {**ACK, "version": 2})]
    assert "slip a has two receipts" in findings(played, FACTS)[0]


@pytest.mark.parametrize("received", [1000 - 600, 1000 + 600])
def test_a_slip_that_a_server_with_a_wrong_clock_has_stamped_is_found(received: int) -> None:
    played, facts = club_game(), deepcopy(FACTS)
    played.phones[0].acks["a"] = {**ACK, "received": received}
    facts["slips"][0]["received"] = received
    assert "slip a was received at another time than its receipt says" in findings(played, facts)[0]


def test_a_phone_that_does_not_come_back_or_still_waits_is_found() -> None:
    played = club_game()
    played.phones[0].frames["state"]["view"]["phase"] = "running"
    played.phones[0].waiting = {"d": {"id": "d"}}
    played.phones[0].refused = {"e": {"why": "malformed"}, "f": {"why": "turn_over"}}
    found = findings(played, FACTS)
    assert len(found) == 3
    assert "did not come back" in found[0]
    assert "still waits for an answer to slip d" in found[1]
    assert "was refused: malformed" in found[2]


@pytest.mark.parametrize("told_s", [None, 2, 14])
def test_a_desk_that_does_not_say_how_long_the_program_was_away_is_found(told_s: int | None) -> None:
    played = club_game()
    played.answers = [] if told_s is None else [DeskAnswer(told_s, 105.5, played.outages)]
    assert [sentence for sentence in findings(played, FACTS) if "away for 5.0 s" in sentence]


def test_two_deaths_that_the_judge_is_told_of_at_once_are_one_absence() -> None:
    played = club_game()
    played.outages.append(replace(played.outages[0], died=106.0, begun=110.0))
    played.answers = [DeskAnswer(10, 110.5, list(played.outages))]
    played.given_back = [5]
    assert findings(played, FACTS) == []


@pytest.mark.parametrize("outage", [{"dark": False}, {"running": False}, {"begun": 102.0}])
def test_it_need_not_be_said_when_somebody_lived_or_no_clock_ran_or_it_was_short(outage: dict[str, Any]) -> None:
    played = club_game()
    played.outages, played.answers = [replace(played.outages[0], **outage)], []
    assert findings(played, FACTS) == []


def test_a_sheet_that_failed_is_found() -> None:
    played = club_game()
    played.sheets = [("failed", b"The sheet could not be created.")]
    assert "a sheet came out as failed" in findings(played, FACTS)[0]


def test_an_earlier_slip_that_counts_in_the_place_of_a_later_one_is_found() -> None:
    facts = deepcopy(FACTS)
    facts["slips"][0]["received"], facts["slips"][1]["received"] = 2000, 1000
    [phone] = club_game().phones
    assert overtaken_slips(phone, FACTS) == []
    assert overtaken_slips(phone, facts) == ["a"]
