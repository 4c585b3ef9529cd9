"""Processes that share a PostgreSQL and a Redis."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from django.conf import settings

from tests.referee.live.live_game import install_words
from tests.referee.live.live_server import ROOT

DATABASE = f"multiplo_live_{os.getpid()}"


@pytest.fixture(scope="module")
def data() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="multiplo-served-") as folder:
        install_words(Path(folder) / "lexicons")
        yield Path(folder)


@pytest.fixture(scope="module")
def variables(postgres_url: str, redis_url: str, data: Path) -> Iterator[dict[str, str]]:
    """The environment of all processes: a database of their own in PostgreSQL, and Redis."""
    parts = urlsplit(postgres_url)
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {DATABASE}")
        chosen = {
            "DATABASE_URL": urlunsplit(parts._replace(path=f"/{DATABASE}")),
            "REDIS_URL": redis_url,
            "DATA_DIR": str(data),
            "SECRET_KEY": settings.SECRET_KEY,
            "DJANGO_SETTINGS_MODULE": "tests.referee.live.served",
        }
        try:
            environment = {**os.environ, **chosen}
            subprocess.run([sys.executable, "-m", "django", "migrate", "-v0"], cwd=ROOT, env=environment, check=True)
            yield chosen
        finally:
            connection.execute(f"DROP DATABASE {DATABASE} WITH (FORCE)")
