"""Games in which processes are killed: nothing that was acknowledged is lost.

Two plans for each kind of fault; `python -m tests.chaos` runs as many as wanted.
"""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import redis

from tests.chaos.__main__ import run
from tests.chaos.desk import DeskBrowser
from tests.chaos.findings import findings
from tests.chaos.game import GameRun
from tests.chaos.hall import ServerGroup
from tests.chaos.plan import KINDS, Kill, Plan, make_plan, make_plan_of_each
from tests.chaos.programs import MissingProgram
from tests.conftest import missing
from tests.examples import representative
from tests.referee.live.raw_socket import RawSocket
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.endurance

SEED = 2
PLAYERS = 24
IDLE_S = 6.0


def check(hall: ServerGroup, plan: Plan) -> None:
    try:
        figures, wrong, died = run(plan, hall)
    except MissingProgram as lacking:
        missing(str(lacking))
    assert wrong == []
    assert figures is not None
    assert died == Counter(kill.kind for kill in plan.kills)
    assert figures.kills == len(plan.kills) > 0
    assert figures.acked > 0


def test_one_laptop_on_which_each_process_dies_loses_nothing(small_hall: ServerGroup) -> None:
    check(small_hall, make_plan_of_each(1, KINDS["sqlite"], players=12))


@pytest.mark.parametrize("kind", KINDS["sqlite"])
def test_one_laptop_loses_nothing(small_hall: ServerGroup, kind: str) -> None:
    check(small_hall, make_plan(SEED, [kind], players=(12, 24), turns=1))


@pytest.mark.services
def test_two_servers_on_which_each_process_dies_lose_nothing(big_hall: ServerGroup) -> None:
    check(big_hall, make_plan_of_each(1, KINDS["postgres"], players=12))


@pytest.mark.services
@pytest.mark.parametrize("kind", KINDS["postgres"])
def test_two_servers_lose_nothing(big_hall: ServerGroup, kind: str) -> None:
    check(big_hall, make_plan(SEED, [kind], players=(12, 24), turns=1))


@pytest.mark.services
def test_two_servers_that_own_a_room_in_turn_close_its_turn_once(big_hall: ServerGroup) -> None:
    """Each server hangs over the end of a turn: another one has taken its rooms when it goes on."""
    kills = tuple(Kill(turn, "write", "hung", 0.5, 5.0) for turn in (1, 2))
    check(big_hall, Plan(seed=1, players=PLAYERS, clock_s=3, gives_back=False, kills=kills, turns=2))


@pytest.mark.services
def test_after_idle_seconds_news_still_comes_over_the_same_subscription(big_hall: ServerGroup) -> None:
    """redis-py 8 gives up a subscription after five idle seconds by default."""
    big_hall.mend()
    clerk = big_hall.clerk()
    try:
        event = clerk.do("new_event", 2, 60, 1)
    finally:
        clerk.leave()
    with redis.Redis.from_url(big_hall.variables["REDIS_URL"]) as client:
        before = subscribers(client)
        told = asyncio.run(idle_and_ask_for_a_sheet(big_hall, event["code"], event["session"]))
        assert subscribers(client) == before
    assert len(before) >= len(big_hall.servers)
    # Only news tells of a sheet: no server looks for it. The last word is the worker's, which has been idle, too.
    assert [message["state"] for message in told][-1] == "done"


def subscribers(client: redis.Redis) -> set[str]:
    """The connections that listen for news."""
    listed: Any = client.client_list(_type="pubsub")
    return {str(line["id"]) for line in listed}


async def idle_and_ask_for_a_sheet(hall: ServerGroup, code: str, session: str) -> list[dict[str, str]]:
    """Messages of the desk at the second server about a sheet that was requested at the first."""
    host, port = hall.addresses[1]
    headers = {"Origin": f"http://{host}:{port}", "Cookie": f"sessionid={session}"}
    line = await RawSocket.open(host, port, f"/ws/desk/{code}/", headers)
    await line.receive()
    await asyncio.sleep(IDLE_S)
    await DeskBrowser(hall.addresses[:1], code, session).act("make-document", kind="standings")
    told: list[dict[str, str]] = []
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until and (not told or told[-1]["state"] not in ("done", "failed")):
        message = json.loads(await asyncio.wait_for(line.receive(), PATIENCE_S))
        told += [message] if message["t"] == "document" else []
    await line.close()
    return told


def plan_of(deadly_turn: int, turns: int | None) -> Plan:
    """One server dies in mid-turn and for good; without a number of turns the game ends by the rule."""
    kill = Kill(deadly_turn, "write", "server", 0.2, None)
    return Plan(seed=7, players=PLAYERS, clock_s=60, gives_back=False, kills=(kill,), turns=turns, writing_s=0.4)


@pytest.mark.services
@pytest.mark.parametrize(("deadly_turn", "turns"), representative([(1, 2), (3, None)]))
@pytest.mark.usefixtures("poppler")
def test_a_game_on_two_servers_of_which_one_dies_in_mid_turn(
    big_hall: ServerGroup, tmp_path: Path, deadly_turn: int, turns: int | None
) -> None:
    hall = big_hall
    hall.mend()
    said_before = len(hall.programs["worker"].said())
    clerk = hall.clerk()
    try:
        club_game = GameRun(plan_of(deadly_turn, turns), hall, clerk)
        played = asyncio.run(club_game.play())
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
    assert len(placed) > deadly_turn
    assert {slip["turn"] for slip in facts["slips"]} == {turn["number"] for turn in placed}

    totals = {line["table"]: line["total"] for line in facts["standings"]}
    assert totals == {int(table): points for table, points in facts["points"].items()}
    assert totals == {phone.frames["me"]["table"]: phone.frames["me"]["total"] for phone in played.phones}
    assert max(totals.values()) > 0
    [(state, sheet)] = played.sheets
    assert state == "done"
    assert "multiplo.make_document" in hall.programs["worker"].said()[said_before:]
    for line in facts["standings"]:
        assert re.search(rf"^\s*{line['rank']}\s+{line['table']}\s.*\s{line['total']}\s", _text(sheet, tmp_path), re.M)


def _text(sheet: bytes, folder: Path) -> str:
    pdf = folder / "standings.pdf"
    pdf.write_bytes(sheet)
    return subprocess.run(["pdftotext", "-layout", str(pdf), "-"], capture_output=True, text=True, check=True).stdout
