"""Lock of a data folder while a server runs on it; the system releases it when the process ends."""

from __future__ import annotations

import os
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows, where the files of a running server cannot be renamed anyway
    fcntl = None  # type: ignore[assignment]

_NAME = "serving.lock"


def lock_data_folder(data: Path) -> int | None:
    """Lock the folder until this process ends, shared with other servers. None if files cannot be locked."""
    try:
        descriptor = os.open(data / _NAME, os.O_RDWR | os.O_CREAT, 0o600)
        if fcntl is not None:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return None
    return descriptor


def is_data_folder_locked(data: Path) -> bool:
    """Tell if a server runs on this folder."""
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


def is_data_folder_shared(descriptor: int | None) -> bool:
    """Tell if another server runs on the folder that this process has locked."""
    if fcntl is None or descriptor is None:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        fcntl.flock(descriptor, fcntl.LOCK_SH)
    return False
