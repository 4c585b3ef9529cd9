"""Celery for what takes long. Without Redis its tasks run at once, in a worker thread (referee.tasks)."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "referee.settings")
app = Celery("multiplo")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["referee"])
