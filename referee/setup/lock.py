"""Lock that allows one set-up at a time in a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def hold_lock(path: Path, on_waiting: Callable[[], None]) -> Iterator[tuple[int, ...]]:
    """Hold a lock on an existing file; yield the file descriptors that carry it.

    Programs that inherit them keep the lock if the set-up itself is killed, so that the next one waits for them.
    `on_waiting` is called if another process has the lock. A file system without locks is used without one.
    """
    try:
        import fcntl
    except ImportError:
        yield ()
        return
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            on_waiting()
            fcntl.flock(file, fcntl.LOCK_EX)
        except OSError:
            pass  # the file system has no locks
        yield (file.fileno(),)
