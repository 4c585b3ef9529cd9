"""Programs of the engine that run beside the server: low priority, progress as JSON lines, ended with this process."""

from __future__ import annotations

import atexit
import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

LONGEST_S = 1800
REPORT_S = 1.0
_running: set[subprocess.Popen[bytes]] = set()


_DISK_FULL = ("no space left", "errno 28", "disk quota", "no room on the disk")


def is_disk_full(complaint: str) -> bool:
    """Return True if a program complains of a full disk."""
    return any(sign in complaint.lower() for sign in _DISK_FULL)


@dataclass(frozen=True, slots=True)
class Ended:
    """End of a program: its exit code, and what it has written on stderr besides its progress."""

    code: int
    complaint: str


def run_program(command: list[str], report: Callable[[float], None]) -> Ended:
    """Run a program, and call `report` with its share (0.0 to 1.0) about every second until it ends."""
    with tempfile.TemporaryDirectory(prefix="multiplo-") as folder:
        output = Path(folder) / "output"
        with output.open("wb") as written:
            code = _wait(command, written.fileno(), lambda: report(_last_share(output.read_bytes())))
        lines = output.read_text("utf-8", "replace").splitlines()
    return Ended(code, " ".join(line.strip() for line in lines if line.strip() and _share(line) is None))


def _wait(command: list[str], output: int, report: Callable[[], None]) -> int:
    polite = ["nice", "-n", "10"] if shutil.which("nice") else []  # the server and its pages go first
    flags = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
    ends_at = time.monotonic() + LONGEST_S
    with subprocess.Popen(  # noqa: S603  our own modules
        [*polite, *command],
        cwd=settings.BASE_DIR,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=output,
        creationflags=flags,
    ) as program:
        _running.add(program)
        try:
            while program.poll() is None:
                report()
                with suppress(subprocess.TimeoutExpired):
                    program.wait(REPORT_S)
                if time.monotonic() > ends_at:
                    program.terminate()
        finally:
            _running.discard(program)
    return program.returncode


@atexit.register
def _end_programs() -> None:
    """End the running programs with this process; they remove what they have begun."""
    for program in list(_running):
        program.terminate()


def _last_share(output: bytes) -> float:
    shares = [share for line in output.decode("utf-8", "replace").splitlines() if (share := _share(line))]
    return shares[-1] if shares else 0.0


def _share(line: str) -> float | None:
    """The share in a line of progress; None for other lines."""
    try:
        share = json.loads(line)["share"]
    except (ValueError, TypeError, LookupError):
        return None
    return float(share) if isinstance(share, int | float) else None
