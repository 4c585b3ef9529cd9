"""Rooms of one event in parallel on PostgreSQL, where each room has a lock of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from django.conf import settings

ROOT = Path(__file__).resolve().parents[3]
DATABASE = f"multiplo_rooms_{os.getpid()}"
PROGRAM = (
    "import sys, django; django.setup(); from tests.tournaments.play.parallel_rooms import main; main(sys.argv[1])"
)

pytestmark = [pytest.mark.services, pytest.mark.endurance]


@pytest.fixture(scope="module")
def variables(postgres_url: str) -> Iterator[dict[str, str]]:
    """The environment of a program with a PostgreSQL database of its own."""
    url = urlunsplit(urlsplit(postgres_url)._replace(path=f"/{DATABASE}"))
    chosen = {"DATABASE_URL": url, "DATA_DIR": str(settings.DATA_DIR), "DJANGO_SETTINGS_MODULE": "referee.settings"}
    environment = {**os.environ, **chosen}
    with psycopg.connect(postgres_url, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {DATABASE}")
        try:
            subprocess.run([sys.executable, "-m", "django", "migrate", "-v0"], cwd=ROOT, env=environment, check=True)
            yield environment
        finally:
            server.execute(f"DROP DATABASE {DATABASE} WITH (FORCE)")


@pytest.mark.parametrize("scenario", ["closings", "all_acts"])
def test_rooms_act_in_parallel_without_error(scenario: str, variables: dict[str, str]) -> None:
    """`closings`: all rooms close at once, and the turn is judged completely and once. `all_acts`: no act of another
    room or of the whole game ends in a deadlock, and the archive proves the game."""
    command = [sys.executable, "-c", PROGRAM, scenario]
    ended = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
