"""Each socket's own mailbox: letters all arrive, of a show only the newest, and a stuck socket harms nobody."""

from __future__ import annotations

import asyncio

import pytest

from referee.live.mailbox import MOST_LETTERS, Mailbox, Overfull
from tests.patience import PATIENCE_S


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


async def test_letters_arrive_all_and_in_order_before_the_show() -> None:
    line = Line()
    box = Mailbox(line.send, line.close)
    box.show("state", "state 1")
    box.post("ack 1")
    box.post("ack 2")
    task = asyncio.create_task(box.deliver())
    await settle()
    task.cancel()
    assert line.sent == ["ack 1", "ack 2", "state 1"]


async def test_a_slow_socket_gets_only_the_newest_state_but_every_receipt() -> None:
    line = Line()
    box = Mailbox(line.send, line.close)
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
    box = Mailbox(line.send, line.close)
    task = asyncio.create_task(box.deliver())
    assert box.behind(loop.time() + 100) == 0.0
    line.open.clear()
    box.post("stuck")
    await settle()
    assert box.behind(loop.time() + 31) == pytest.approx(31, abs=0.5)
    line.open.set()
    await settle()
    assert box.behind(loop.time() + 31) == 0.0
    task.cancel()


async def test_a_closed_mailbox_still_delivers_its_letters_but_no_more_shows() -> None:
    line = Line()
    box = Mailbox(line.send, line.close)
    box.show("state", "secret by now")
    box.post("moved")
    box.close(4001)
    await asyncio.wait_for(box.deliver(), PATIENCE_S)
    assert (line.sent, line.code) == (["moved"], 4001)


async def test_a_socket_that_leaves_hundreds_of_letters_unread_is_given_up() -> None:
    line = Line()
    box = Mailbox(line.send, line.close)
    for number in range(MOST_LETTERS):
        box.post(str(number))
    with pytest.raises(Overfull):
        box.post("one more")
