"""Personal views are never stale, and many requests cause one query."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from datetime import UTC, datetime
from decimal import Decimal
from uuid import UUID

import pytest

from referee.live.background import Background
from referee.live.rooms.personal_cache import MOST_READ_SINGLY, PersonalCache
from referee.views.player import OwnSlip, PersonalView

EVERYBODY = range(1, 1001)


class Table:
    """A room whose players' totals change; keeps for whom was read. `away` is how often it cannot be read."""

    def __init__(self) -> None:
        self.total = 0
        self.asked: list[set[int] | None] = []
        self.open = asyncio.Event()
        self.open.set()
        self.away = 0

    async def read(self, only: Collection[int] | None) -> dict[int, PersonalView]:
        total = self.total
        self.asked.append(None if only is None else set(only))
        await self.open.wait()
        if self.away:
            self.away -= 1
            raise OSError("the database is away")
        return {player: view(player, total) for player in EVERYBODY if only is None or player in only}


def view(player: int, total: int) -> PersonalView:
    slip = OwnSlip(UUID(int=player), "phone", 1, "RE", "8H", "", 4, datetime(2026, 11, 22, tzinfo=UTC), True)
    return PersonalView(player, player, f"Player {player}", 1, 2, slip, None, None, total, 0, Decimal(0))


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
async def persons(table: Table) -> AsyncIterator[PersonalCache]:
    background = Background()
    yield PersonalCache(table.read, background, "persons")
    await background.stop()


async def total_of(persons: PersonalCache, player: int) -> int:
    found = await persons.of(player)
    assert found is not None
    assert found.player_id == player
    return found.total


async def test_the_few_who_come_back_are_read_for_alone(persons: PersonalCache, table: Table) -> None:
    assert [*await asyncio.gather(total_of(persons, 3), total_of(persons, 8))] == [0, 0]
    assert table.asked == [{3, 8}]


async def test_a_hall_that_asks_at_once_is_read_for_once_and_the_reading_is_kept(
    persons: PersonalCache, table: Table
) -> None:
    await asyncio.gather(*(total_of(persons, player) for player in range(1, MOST_READ_SINGLY + 2)))
    assert table.asked == [None]
    assert await total_of(persons, 900) == 0
    assert table.asked == [None]


async def test_nobody_is_told_what_was_read_before_it_changed(persons: PersonalCache, table: Table) -> None:
    await asyncio.gather(*(total_of(persons, player) for player in range(1, MOST_READ_SINGLY + 2)))
    table.total = 22
    persons.mark_stale()
    assert await total_of(persons, 5) == 22
    assert table.asked == [None, {5}]


async def test_a_change_while_all_are_read_makes_the_next_who_asks_wait_for_a_new_reading(
    persons: PersonalCache, table: Table
) -> None:
    table.open.clear()
    early = [asyncio.create_task(total_of(persons, player)) for player in range(1, MOST_READ_SINGLY + 2)]
    while not table.asked:
        await asyncio.sleep(0.01)
    table.total = 22
    persons.mark_stale()
    late = asyncio.create_task(total_of(persons, 5))
    await asyncio.sleep(0)
    table.open.set()
    assert await late == 22
    assert set(await asyncio.gather(*early)) == {0}


async def test_a_stranger_has_no_view(persons: PersonalCache) -> None:
    assert await persons.of(5000) is None


async def test_a_reading_that_fails_is_told_to_those_who_waited_and_the_next_one_works(
    persons: PersonalCache, table: Table
) -> None:
    table.away = 1
    answers = await asyncio.gather(persons.of(1), persons.of(2), return_exceptions=True)
    assert [type(answer) for answer in answers] == [OSError, OSError]
    assert await total_of(persons, 1) == 0


async def test_whoever_stopped_waiting_disturbs_nobody(persons: PersonalCache, table: Table) -> None:
    table.open.clear()
    gone, staying = asyncio.create_task(total_of(persons, 1)), asyncio.create_task(total_of(persons, 2))
    while not table.asked:
        await asyncio.sleep(0.01)
    gone.cancel()
    table.open.set()
    assert await staying == 0
