"""A hall in which nothing happens for six seconds: redis-py 8 gave up a subscription after five by default."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest
import redis

from tests.crash.desk import Desk
from tests.crash.hall import Hall
from tests.referee.live.raw_socket import RawSocket

pytestmark = pytest.mark.services
IDLE_S = 6.0


def test_after_idle_seconds_news_still_comes_over_the_same_subscription(big_hall: Hall) -> None:
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


async def idle_and_ask_for_a_sheet(hall: Hall, code: str, session: str) -> list[dict[str, str]]:
    """What the desk at the second server is told about a sheet that was asked for at the first."""
    host, port = hall.addresses[1]
    headers = {"Origin": f"http://{host}:{port}", "Cookie": f"sessionid={session}"}
    line = await RawSocket.open(host, port, f"/ws/desk/{code}/", headers)
    await line.receive()
    await asyncio.sleep(IDLE_S)
    await Desk(hall.addresses[:1], code, session).act("make-document", kind="standings")
    told: list[dict[str, str]] = []
    until = time.monotonic() + 30
    while time.monotonic() < until and (not told or told[-1]["state"] not in ("done", "failed")):
        message = json.loads(await asyncio.wait_for(line.receive(), 30))
        told += [message] if message["t"] == "document" else []
    await line.close()
    return told
