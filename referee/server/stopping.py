"""State of the end of this process: from the first signal on it is not ready, and finishes what has begun."""

from __future__ import annotations

import threading

_stopping = threading.Event()


def begin() -> None:
    """Note that the process has been asked to end."""
    _stopping.set()


def is_stopping() -> bool:
    """Return True from then on."""
    return _stopping.is_set()
