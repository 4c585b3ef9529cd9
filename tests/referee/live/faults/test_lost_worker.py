"""A Celery worker is killed while it makes a sheet: another one makes it soon, and the desk says so."""

from __future__ import annotations

import os
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest

from tests.chaos import programs
from tests.chaos.programs import MissingProgram
from tests.conftest import missing
from tests.referee.live.faults.test_outages import ClusterGame
from tests.waiting import until

pytestmark = [pytest.mark.services, pytest.mark.endurance]
AGAIN_S = 60.0
SLACK_S = 30.0
"""Time that a busy machine may take on top, mostly to start a worker."""


def test_a_sheet_of_a_killed_worker_is_made_within_a_minute() -> None:
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="multiplo-worker-", ignore_cleanup_errors=True))
        try:
            cluster = ClusterGame(Path(folder), stack)
        except MissingProgram as lacking:
            missing(str(lacking))
        worker = programs.worker(Path(folder), {**os.environ, **cluster.installation.environment}).start()
        stack.callback(lambda: worker.kill())
        database = stack.enter_context(psycopg.connect(cluster.database, autocommit=True))

        def document() -> tuple[str, int]:
            found = database.execute("SELECT state, restarts FROM tournaments_document ORDER BY id DESC LIMIT 1")
            return found.fetchone() or ("", 0)

        languages = iter(("it", "fr", "es", "de", "ca", "ro", "en"))
        state = ""
        while state != "running":
            language = next(languages)
            assert cluster.desk.act("make-document", kind="standings", language=language, paper="a4").status == 200
            while state not in ("running", "done"):
                state = document()[0]
            worker.kill()
            state = document()[0]
            if state != "running":
                worker.start()
        killed = time.monotonic()
        until(lambda: document() == ("queued", 1), "the sheet queued again")
        assert "was interrupted and is being prepared again" in cluster.desk.page("documents/").text
        worker.start()
        until(lambda: document() == ("done", 1), "the sheet")
        assert time.monotonic() - killed < AGAIN_S + SLACK_S
