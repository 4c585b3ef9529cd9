"""Fixture of the tests that count failures."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from referee.security import failure_throttle
from referee.security.token_bucket import Throttle


@pytest.fixture
def failures_at_one_moment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The failure throttle starts empty, and no second passes for it, however slow the machine is."""
    failure_throttle.reset_failures()
    monkeypatch.setattr(failure_throttle, "_failures", Throttle(failure_throttle.FAILURE_RATE, clock=lambda: 0.0))
    yield
    failure_throttle.reset_failures()
