"""Event loop of the simulated phones: uvloop where available, so that they are not slower than the server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine like `asyncio.run`."""
    loop: Callable[[], asyncio.AbstractEventLoop] | None = None
    with suppress(ImportError):
        from uvloop import new_event_loop as loop
    with asyncio.Runner(loop_factory=loop) as runner:
        return runner.run(work)
