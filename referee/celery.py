"""Celery application for long tasks. Without Redis they run in a thread of this process (referee.task_dispatch)."""

from __future__ import annotations

import os

import django
from celery import Celery
from celery.signals import import_modules, worker_init

from referee.setup.file_modes import write_privately

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "referee.settings")


def _require_start(**_signal: object) -> None:
    """End the worker with a sentence for each fault of settings, database and Redis."""
    django.setup()
    from referee.server.start_checks import require_start

    require_start(serves_pages=False)


import_modules.connect(_require_start)  # before Celery connects what imports tasks and pages, which takes longer
app = Celery("multiplo")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["referee"])


def _keep_sheets_private(**_signal: object) -> None:
    """Make documents, which contain players' names, readable by this user only."""
    write_privately("worker")


worker_init.connect(_keep_sheets_private)
