"""Settings of the processes of a run: those of the program, but what a dead worker had in hand comes again soon."""

from __future__ import annotations

from referee.settings import *  # noqa: F403 - a settings module is the names in it

CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 2}
