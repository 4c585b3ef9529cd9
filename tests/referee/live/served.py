"""Settings of a server that a test has started: those of the program, over the test's own database and clock."""

from __future__ import annotations

import os

from referee.settings import *  # noqa: F403 - a settings module is the names in it
from referee.settings import CHANNEL_LAYERS, DATABASES
from tests import on_postgresql
from tests.referee.live.computer_clock import set_clock

if name := os.environ.get("SERVED_DATABASE"):
    if on_postgresql.is_chosen():
        DATABASES["default"] = on_postgresql.database(name)
        CHANNEL_LAYERS["default"] = on_postgresql.channel_layer(name)
    else:
        DATABASES["default"]["NAME"] = name

set_clock()
