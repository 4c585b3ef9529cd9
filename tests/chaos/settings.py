"""Settings of the processes of a run: those of the program, but what a dead worker had in hand comes again soon.

A clock can be wrong."""

from __future__ import annotations

from referee.settings import *  # noqa: F403 - a settings module is the names in it
from tests.referee.live.computer_clock import set_clock

CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 2}

set_clock()
