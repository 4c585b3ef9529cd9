"""Connection registry: audiences, and aborting of slow sockets."""

from __future__ import annotations

import asyncio

from referee.live.sockets.connections import (
    GONE,
    LONGEST_BEHIND_S,
    MOVED,
    Audience,
    ConnectionRegistry,
    RoomKey,
    Socket,
)
from referee.live.sockets.send_queue import MOST_MESSAGES, SendQueue

HALL, OTHER_HALL = (1, 1), (2, 2)


class Line:
    """A socket whose sending can be held up."""

    def __init__(
        self, hub: ConnectionRegistry, audience: Audience = "phone", stage: RoomKey = HALL, player_id: int = 0
    ) -> None:
        self.sent: list[str] = []
        self.code: int | None = None
        self.was_cut = False
        self.stuck = False
        self.socket = Socket(
            audience, stage, SendQueue(self.send, self.close), self.cut, player_id, f"token {id(self)}"
        )
        self.delivery = asyncio.create_task(self.socket.send_queue.deliver())
        hub.add(self.socket)

    async def send(self, text: str) -> None:
        while self.stuck:
            await asyncio.sleep(0.001)
        self.sent.append(text)

    async def close(self, code: int) -> None:
        self.code = code

    def cut(self) -> None:
        self.was_cut = True


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_an_audience_of_a_hall_is_shown_what_is_meant_for_it() -> None:
    hub = ConnectionRegistry()
    phone, wall, elsewhere = Line(hub), Line(hub, "wall"), Line(hub, stage=OTHER_HALL)
    hub.send("phone", HALL, "state", "for phones")
    await settle()
    assert (phone.sent, wall.sent, elsewhere.sent) == (["for phones"], [], [])


async def test_a_stuck_phone_holds_nobody_up() -> None:
    hub = ConnectionRegistry()
    phones = [Line(hub, player_id=number) for number in range(1, 51)]
    for phone in phones[:5]:
        phone.stuck = True
    for number in range(12):
        hub.send("phone", HALL, "state", f"state {number}")
        await settle()
    assert all(phone.sent[-1] == "state 11" for phone in phones[5:])
    assert all(phone.sent == [] for phone in phones[:5])
    for phone in phones:
        phone.delivery.cancel()


async def test_a_phone_that_is_thirty_seconds_behind_is_cut() -> None:
    hub, loop = ConnectionRegistry(), asyncio.get_running_loop()
    stuck, fine = Line(hub, player_id=1), Line(hub, player_id=2)
    stuck.stuck = True
    before = loop.time()
    hub.send("phone", HALL, "state", "state")
    await settle()
    hub.cut_slow(before + LONGEST_BEHIND_S - 1)
    assert not stuck.was_cut
    hub.cut_slow(loop.time() + LONGEST_BEHIND_S + 1)
    assert (stuck.was_cut, fine.was_cut) == (True, False)
    assert [it.player_id for it in hub.everybody()] == [2]
    stuck.delivery.cancel()


async def test_a_phone_that_reads_no_receipts_is_cut() -> None:
    hub = ConnectionRegistry()
    line = Line(hub)
    line.delivery.cancel()
    for number in range(MOST_MESSAGES + 1):
        hub.post_to(line.socket, str(number))
    assert line.was_cut


async def test_of_one_player_the_two_newest_pages_stay() -> None:
    hub = ConnectionRegistry()
    lines = [Line(hub, player_id=7) for _ in range(4)]
    neighbour = Line(hub, player_id=8)
    await settle()
    assert [line.code for line in lines] == [MOVED, MOVED, None, None]
    assert lines[0].sent == ['{"t":"moved"}']
    assert neighbour.code is None


async def test_a_hall_that_is_gone_is_cleared() -> None:
    hub = ConnectionRegistry()
    lines = [Line(hub), Line(hub, "wall"), Line(hub, "desk")]
    elsewhere = Line(hub, stage=OTHER_HALL)
    hub.close_room(HALL)
    await settle()
    assert [line.code for line in lines] == [GONE] * 3
    assert elsewhere.code is None
    assert (hub.has(HALL), hub.has(OTHER_HALL)) == (False, True)


async def test_whoever_left_is_forgotten_entirely() -> None:
    hub = ConnectionRegistry()
    line = Line(hub, player_id=3)
    hub.remove(line.socket)
    hub.remove(line.socket)
    assert list(hub.everybody()) == []
    assert hub.phones_of([3]) == []
    assert not hub.has(HALL)


async def test_desks_are_found_by_their_event() -> None:
    hub = ConnectionRegistry()
    here, there = Line(hub, "desk"), Line(hub, "desk", OTHER_HALL)
    Line(hub, "wall")
    assert hub.desks(1) == [here.socket]
    assert hub.desks() == [here.socket, there.socket]
