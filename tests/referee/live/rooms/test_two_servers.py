"""Two server processes and a third one that acts, over PostgreSQL and Redis."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from tests.examples import representative
from tests.referee.live.actor import DatabaseProcess
from tests.referee.live.live_game import slip
from tests.referee.live.live_server import ServerProcess, SocketClient
from tests.waiting import PATIENCE_S, until

pytestmark = [pytest.mark.services, pytest.mark.endurance]


@pytest.fixture(scope="module")
def servers(variables: dict[str, str], data: Path) -> Iterator[list[ServerProcess]]:
    started = [ServerProcess(data=data, database=None, environment=variables) for _ in range(2)]
    try:
        yield [server.ready() for server in started]
    finally:
        for server in started:
            server.stop()
    assert "Traceback" not in "\n".join(server.text for server in started)


@pytest.fixture
def actor(variables: dict[str, str], servers: list[ServerProcess]) -> Iterator[DatabaseProcess]:
    judge = DatabaseProcess({**os.environ, **variables})
    yield judge
    judge.leave()


@pytest.fixture
def phones(servers: list[ServerProcess], actor: DatabaseProcess, lines: list[SocketClient]) -> list[SocketClient]:
    """Table 1 at the first server, table 2 at the second, both in a turn that runs."""
    lines += [server.phone(actor.do("cookie", table)) for table, server in enumerate(servers, start=1)]
    actor.do("draw", "CORNOAT")
    for line in lines:
        line.phase("drawn")
    return list(lines)


def has_points(actor: DatabaseProcess) -> list[bool | None]:
    """For tables 1 and 2: True if the slip has points, False if it has none, None before it is judged."""
    points = actor.do("facts")["points"]
    return [points[table] > 0 if table in points else None for table in ("1", "2")]


def test_a_sheet_is_told_at_both_servers_which_only_news_can_do(
    servers: list[ServerProcess], actor: DatabaseProcess, lines: list[SocketClient]
) -> None:
    event = actor.do("event")
    lines += [server.socket(f"/ws/desk/{event['code']}/", event["desk"]) for server in servers]
    for line in lines:
        line.until("state")
    number = actor.do("sheet")
    assert [line.until("document", state="running")["id"] for line in lines] == [number, number]


def test_the_same_slip_at_both_servers_is_stored_once_with_one_receipt(
    servers: list[ServerProcess], actor: DatabaseProcess, phones: list[SocketClient], lines: list[SocketClient]
) -> None:
    actor.do("announce")
    for phone in phones:
        phone.phase("running")
    before = actor.do("facts")["slips"]
    lines.append(servers[1].phone(actor.do("cookie", 1)))
    sent = slip(1)
    phones[0].send(sent)
    lines[-1].send(sent)
    acks = [line.until("ack") for line in (phones[0], lines[-1])]
    assert acks[0] == acks[1]
    assert actor.do("facts")["slips"] == before + 1
    assert phones[1].until("count", slips_in=1)["players"] == 4


def test_a_phone_replaced_at_the_other_server_is_told(
    servers: list[ServerProcess], actor: DatabaseProcess, phones: list[SocketClient], lines: list[SocketClient]
) -> None:
    lines.append(servers[1].phone(actor.do("join", 1)))
    phones[0].until("moved")
    assert phones[0].end() == 4001
    assert lines[-1].until("hello")["player"]["table"] == 1


def test_a_turn_is_closed_once_and_the_slips_of_both_servers_are_judged(
    actor: DatabaseProcess, phones: list[SocketClient]
) -> None:
    actor.do("announce", 4.0)
    for phone in phones:
        phone.phase("running")
    assert [phone.hand_in(slip(1))["in_time"] for phone in phones] == [True, True]
    for phone in phones:
        phone.phase("closed")
    until(lambda: has_points(actor) == [True, True], "the judging of both slips")
    facts = actor.do("facts")
    assert facts["closings"] == 1
    assert facts["points"]["1"] == facts["points"]["2"]
    assert phones[0].hand_in(slip(1))["in_time"] is False


def test_a_slip_of_the_last_moment_counts_whichever_server_closes_first(
    actor: DatabaseProcess, phones: list[SocketClient]
) -> None:
    actor.do("announce", 0.5)
    time.sleep(1.3)
    for phone in phones:
        phone.send(slip(1))
    acks = [phone.until("ack") for phone in phones]
    until(lambda: actor.do("facts")["closings"] == 1, "the close")
    until(lambda: has_points(actor) == [ack["in_time"] for ack in acks], "the judging of the slips that were in time")


@pytest.mark.parametrize("seconds", representative([6, -6]))
def test_a_server_whose_computer_clock_is_wrong_judges_by_the_clock_of_the_database(
    variables: dict[str, str],
    data: Path,
    actor: DatabaseProcess,
    lines: list[SocketClient],
    tmp_path: Path,
    seconds: int,
) -> None:
    (clock := tmp_path / "clock").write_text(str(seconds))
    shifted = ServerProcess(data=data, database=None, environment=variables, SERVED_CLOCK=str(clock))
    try:
        shifted.ready()
        lines.append(shifted.phone(actor.do("cookie", 3)))
        actor.do("draw", "CORNOAT")
        actor.do("announce", 4.0)
        lines[0].phase("running")
        assert lines[0].hand_in(slip(1))["in_time"] is True
        lines[0].phase("closed")
        assert lines[0].hand_in(slip(1))["in_time"] is False
        assert "the clock of this computer differs by" in shifted.text
    finally:
        shifted.stop()


def test_the_desk_at_either_server_counts_the_phones_of_both(
    servers: list[ServerProcess], actor: DatabaseProcess, phones: list[SocketClient]
) -> None:
    event = actor.do("event")
    for server in servers:
        address = f"http://{server.host}/desk/{event['code']}/health/"
        request = Request(address, headers={"Cookie": event["desk"], "Accept": "application/json"})
        until = time.monotonic() + PATIENCE_S
        while True:
            with urlopen(request, timeout=PATIENCE_S) as answer:  # noqa: S310  the server of this test
                numbers = json.load(answer)["numbers"]
            if numbers.startswith(f"{len(phones)} of ") or time.monotonic() > until:
                break
            time.sleep(0.5)
        assert numbers.startswith(f"{len(phones)} of "), numbers


NUL_PAGES = ["/j/%00/", "/wall/%00/", "/p/%00/", "/practice/a%00b/", "/play/state.json?v=%00"]


@pytest.mark.parametrize("path", representative(NUL_PAGES))
def test_a_nul_which_postgresql_takes_in_no_text_is_a_bad_request(servers: list[ServerProcess], path: str) -> None:
    said = len(servers[0].said)
    assert servers[0].request("GET", path).status in (400, 401, 404, 422)
    assert "Traceback" not in "\n".join(servers[0].said[said:])


@pytest.mark.parametrize("path", representative(["/ws/wall/%00/", "/ws/desk/%00/", "/ws/desk/ABCDE-%00/"]))
def test_a_socket_whose_address_holds_a_nul_sees_nothing(
    servers: list[ServerProcess], actor: DatabaseProcess, lines: list[SocketClient], path: str
) -> None:
    lines.append(servers[0].socket(path, actor.do("event")["desk"]))
    assert lines[-1].end() == 4401
