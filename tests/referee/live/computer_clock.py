"""Clock of the computer of a server that a test has started; the variable SERVED_CLOCK names a file.

The clock is ahead by as many seconds as are written in it. libfaketime can do the same for any program, but Python's
`time.sleep` fails in its processes, so that a server does not start or is busy all the time.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path


def set_clock() -> None:
    """Have this process read that clock, if there is one."""
    if "SERVED_CLOCK" not in os.environ:
        return
    read_ns, file = time.time_ns, Path(os.environ["SERVED_CLOCK"])

    def set_by_ns() -> int:
        """By how much somebody has set the clock."""
        with suppress(OSError, ValueError):
            return int(float(file.read_text()) * 1e9)
        return 0

    time.time_ns = lambda: read_ns() + set_by_ns()
    time.time = lambda: time.time_ns() / 1e9
