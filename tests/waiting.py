"""Waiting with a generous timeout, which only a failing test uses up."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

PATIENCE_S = 60.0
PATIENCE_MS = 1000 * PATIENCE_S
_LOOK_AGAIN_S = 0.05


async def until_async(holds: Callable[[], object], what: str = "what was waited for") -> None:
    """Wait in an event loop until something holds; AssertionError names `what` has not come."""
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, f"{what} has not come"
        await asyncio.sleep(_LOOK_AGAIN_S / 10)


def until(holds: Callable[[], object], what: str = "what was waited for") -> None:
    """Wait until a condition holds; an AssertionError names `what` on timeout."""
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, f"{what} has not come"
        time.sleep(_LOOK_AGAIN_S)
