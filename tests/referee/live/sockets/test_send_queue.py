"""Send queue of a socket: all messages arrive, only the newest status does, and a blocked socket affects no other."""

from __future__ import annotations

import asyncio

import pytest

from referee.live.sockets.send_queue import MOST_MESSAGES, SendQueue, SendQueueFull
from tests.waiting import PATIENCE_S


class Line:
    """A connection that can be blocked; keeps what was sent over it."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.code: int | None = None
        self.open = asyncio.Event()
        self.open.set()

    async def send(self, text: str) -> None:
        await self.open.wait()
        self.sent.append(text)

    async def close(self, code: int) -> None:
        self.code = code


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_all_messages_arrive_in_order_before_the_status() -> None:
    line = Line()
    box = SendQueue(line.send, line.close)
    box.show("state", "state 1")
    box.post("ack 1")
    box.post("ack 2")
    task = asyncio.create_task(box.deliver())
    await settle()
    task.cancel()
    assert line.sent == ["ack 1", "ack 2", "state 1"]


async def test_a_slow_socket_gets_only_the_newest_state_but_every_receipt() -> None:
    line = Line()
    box = SendQueue(line.send, line.close)
    task = asyncio.create_task(box.deliver())
    line.open.clear()
    box.show("state", "state 1")
    await settle()
    for number in range(2, 50):
        box.show("state", f"state {number}")
        box.post(f"ack {number}")
    line.open.set()
    await settle()
    for _ in range(30):
        await settle()
    task.cancel()
    assert line.sent == ["state 1", *(f"ack {number}" for number in range(2, 50)), "state 49"]


async def test_it_is_known_for_how_long_a_socket_has_not_taken_anything() -> None:
    line, loop = Line(), asyncio.get_running_loop()
    box = SendQueue(line.send, line.close)
    task = asyncio.create_task(box.deliver())
    assert box.behind(loop.time() + 100) == 0.0
    line.open.clear()
    before = loop.time()
    box.post("stuck")
    await settle()
    assert box.behind(before + 31) <= 31 <= box.behind(loop.time() + 31)
    line.open.set()
    await settle()
    assert box.behind(loop.time() + 31) == 0.0
    task.cancel()


async def test_a_closed_queue_delivers_its_messages_but_no_status() -> None:
    line = Line()
    box = SendQueue(line.send, line.close)
    box.show("state", "secret by now")
    box.post("moved")
    box.close(4001)
    await asyncio.wait_for(box.deliver(), PATIENCE_S)
    assert (line.sent, line.code) == (["moved"], 4001)


async def test_a_socket_with_hundreds_of_unread_messages_is_refused_more() -> None:
    line = Line()
    box = SendQueue(line.send, line.close)
    for number in range(MOST_MESSAGES):
        box.post(str(number))
    with pytest.raises(SendQueueFull):
        box.post("one more")
