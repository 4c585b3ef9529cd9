"""A data folder knows whether a server runs on it; a lock tells, which the system takes away with a killed process."""

from __future__ import annotations

import os
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows, where the files of a running server cannot be renamed anyway
    fcntl = None  # type: ignore[assignment]

_NAME = "serving.lock"


def occupy(data: Path) -> int | None:
    """Hold the folder until this process ends; several servers may. None where files cannot be locked."""
    try:
        descriptor = os.open(data / _NAME, os.O_RDWR | os.O_CREAT, 0o600)
        if fcntl is not None:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return None
    return descriptor


def is_occupied(data: Path) -> bool:
    """Whether a server runs on this folder."""
    if fcntl is None:
        return False
    try:
        descriptor = os.open(data / _NAME, os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return False
