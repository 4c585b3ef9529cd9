"""The load test of several rooms loses and duplicates no slip, and no phone knows anything too early."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.management import call_command

from referee.rehearsal import rooms
from referee.rehearsal.rooms_watch import FirstSightings


def view(turn: int, phase: str, *, rack: str | None = None, last: int | None = None) -> bytes:
    shown: dict[str, Any] = {"phase": phase, "turn": turn, "rack": rack, "deadline": 5000}
    shown["last"] = None if last is None else {"turn": last, "word": "CORNO"}
    return json.dumps({"t": "state", "seq": 1, "now": 1, "view": shown}, separators=(",", ":")).encode()


def looks(watch: FirstSightings, *, started_at: float, closed_at: float) -> tuple[int, int]:
    room = {"started_at": started_at, "closed_at": closed_at}
    return rooms.count_early_sightings(watch, 3, room, {"rack": "CORNOAE", "word": "CORNO"})


SMALL = ("--rooms=3", "--players=5", "--turns=2", "--seconds=4", "--offset=3", "--window=1", "--json")


@pytest.mark.endurance
def test_three_rooms_lose_nothing_and_nobody_looks_ahead(capfd: pytest.CaptureFixture[str]) -> None:
    rehearse_and_check_turns(capfd)


@pytest.mark.services
@pytest.mark.endurance
def test_three_rooms_on_two_servers_lose_nothing(
    capfd: pytest.CaptureFixture[str], postgres_url: str, redis_url: str
) -> None:
    rehearse_and_check_turns(capfd, "--servers=2", f"--database={postgres_url}", f"--redis={redis_url}")


def rehearse_and_check_turns(capfd: pytest.CaptureFixture[str], *options: str) -> None:
    turns = rehearse_and_check_result(capfd, *options)
    assert [turn["turn"] for turn in turns] == [1, 2]
    for turn in turns:
        counted = {name: turn[name] for name in ("slips", "acked", "lost", "doubled", "verdicts")}
        assert counted == {"slips": 15, "acked": 15, "lost": 0, "doubled": 0, "verdicts": 15}
        assert (turn["early_racks"], turn["early_moves"]) == (0, 0)
        assert turn["by_room_ms"]["announcement: stored"]["max"] >= 0
        assert turn["by_room_ms"]["closing: stored"]["max"] >= 0


def rehearse_and_check_result(capfd: pytest.CaptureFixture[str], *options: str) -> list[dict[str, Any]]:
    """Run the command; return the figures of each turn from its standard error."""
    with pytest.raises(SystemExit) as end:
        call_command("rehearse", *SMALL, *options)
    out, err = capfd.readouterr()
    result = json.loads(out)
    assert end.value.code == 0
    names = {name: list(value) if isinstance(value, dict) else value for name, value in result.items()}
    assert names == {
        "close_stored_ms": ["p50", "max"],
        "last_phone_ms": ["p50", "max"],
        "ack_ms": ["p50", "p99"],
        "lost": 0,
        "doubled": 0,
        "early": 0,
    }
    assert 0 <= result["close_stored_ms"]["p50"] <= result["close_stored_ms"]["max"]
    coming, *turns = [json.loads(line) for line in err.splitlines() if line.startswith("{")]
    assert coming["connected"] == 15
    return list(turns)


def test_a_rack_before_its_announcement_is_counted_for_every_phone_that_saw_it() -> None:
    watch = FirstSightings()
    for _phone in range(2):
        watch.hear(set(), view(3, "running", rack="CORNOAE"), 10.0)
    assert looks(watch, started_at=9.9, closed_at=20.0) == (0, 0)
    racks, moves = looks(watch, started_at=10.1, closed_at=20.0)
    assert (racks, moves) == (5, 0)  # the rack and the phase of two phones, and the letters in a text


def test_a_move_or_a_verdict_before_the_close_is_counted() -> None:
    watch = FirstSightings()
    watch.hear(set(), view(3, "placed", rack="CORNOAE", last=3), 10.0)
    watch.hear(set(), b'{"t":"me","table":1,"verdict":{"turn":3,"top":20}}', 11.0)
    assert looks(watch, started_at=1.0, closed_at=9.9) == (0, 0)
    assert looks(watch, started_at=1.0, closed_at=10.5) == (0, 3)
    assert looks(watch, started_at=1.0, closed_at=11.5) == (0, 4)


def test_the_letters_count_in_whatever_field_they_stand() -> None:
    watch = FirstSightings()
    text = view(2, "placed").replace(b'"phase"', b'"surprise":"CORNOAE","phase"')
    watch.hear(set(), text, 10.0)
    assert looks(watch, started_at=11.0, closed_at=20.0)[0] == 1


def test_what_a_phone_sees_again_is_noted_once() -> None:
    watch, known = FirstSightings(), set[tuple[str, int]]()
    for at in (10.0, 11.0):
        watch.hear(known, view(3, "running", rack="CORNOAE"), at)
    assert watch.times[("rack", 3)] == [10.0]
