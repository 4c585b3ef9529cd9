from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.chaos.hall import ServerGroup
from tests.chaos.programs import MissingProgram
from tests.conftest import missing


@contextmanager
def opened(store: str, **variables: str) -> Iterator[ServerGroup]:
    """A hall in a folder of its own, closed at the end."""
    with tempfile.TemporaryDirectory(prefix="multiplo-crash-") as folder:
        hall = ServerGroup(store, Path(folder), **variables)
        try:
            yield hall.open()
        except MissingProgram as lacking:
            missing(str(lacking))
        finally:
            hall.close()


@pytest.fixture(scope="session")
def small_hall() -> Iterator[ServerGroup]:
    """One server on SQLite."""
    with opened("sqlite") as hall:
        yield hall


@pytest.fixture(scope="session")
def big_hall() -> Iterator[ServerGroup]:
    """Two servers and a Celery worker on a PostgreSQL and a Redis of their own."""
    with opened("postgres") as hall:
        yield hall
