"""Whoever sends wrong codes and seats without number keeps nobody from joining, and cannot fill an event by himself."""

from __future__ import annotations

import asyncio
from time import monotonic

import pytest

from tests.referee.live.evening import make_evening
from tests.referee.live.raw_phone import RawPhone
from tests.referee.live.serving import Served
from tests.referee.security.attacking import Attack

LISTED, NEW = 60, 40
AT_ONCE = 5
WITHIN_S = 10.0


async def join_all(server: Served, code: str, attack: Attack) -> list[float]:
    """Join with 100 phones while the attack is on, some at a time as people come in; the seconds that each took."""
    await attack.until_sent(600)
    coming = asyncio.Semaphore(AT_ONCE)

    async def join(number: int) -> float:
        phone = RawPhone([("127.0.0.1", server.port)])
        async with coming:
            begun = monotonic()
            if number <= LISTED:
                await phone.join(code, table=number)
            else:
                await phone.join(code, name=f"New player {number}")
            assert (await phone.poll()).status == 200
            return monotonic() - begun

    return await asyncio.gather(*(join(number) for number in range(1, LISTED + NEW + 1)))


@pytest.mark.django_db(transaction=True)
def test_a_hundred_phones_join_within_ten_seconds_each_while_300_wrong_requests_a_second_come_from_their_address(
    served: Served,
) -> None:
    evening = make_evening(names=[f"Player {n}" for n in range(1, LISTED + 1)], joined=False)

    async def run() -> tuple[list[float], Attack]:
        async with Attack(served.port) as attack:
            return await join_all(served, evening.event.code, attack), attack

    seconds, attack = asyncio.run(run())
    assert max(seconds) < WITHIN_S
    assert evening.event.players.exclude(token_hash="").count() == LISTED + NEW
    assert set(attack.answers) == {401, 422}, "every kind of request was understood, and refused"
