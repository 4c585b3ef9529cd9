"""Timer that closes turns."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

from referee.live.background import Background
from referee.live.rooms.turn_timer import TurnTimer
from tests.waiting import until_async

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


class Turns:
    def __init__(self) -> None:
        self.closings: list[float] = []
        self.may_end = asyncio.Event()
        self.may_end.set()

    async def close(self) -> None:
        self.closings.append(asyncio.get_running_loop().time())
        await self.may_end.wait()


def due(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


async def test_a_turn_is_closed_just_after_its_moment_never_before() -> None:
    turns, loop = Turns(), asyncio.get_running_loop()
    closer, armed_at = TurnTimer(turns.close, Background()), loop.time()
    closer.arm([due(3600), due(0.1)], NOON)
    await until_async(lambda: turns.closings, "the closing")
    assert turns.closings[0] - armed_at > 0.1
    assert len(turns.closings) == 1
    closer.disarm()


async def test_more_time_moves_the_alarm_on() -> None:
    turns = Turns()
    closer = TurnTimer(turns.close, Background())
    closer.arm([due(0.05)], NOON)
    closer.arm([due(30)], NOON)
    await asyncio.sleep(0.1)
    assert turns.closings == []
    closer.disarm()


async def test_a_turn_that_ran_out_while_nobody_looked_is_closed_at_once() -> None:
    turns = Turns()
    closer = TurnTimer(turns.close, Background())
    closer.arm([due(-3600)], NOON)
    await until_async(lambda: turns.closings, "the closing")


async def test_without_a_running_clock_there_is_no_alarm() -> None:
    turns = Turns()
    closer = TurnTimer(turns.close, Background())
    closer.arm([due(0.05)], NOON)
    closer.arm([], NOON)
    await asyncio.sleep(0.1)
    assert turns.closings == []


async def test_a_turn_that_ends_during_another_closing_is_not_forgotten() -> None:
    turns = Turns()
    turns.may_end.clear()
    closer = TurnTimer(turns.close, Background())
    closer.ring()
    await until_async(lambda: turns.closings, "the first closing")
    closer.ring()
    closer.ring()
    await asyncio.sleep(0.02)
    assert len(turns.closings) == 1
    turns.may_end.set()
    await until_async(lambda: len(turns.closings) > 1, "the second closing")
    await asyncio.sleep(0.02)
    assert len(turns.closings) == 2
