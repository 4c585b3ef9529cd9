"""The name in the local network; tests/referee/readiness/test_hall.py resolves it from another computer."""

from __future__ import annotations

import gc

import pytest

from referee.server.local_name import LocalName
from tests.waiting import PATIENCE_S


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_address_that_cannot_be_used_is_no_name_and_no_error() -> None:
    names: list[str] = []
    name = LocalName(8000, names.append)
    name.offer(["no address"])
    name.wait(PATIENCE_S)
    name.stop()
    assert names == [""]
    gc.collect()  # zeroconf leaves the socket of a failed start to it, which is the warning above


def test_without_an_address_nothing_is_offered() -> None:
    names: list[str] = []
    name = LocalName(8000, names.append)
    name.offer([])
    name.wait(PATIENCE_S)
    name.stop()
    assert names == []
