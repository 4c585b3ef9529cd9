"""The whole night on PostgreSQL and Redis: two servers, a Celery worker, and one server that dies in mid-turn."""

from __future__ import annotations

import asyncio
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crash.conftest import opened
from tests.crash.findings import findings
from tests.crash.game import Night
from tests.crash.hall import Hall
from tests.crash.plan import Kill, Plan

pytestmark = pytest.mark.services
PLAYERS = 24
DEADLY_TURN = 3
PLAN = Plan(
    seed=7,
    players=PLAYERS,
    clock_s=60,
    gives_back=False,
    kills=(Kill(DEADLY_TURN, "write", "server", 0.2, None),),
    turns=None,
    writing_s=0.4,
)


@pytest.fixture
def hall() -> Iterator[Hall]:
    with opened("postgres") as hall:
        yield hall


@pytest.mark.usefixtures("poppler")
def test_a_night_on_two_servers_of_which_one_dies_in_mid_turn(hall: Hall, tmp_path: Path) -> None:
    clerk = hall.clerk()
    try:
        night = Night(PLAN, hall, clerk)
        played = asyncio.run(night.play())
        facts = clerk.do("facts", played.code)
    finally:
        clerk.leave()

    assert findings(played, facts) == []
    dead, living = hall.servers
    assert dead.process is not None
    assert living.process is not None
    assert (dead.process.poll(), living.process.poll()) == (-9, None)
    # Table 2, 4 ... sat at the first server and moved over; the others never noticed.
    moved = [phone.connections > 1 for phone in played.phones]
    assert sum(moved) >= PLAYERS / 2
    placed = [turn for turn in facts["turns"] if turn["placed_at"]]
    assert len(placed) > DEADLY_TURN
    assert {slip["turn"] for slip in facts["slips"]} == {turn["number"] for turn in placed}

    totals = {line["table"]: line["total"] for line in facts["standings"]}
    assert totals == {int(table): points for table, points in facts["points"].items()}
    assert totals == {phone.frames["me"]["table"]: phone.frames["me"]["total"] for phone in played.phones}
    assert max(totals.values()) > 0
    [(state, sheet)] = played.sheets
    assert state == "done"
    assert "multiplo.make_document" in hall.programs["worker"].said().partition(" ready.")[2]
    for line in facts["standings"]:
        assert re.search(rf"^\s*{line['rank']}\s+{line['table']}\s.*\s{line['total']}\s", _text(sheet, tmp_path), re.M)


def _text(sheet: bytes, folder: Path) -> str:
    pdf = folder / "standings.pdf"
    pdf.write_bytes(sheet)
    return subprocess.run(["pdftotext", "-layout", str(pdf), "-"], capture_output=True, text=True, check=True).stdout
