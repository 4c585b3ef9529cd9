"""Wrong codes are slowed down, never locked out, and the desks hear of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from referee.security import gate


@pytest.fixture(autouse=True)
def _open_gate() -> Iterator[None]:
    gate.reopen()
    yield
    gate.reopen()


def test_a_few_wrong_codes_cost_nothing() -> None:
    for _ in range(20):
        gate.failed("10.0.0.1")
    assert gate.delay("10.0.0.1") == 0.0


def test_very_many_wrong_codes_mean_waiting_a_second_or_so_for_that_network_only() -> None:
    for _ in range(200):
        gate.failed("10.0.0.1", alarm=lambda: None)
    assert 0.0 < gate.delay("10.0.0.99") <= 1.0
    assert gate.delay("10.0.7.1") == 0.0


def test_the_desks_are_told_once_and_not_again_and_again() -> None:
    told: list[str] = []
    for _ in range(500):
        gate.failed("10.0.0.1", alarm=lambda: told.append("alarm"))
    assert told == ["alarm"]
