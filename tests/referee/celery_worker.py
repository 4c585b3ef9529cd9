"""A Celery worker for the time of a test, on the database of the test."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import connection

from tests.referee.live.live_server import ROOT
from tests.waiting import PATIENCE_S


@contextmanager
def celery_worker(redis_url: str, name: str) -> Iterator[Callable[..., None]]:
    """Start a worker with a queue of its own; give a function that puts a task with arguments (JSON) into the queue, as
    another machine would."""
    queue = f"{name}-{os.getpid()}"
    environment = os.environ | {
        "REDIS_URL": redis_url,
        "SECRET_KEY": "the key of this test " * 3,
        "DJANGO_SETTINGS_MODULE": "tests.referee.live.served",
        "SERVED_DATABASE": str(connection.settings_dict["NAME"]),
    }
    celery = [sys.executable, "-m", "celery", "-A", "referee.celery"]
    worker = subprocess.Popen(
        [*celery, "worker", "--pool", "solo", "--queues", queue, "--loglevel", "WARNING"], cwd=ROOT, env=environment
    )

    def call(task: str, arguments: str = "[]") -> None:
        command = [*celery, "call", task, "--args", arguments, "--queue", queue]
        subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)

    try:
        yield call
    finally:
        worker.terminate()
        worker.wait(timeout=PATIENCE_S)
