"""Settings of a server that a test has started: those of the program, over the test's own database."""

from __future__ import annotations

import os

from referee.settings import *  # noqa: F403 - a settings module is the names in it
from referee.settings import DATABASES

if database := os.environ.get("SERVED_DATABASE"):
    DATABASES["default"]["NAME"] = database
