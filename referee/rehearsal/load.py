"""Memory and processor time of this process."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path


def of_this_process() -> dict[str, float | None]:
    """Return memory in use (MB; None if the system does not report it) and processor time so far (s)."""
    return {"rss_mb": _rss_mb(), "cpu_s": round(time.process_time(), 3)}


def _rss_mb() -> float | None:
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return _highest_rss_mb()
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)


def _highest_rss_mb() -> float | None:
    """Return the peak memory, which is all that macOS reports."""
    if sys.platform == "win32":
        return None
    import resource

    highest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(highest / 1e6 if sys.platform == "darwin" else highest / 1e3, 1)
