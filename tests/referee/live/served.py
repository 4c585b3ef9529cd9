"""Settings of a server that a test has started: those of the program, over the test's own database.

The variable SERVED_CLOCK names a file: the computer's clock is ahead by as many seconds as are written in it.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from referee.settings import *  # noqa: F403 - a settings module is the names in it
from referee.settings import CHANNEL_LAYERS, DATABASES
from tests import on_postgresql

if name := os.environ.get("SERVED_DATABASE"):
    if on_postgresql.is_chosen():
        DATABASES["default"] = on_postgresql.database(name)
        CHANNEL_LAYERS["default"] = on_postgresql.channel_layer(name)
    else:
        DATABASES["default"]["NAME"] = name

if "SERVED_CLOCK" in os.environ:
    read_ns, file = time.time_ns, Path(os.environ["SERVED_CLOCK"])

    def set_by_ns() -> int:
        """By how much somebody has set the clock."""
        with suppress(OSError, ValueError):
            return int(float(file.read_text()) * 1e9)
        return 0

    time.time_ns = lambda: read_ns() + set_by_ns()
    time.time = lambda: time.time_ns() / 1e9
