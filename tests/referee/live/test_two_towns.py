"""One game in two towns: two servers on two data folders, a line between them that is cut for two turns."""

from __future__ import annotations

import http.client
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE_S, until
from tests.referee.live.actor import Actor
from tests.referee.live.install import Installation
from tests.referee.live.serving import Served


@dataclass
class Town:
    """An installation with its server, and the judge."""

    installation: Installation
    served: Served
    judge: Actor

    def do(self, act: str, *arguments: Any) -> Any:
        return self.judge.do(act, *arguments)


def town(folder: Path, stack: ExitStack) -> Town:
    installation = Installation(folder).migrate()
    served = installation.serve().ready()
    stack.callback(served.stop)
    variables: Mapping[str, str] = {**os.environ, **installation.environment}
    judge = Actor(variables, module="tests.referee.live.distant")
    stack.callback(judge.leave)
    return Town(installation, served, judge)


@pytest.fixture
def towns(tmp_path: Path) -> Iterator[tuple[Town, Town]]:
    """The drawing town and another one."""
    with ExitStack() as stack:
        yield town(tmp_path / "torino", stack), town(tmp_path / "napoli", stack)


def play_here(drawing: Town) -> None:
    assert drawing.do("draw")
    drawing.do("play")
    drawing.do("place")


def in_folder(town: Town, *texts: str) -> list[str]:
    """Which of these are in plain in any file of a data folder: database, log of the database, backups."""
    files = [path.read_bytes() for path in town.installation.data.rglob("*") if path.is_file()]
    return [text for text in texts if any(text.encode() in file for file in files)]


def test_a_town_whose_line_is_cut_for_two_turns_goes_on_and_loses_nothing(towns: tuple[Town, Town]) -> None:
    drawing, other = towns
    link = f"http://{drawing.served.host}/feed/{drawing.do('draws')}/"
    other.do("takes_part", link)
    assert "has not arrived" in other.do("refused", "draw")
    for _turn in range(3):
        play_here(drawing)
    facts, racks = drawing.do("facts"), drawing.do("racks")
    assert (facts["turns"], len(facts["totals"])) == (3, 4)
    until(lambda: other.do("line")["in_store"] == 3)
    assert in_folder(drawing, *racks) == racks
    assert in_folder(other, *racks, link) == []
    assert other.do("tried", "draw") == 1
    other.do("play")
    assert in_folder(other, *racks) == racks[:1]
    assert other.do("tried", "place")
    until(lambda: other.do("line")["all"])
    facts = drawing.do("facts")
    assert (facts["turns"], len(facts["totals"]), facts["slips"]) == (1, 8, 12)
    until(lambda: other.do("line")["in_store"] >= 2)
    drawing.served.stop()
    assert other.do("tried", "draw") == 2
    other.do("play")
    assert other.do("tried", "place")
    assert other.do("tried", "draw") == 3
    other.do("play")
    until(lambda: other.do("line")["down"])
    assert "has not arrived" in other.do("refused", "place")
    assert drawing.do("facts")["turns"] == 1
    drawing.served.again()
    drawing.do("end")
    assert other.do("tried", "place")
    assert other.do("tried", "draw") == 0
    until(lambda: other.do("line")["all"])
    there, here = other.do("facts"), drawing.do("facts")
    assert there["differences"] == {"Napoli": []}
    assert not any(here["differences"].values())
    local = {table: total for table, total in here["totals"].items() if int(table) < 1000}
    distant = {str(2000 + int(table)): total for table, total in there["totals"].items()}
    assert any(local.values())
    assert here["totals"] == local | distant
    assert list(local.values()) == list(distant.values())
    assert (here["turns"], here["slips"], there["slips"]) == (3, 18, 9)


def ask(town: Town, method: str, path: str, body: bytes = b"", etag: str = "") -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", town.served.port, timeout=PATIENCE_S)
    try:
        connection.request(method, path, body or None, {"If-None-Match": etag} if etag else {})
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    finally:
        connection.close()


def test_the_link_alone_opens_the_feed_and_a_hand_in_is_bounded(tmp_path: Path) -> None:
    with ExitStack() as stack:
        drawing = town(tmp_path / "torino", stack)
        token = drawing.do("draws")
        play_here(drawing)
        [rack] = drawing.do("racks")
        status, headers, text = ask(drawing, "GET", f"/feed/{token}/")
        assert (status, headers["cache-control"]) == (200, "no-store")
        assert rack.encode() not in text
        assert ask(drawing, "GET", f"/feed/{token}/", etag=headers["etag"])[0] == 304
        assert ask(drawing, "GET", f"/feed/{'A' * 22}/")[0] == 404
        assert ask(drawing, "POST", f"/feed/{'A' * 22}/results", b"{}")[0] == 404
        status, _headers, said = ask(drawing, "POST", f"/feed/{token}/results", b"{}")
        assert (status, b"not what a room hands in" in said) == (409, True)
        status, _headers, said = ask(drawing, "POST", f"/feed/{token}/results", b" " * 16_000_001)
        assert status == 413
        assert drawing.do("facts")["slips"] == 3
        drawing.served.stop()
        assert token not in "\n".join(drawing.served.said)
