"""The alarm clock of the turns."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

from referee.live.background import Background
from referee.live.closer import Closer

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


class Turns:
    def __init__(self) -> None:
        self.closings: list[float] = []
        self.slow = 0.0

    async def close(self) -> None:
        self.closings.append(asyncio.get_running_loop().time())
        await asyncio.sleep(self.slow)


def due(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


async def test_a_turn_is_closed_just_after_its_moment_never_before() -> None:
    turns, loop = Turns(), asyncio.get_running_loop()
    closer, armed_at = Closer(turns.close, Background()), loop.time()
    closer.arm([due(5), due(0.1)], NOON)
    await asyncio.sleep(0.25)
    assert len(turns.closings) == 1
    assert 0.1 < turns.closings[0] - armed_at < 0.2
    closer.disarm()


async def test_more_time_moves_the_alarm_on() -> None:
    turns = Turns()
    closer = Closer(turns.close, Background())
    closer.arm([due(0.05)], NOON)
    closer.arm([due(30)], NOON)
    await asyncio.sleep(0.1)
    assert turns.closings == []
    closer.disarm()


async def test_a_turn_that_ran_out_while_nobody_looked_is_closed_at_once() -> None:
    turns = Turns()
    closer = Closer(turns.close, Background())
    closer.arm([due(-3600)], NOON)
    await asyncio.sleep(0.05)
    assert len(turns.closings) == 1


async def test_without_a_running_clock_there_is_no_alarm() -> None:
    turns = Turns()
    closer = Closer(turns.close, Background())
    closer.arm([due(0.05)], NOON)
    closer.arm([], NOON)
    await asyncio.sleep(0.1)
    assert turns.closings == []


async def test_a_turn_that_ends_during_another_closing_is_not_forgotten() -> None:
    turns = Turns()
    turns.slow = 0.1
    closer = Closer(turns.close, Background())
    closer.ring()
    await asyncio.sleep(0.02)
    closer.ring()
    closer.ring()
    assert len(turns.closings) == 1
    await asyncio.sleep(0.25)
    assert len(turns.closings) == 2
