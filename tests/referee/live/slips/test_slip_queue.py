"""Slip queue and its writer, over a store that the test can slow down or break."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest

from referee.live.slips.slip_queue import LARGEST_BATCH, NotStored, QueuedSlip, SlipQueue, SlipQueueFull
from tournaments.play.services.slips import IncomingSlip, Receipt
from tournaments.slip_content import SlipContent

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


class Unreachable(Exception):
    """As when a database restarts."""


def slip(player_id: int = 1, client_id: UUID | None = None) -> QueuedSlip:
    incoming = IncomingSlip(
        player_id=player_id,
        turn_id=1,
        client_id=client_id or uuid4(),
        source="phone",
        content=SlipContent("RE", "8H", 4),
        received_at=NOON,
        sent_at=None,
        in_time=False,
    )
    return QueuedSlip(incoming, room_id=1)


class Store:
    """Keeps batches. `poison` is a player whose slips it cannot hold; `away` how often it is out of reach first."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.poison: int | None = None
        self.away = 0
        self.open = asyncio.Event()
        self.open.set()

    async def write(self, batch: Sequence[QueuedSlip]) -> list[Receipt]:
        await self.open.wait()
        if self.away:
            self.away -= 1
            raise Unreachable
        players = [stamped.slip.player_id for stamped in batch]
        if self.poison in players:
            raise ValueError("this one cannot be stored")
        self.batches.append(players)
        return [Receipt(it.slip.client_id, it.slip.player_id, 1, NOON, True, True) for it in batch]


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
def troubles() -> list[str]:
    return []


@pytest.fixture
async def intake(store: Store, troubles: list[str]) -> AsyncIterator[SlipQueue]:
    def complain() -> None:
        troubles.append("trouble")

    intake = SlipQueue(store.write, retry=(Unreachable,), on_trouble=complain, capacity=2000)
    writer = asyncio.create_task(intake.write_forever())
    yield intake
    writer.cancel()


async def test_slips_of_the_same_moment_share_a_transaction(intake: SlipQueue, store: Store) -> None:
    receipts = await asyncio.gather(*(intake.offer(slip(player)) for player in range(100)))
    assert [receipt.player_id for receipt in receipts] == list(range(100))
    assert [len(batch) for batch in store.batches] == [100]


async def test_a_crowd_is_stored_in_batches_and_in_its_order(intake: SlipQueue, store: Store) -> None:
    await asyncio.gather(*(intake.offer(slip(player)) for player in range(1200)))
    assert [len(batch) for batch in store.batches] == [LARGEST_BATCH, LARGEST_BATCH, 200]
    assert [player for batch in store.batches for player in batch] == list(range(1200))


async def test_no_receipt_before_the_commit(intake: SlipQueue, store: Store) -> None:
    store.open.clear()
    waiting = intake.offer(slip())
    await asyncio.sleep(0.05)
    assert not waiting.done()
    store.open.set()
    assert (await waiting).player_id == 1


async def test_a_full_queue_says_so_at_once(intake: SlipQueue, store: Store) -> None:
    store.open.clear()
    waiting = [intake.offer(slip(player)) for player in range(2000)]
    with pytest.raises(SlipQueueFull):
        intake.offer(slip())
    store.open.set()
    await asyncio.gather(*waiting)


async def test_a_slip_that_cannot_be_stored_takes_no_other_with_it(
    intake: SlipQueue, store: Store, troubles: list[str]
) -> None:
    store.poison = 3
    answers = await asyncio.gather(*(intake.offer(slip(player)) for player in range(5)), return_exceptions=True)
    assert [type(answer) for answer in answers] == [Receipt, Receipt, Receipt, NotStored, Receipt]
    assert troubles


async def test_a_database_that_is_away_for_a_moment_is_waited_for_and_the_desks_hear_of_it(
    intake: SlipQueue, store: Store, troubles: list[str]
) -> None:
    store.away = 2
    assert (await intake.offer(slip())).player_id == 1
    assert troubles == ["trouble", "trouble"]


async def test_draining_waits_for_everything_offered_before(intake: SlipQueue, store: Store) -> None:
    store.open.clear()
    waiting = [intake.offer(slip(player)) for player in range(700)]
    draining = asyncio.create_task(intake.drain())
    await asyncio.sleep(0.03)
    assert not draining.done()
    store.open.set()
    await draining
    assert all(future.done() for future in waiting)


async def test_draining_also_waits_for_the_batch_that_is_being_written(intake: SlipQueue, store: Store) -> None:
    store.open.clear()
    only = intake.offer(slip())
    await asyncio.sleep(0.03)
    draining = asyncio.create_task(intake.drain())
    await asyncio.sleep(0.01)
    assert not draining.done()
    store.open.set()
    await draining
    assert only.done()


async def test_draining_an_idle_intake_takes_no_time(intake: SlipQueue) -> None:
    await asyncio.wait_for(intake.drain(), 0.01)


async def test_a_phone_that_left_does_not_disturb_the_others(intake: SlipQueue, store: Store) -> None:
    store.open.clear()
    gone, staying = intake.offer(slip(1)), intake.offer(slip(2))
    gone.cancel()
    store.open.set()
    assert (await staying).player_id == 2
    assert store.batches == [[1, 2]]
