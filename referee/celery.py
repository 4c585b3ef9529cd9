"""Celery for what takes long. Without Redis its tasks run at once, in a worker thread (referee.tasks)."""

from __future__ import annotations

import os

from celery import Celery
from celery.signals import worker_init

from referee.setup.private import write_privately

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "referee.settings")
app = Celery("multiplo")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["referee"])


def _keep_sheets_private(**_signal: object) -> None:
    """Sheets with names of players are for the user of the program alone."""
    write_privately("worker")


worker_init.connect(_keep_sheets_private)
