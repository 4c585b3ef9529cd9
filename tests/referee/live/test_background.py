"""Background tasks and coalesced reads."""

from __future__ import annotations

import asyncio
import gc
import logging

import pytest

from referee.live.background import Background, CoalescedReader
from tests.waiting import PATIENCE_S


async def test_a_failed_task_is_started_again(caplog: pytest.LogCaptureFixture) -> None:
    background, runs = Background(pause_after_failure=0), asyncio.Queue[int]()
    count = 0

    async def work() -> None:
        nonlocal count
        count += 1
        runs.put_nowait(count)
        if count < 3:
            raise RuntimeError("broken pipe")
        await asyncio.sleep(3600)

    background.keep_running(work, "relay")
    assert [await asyncio.wait_for(runs.get(), PATIENCE_S) for _ in range(3)] == [1, 2, 3]
    await background.stop()
    assert caplog.text.count("relay failed and is started again") == 2


async def test_a_running_task_survives_garbage_collection() -> None:
    background, done = Background(), asyncio.Event()

    async def work() -> None:
        await asyncio.sleep(0.01)
        done.set()

    background.start(work(), "work")
    gc.collect()
    await asyncio.wait_for(done.wait(), PATIENCE_S)


async def test_stopping_ends_everything() -> None:
    background = Background()
    background.keep_running(lambda: asyncio.sleep(3600), "long")
    background.repeat(lambda: asyncio.sleep(0), 0.01, "often")
    await asyncio.wait_for(background.stop(), PATIENCE_S)
    assert len(asyncio.all_tasks()) == 1


async def test_after_the_end_nothing_is_begun() -> None:
    background = Background()
    await background.stop()
    done = background.start(asyncio.sleep(3600), "late")
    assert done.cancelled()


async def test_a_failure_nobody_waits_for_is_written_down(caplog: pytest.LogCaptureFixture) -> None:
    background = Background()

    async def work() -> None:
        raise RuntimeError("gone")

    with caplog.at_level(logging.ERROR):
        background.start(work(), "a document")
        await asyncio.sleep(0.01)
    assert "a document failed" in caplog.text


class Source:
    """Something to read; counts the readings and can be slow."""

    def __init__(self) -> None:
        self.value = 0
        self.readings = 0

    async def read(self) -> int:
        self.readings += 1
        value = self.value
        await asyncio.sleep(0.01)
        return value


async def test_a_burst_of_changes_is_read_once_or_twice_and_everybody_gets_the_last_value() -> None:
    background, source = Background(), Source()
    shared = CoalescedReader(source.read, background, "stage")

    async def change_and_ask() -> int:
        source.value += 1
        shared.mark_stale()
        return await shared.current()

    answers = await asyncio.gather(*(change_and_ask() for _ in range(500)))
    assert source.readings <= 2
    assert set(answers) == {500}


async def test_what_is_current_is_not_read_again() -> None:
    source = Source()
    shared = CoalescedReader(source.read, Background(), "stage")
    for _ in range(5):
        await shared.current()
    assert source.readings == 1


async def test_a_value_read_before_the_change_is_never_given_after_it() -> None:
    source = Source()
    shared = CoalescedReader(source.read, Background(), "stage")
    first = asyncio.create_task(shared.current())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    source.value = 7
    shared.mark_stale()
    assert await shared.current() == 7
    assert await first == 0 or await first == 7


async def test_a_failed_reading_is_told_to_everybody_and_tried_again_later() -> None:
    class Broken(RuntimeError):
        pass

    healthy = False

    async def read() -> str:
        await asyncio.sleep(0)
        if not healthy:
            raise Broken
        return "well"

    shared = CoalescedReader(read, Background(), "stage")
    answers = await asyncio.gather(*(shared.current() for _ in range(3)), return_exceptions=True)
    assert [type(answer) for answer in answers] == [Broken] * 3
    healthy = True
    assert await shared.current() == "well"


async def test_a_reading_goes_on_when_the_one_who_asked_has_left() -> None:
    source = Source()
    shared = CoalescedReader(source.read, Background(), "stage")
    impatient = asyncio.create_task(shared.current())
    await asyncio.sleep(0)
    patient = asyncio.create_task(shared.current())
    await asyncio.sleep(0)
    impatient.cancel()
    assert await patient == 0
    assert source.readings == 1
