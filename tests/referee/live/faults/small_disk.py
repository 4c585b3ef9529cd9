"""A disk that can be filled: a file system of a few megabytes where the test may mount one, else a limit on files."""

from __future__ import annotations

import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SIZE = "12m"
_STEP = b"\0" * 65_536


@contextmanager
def mount_small_disk(folder: Path, size: str = SIZE) -> Iterator[bool]:
    """Mount a small file system there; gives whether that was allowed."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "multiplo-test", str(folder)]
    try:
        allowed = subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        allowed = False
    try:
        yield allowed
    finally:
        if allowed:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)


class SmallDisk:
    """Limit the bytes that the server with this process id can write in this folder."""

    def __init__(self, folder: Path, pid: int, *, is_mounted: bool) -> None:
        self._ballast, self._pid, self._is_mounted = folder / "ballast", pid, is_mounted

    def fill(self) -> None:
        """Take the last byte."""
        if not self._is_mounted:
            return resource.prlimit(self._pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY)) and None
        with self._ballast.open("wb", buffering=0) as ballast:
            try:
                while ballast.write(_STEP):
                    pass
            except OSError:
                return None
        return None

    def make_room(self) -> None:
        """Give it back."""
        if self._is_mounted:
            self._ballast.unlink(missing_ok=True)
        else:
            unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
            resource.prlimit(self._pid, resource.RLIMIT_FSIZE, unlimited)
