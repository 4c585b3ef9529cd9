"""Garbage collection of a process that serves pages and thousands of sockets."""

from __future__ import annotations

import gc


def tune_garbage_collection() -> None:
    """Make full garbage collections rare: with thousands of sockets, one blocks the process for half a second.

    The second generation is collected often, because after twenty young collections it took a fifth of a second.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 5, 400)
