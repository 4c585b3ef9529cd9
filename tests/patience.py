"""How long a test waits for what has to come. Only a test that fails spends it, so it may be long."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_S = 60.0
PATIENCE_MS = 1000 * PATIENCE_S
_LOOK_AGAIN_S = 0.05


def until(holds: Callable[[], object], what: str = "what was waited for") -> None:
    """Wait until something holds; AssertionError names `what` has not come."""
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, f"{what} has not come"
        time.sleep(_LOOK_AGAIN_S)
