"""`manage.py rehearse` with real sockets and slips loses and duplicates none, and leaves nothing behind."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command

from referee.rehearsal.own_server import OwnServer
from referee.rehearsal.playing import Result, compare_stored_slips
from referee.rehearsal.remote import RehearsalError, Remote
from tests.examples import representative
from tournaments.models import Event

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def english_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")


def run(capsys: pytest.CaptureFixture[str], **options: Any) -> tuple[int, str, str]:
    """Run the command; return its exit code and output on both channels."""
    with pytest.raises(SystemExit) as end:
        call_command("rehearse", **options)
    said = capsys.readouterr()
    return int(end.value.code or 0), said.out, said.err


def folders() -> list[str]:
    return [name for name in os.listdir(settings.DATA_DIR) if name.startswith("rehearsal-")]


@pytest.mark.endurance
@pytest.mark.parametrize("phones", representative([60, 500]))
def test_many_phones_lose_no_slip_and_none_counts_twice(capsys: pytest.CaptureFixture[str], phones: int) -> None:
    _code, out, err = run(capsys, phones=phones, turns=2)
    assert f"{phones} of {phones} phones are connected." in err
    figures = json.loads(out)
    assert list(figures) == [
        "phones",
        "slips_sent",
        "slips_acked",
        "lost",
        "duplicated",
        "broadcast_ms",
        "ack_ms",
        "server_rss_mb",
    ]
    assert {name: figures[name] for name in list(figures)[:5]} == {
        "phones": phones,
        "slips_sent": 2 * phones,
        "slips_acked": 2 * phones,
        "lost": 0,
        "duplicated": 0,
    }
    for times in (figures["broadcast_ms"], figures["ack_ms"]):
        assert list(times) == ["p50", "p99", "max"]
        assert times["p50"] <= times["p99"] <= times["max"]
    assert figures["ack_ms"]["p50"] > 0
    assert "● " in err


@pytest.mark.endurance
def test_programs_read_the_api_while_phones_hand_in(capsys: pytest.CaptureFixture[str]) -> None:
    _code, out, _err = run(capsys, phones=60, turns=2, api_per_second=50)
    figures = json.loads(out)
    assert (figures["slips_acked"], figures["lost"], figures["api"]["failed"]) == (120, 0, 0)
    assert figures["api"]["answered"] > 10


@pytest.mark.endurance
def test_nothing_of_a_rehearsal_is_left_behind(capsys: pytest.CaptureFixture[str]) -> None:
    before = Event.objects.count()
    run(capsys, phones=3, turns=1)
    assert Event.objects.count() == before
    assert folders() == []


@pytest.mark.parametrize("options", [{"phones": 0}, {"phones": 10_001}, {"phones": 5, "turns": 21}])
def test_more_than_the_limits_is_refused_with_a_sentence(
    capsys: pytest.CaptureFixture[str], options: dict[str, int]
) -> None:
    code, out, err = run(capsys, **options)
    assert (code, out) == (2, "")
    assert "is a number from 1 to" in err


def test_the_address_of_a_real_game_is_not_loaded(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, phones=5, url="http://127.0.0.1:9/j/BCDFG/")
    assert (code, out) == (2, "")
    assert "A real game is never loaded." in err


def test_an_unreachable_server_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    code, _out, err = run(capsys, phones=5, url="http://127.0.0.1:9/rehearsal/token/")
    assert code == 2
    assert "is it running?" in err


@pytest.mark.endurance
def test_a_second_run_at_the_same_rehearsal_plays_on_with_the_same_phones(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    server = OwnServer(tmp_path)
    try:
        for _number in range(2):
            _code, out, _err = run(capsys, phones=4, turns=1, url=server.url)
            figures = json.loads(out)
            assert (figures["slips_acked"], figures["lost"], figures["duplicated"]) == (4, 0, 0)
        remote = Remote(server.url)
        assert (remote.do("kept", turn=1)["players"], remote.do("kept", turn=2)["players"]) == (4, 4)
        with pytest.raises(RehearsalError, match="open a new one at the desk"):
            Remote(server.url[:-6] + "XXXXX/")
    finally:
        server.stop()


def test_a_slip_that_is_not_stored_is_lost_and_a_second_one_of_a_player_counts_twice() -> None:
    result = Result(3)
    compare_stored_slips({"ids": ["a", "b", "x"], "players": 2}, ["a", "b", "c"], {"a", "b", "c"}, result)
    assert (result.slips_sent, result.slips_acked, result.lost, result.duplicated) == (3, 3, 1, 1)
