"""One set-up at a time in a folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def alone(path: Path, on_waiting: Callable[[], None]) -> Iterator[tuple[int, ...]]:
    """Hold the lock on an existing file; yields the file descriptors that carry it.

    Programs that inherit them keep the lock when the set-up itself is killed, so that the next one waits for them.
    `on_waiting` is called when somebody else has it. Where files cannot be locked nobody waits.
    """
    try:
        import fcntl
    except ImportError:
        yield ()
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            on_waiting()
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        except OSError:
            pass  # a file system without locks
        yield (descriptor,)
    finally:
        os.close(descriptor)
