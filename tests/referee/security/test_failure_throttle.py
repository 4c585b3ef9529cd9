"""Answers to many wrong codes are delayed, and the desks are informed."""

from __future__ import annotations

import asyncio

import pytest

from referee.security import failure_throttle

pytestmark = pytest.mark.usefixtures("failures_at_one_moment")


def test_the_answers_to_a_few_wrong_codes_are_not_delayed() -> None:
    assert {failure_throttle.count_failure("10.0.0.1") for _ in range(20)} == {0.0}


def test_the_answers_to_very_many_wrong_codes_are_delayed_for_that_address_alone() -> None:
    for _ in range(200):
        failure_throttle.count_failure("10.0.0.1", alarm=lambda: None)
    assert failure_throttle.count_failure("10.0.0.1") == failure_throttle.DELAY_S
    assert failure_throttle.count_failure("10.0.0.99") == failure_throttle.count_failure("10.0.7.1") == 0.0


def test_all_addresses_of_an_ipv6_network_count_as_one() -> None:
    for number in range(200):
        failure_throttle.count_failure(f"2001:db8::{number:x}", alarm=lambda: None)
    assert failure_throttle.count_failure("2001:db8::ffff") == failure_throttle.DELAY_S
    assert failure_throttle.count_failure("2001:db8:0:1::1") == 0.0


async def test_only_so_many_answers_wait_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failure_throttle, "MOST_DELAYED", 1)
    held = asyncio.create_task(failure_throttle.delay(600))
    await asyncio.sleep(0)
    await failure_throttle.delay(600)
    held.cancel()
    with pytest.raises(asyncio.CancelledError):
        await held
    assert failure_throttle._delayed == 0


def test_the_desks_are_told_once_and_not_again_and_again() -> None:
    told: list[str] = []
    for _ in range(500):
        failure_throttle.count_failure("10.0.0.1", alarm=lambda: told.append("alarm"))
    assert told == ["alarm"]
