from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import missing
from tests.crash.hall import Hall
from tests.crash.programs import Missing


@contextmanager
def opened(store: str, **variables: str) -> Iterator[Hall]:
    """A hall in a folder of its own, closed at the end."""
    with tempfile.TemporaryDirectory(prefix="multiplo-crash-") as folder:
        hall = Hall(store, Path(folder), **variables)
        try:
            yield hall.open()
        except Missing as lacking:
            missing(str(lacking))
        finally:
            hall.close()


@pytest.fixture(scope="module")
def small_hall() -> Iterator[Hall]:
    """One server on SQLite."""
    with opened("sqlite") as hall:
        yield hall


@pytest.fixture(scope="module")
def big_hall() -> Iterator[Hall]:
    """Two servers and a Celery worker on a PostgreSQL and a Redis of their own."""
    with opened("postgres") as hall:
        yield hall
