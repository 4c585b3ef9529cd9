"""The answers to many wrong codes are delayed, and the desks hear of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from referee.security import gate


@pytest.fixture(autouse=True)
def _open_gate() -> Iterator[None]:
    gate.reopen()
    yield
    gate.reopen()


def test_the_answers_to_a_few_wrong_codes_are_not_delayed() -> None:
    assert {gate.failed("10.0.0.1") for _ in range(20)} == {0.0}


def test_the_answers_to_very_many_wrong_codes_are_delayed_for_that_address_alone() -> None:
    for _ in range(200):
        gate.failed("10.0.0.1", alarm=lambda: None)
    assert gate.failed("10.0.0.1") == gate.DELAY_S
    assert gate.failed("10.0.0.99") == gate.failed("10.0.7.1") == 0.0


def test_all_addresses_of_an_ipv6_network_count_as_one() -> None:
    for number in range(200):
        gate.failed(f"2001:db8::{number:x}", alarm=lambda: None)
    assert gate.failed("2001:db8::ffff") == gate.DELAY_S
    assert gate.failed("2001:db8:0:1::1") == 0.0


async def test_only_so_many_answers_wait_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "MOST_DELAYED", 1)
    held = asyncio.create_task(gate.delay(600))
    await asyncio.sleep(0)
    await gate.delay(600)
    held.cancel()
    with pytest.raises(asyncio.CancelledError):
        await held
    assert gate._delayed == 0


def test_the_desks_are_told_once_and_not_again_and_again() -> None:
    told: list[str] = []
    for _ in range(500):
        gate.failed("10.0.0.1", alarm=lambda: told.append("alarm"))
    assert told == ["alarm"]
