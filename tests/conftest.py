"""What tests of every folder may ask for: the browser and the servers that this machine has.

A missing one skips the test with the reason shown; under CI=true it is a failure.
"""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NoReturn

import pytest
from django.test import TransactionTestCase
from django.utils import translation
from hypothesis import settings

from tests.ledger_table import EmptiedAfterwards

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
POSTGRES_USERS = ("postgres", "root")
EVENINGS = ("night", "crash")

# The same examples on every machine and however slow it is; HYPOTHESIS_PROFILE=default looks for new ones.
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--endurance` runs the tests with this mark and no others; without it they are left out."""
    parser.addoption("--endurance", action="store_true", help="run only the endurance tests, for FUZZ_SECONDS (3600)")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Choose by `--endurance`. The files with the longest tests begin first, so that no process waits for one of them
    at the end."""
    wanted = config.getoption("--endurance")
    left_out = [item for item in items if (item.get_closest_marker("endurance") is not None) is not wanted]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if (item.get_closest_marker("endurance") is not None) is wanted]
    tests = Path(__file__).parent
    items.sort(key=lambda item: item.path.relative_to(tests).parts[0] not in EVENINGS)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Sentences are compared in English, whatever language a page of an earlier test was shown in."""
    with translation.override("en"):
        yield


@pytest.fixture(scope="session", autouse=True)
def _the_ledger_lets_itself_be_emptied() -> Iterator[None]:
    """After a test that commits, and then alone."""
    emptied = EmptiedAfterwards()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda case: emptied(case))
        yield


def missing(what: str) -> NoReturn:
    """Skip the test that needs it, or fail it where everything has to be there."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what}, and CI=true allows no gap", pytrace=False)
    pytest.skip(what)


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The system's Chromium or Chrome."""
    for name in BROWSERS:
        if path := shutil.which(name):
            return path
    missing(f"no browser here: none of {', '.join(BROWSERS)} is installed")


@pytest.fixture(scope="session")
def poppler() -> None:
    """The programs that read a PDF as somebody else's reader would."""
    for name in ("pdftotext", "pdffonts"):
        if shutil.which(name) is None:
            missing(f"{name} is not installed (package poppler-utils)")


@pytest.fixture(scope="session")
def postgres_url() -> str:
    """A PostgreSQL whose user may create databases: TEST_DATABASE_URL, else the one on this machine."""
    local = [f"postgresql://{user}@127.0.0.1:5432/postgres" for user in POSTGRES_USERS]
    chosen = _candidates("TEST_DATABASE_URL", local, port=5432)
    for url in chosen:
        if _is_postgres(url):
            return url
    missing("no PostgreSQL answers (set TEST_DATABASE_URL)")


@pytest.fixture(scope="session")
def redis_url() -> str:
    """A Redis: TEST_REDIS_URL, else the one on this machine."""
    for url in _candidates("TEST_REDIS_URL", ["redis://127.0.0.1:6379/15"], port=6379):
        if _is_redis(url):
            return url
    missing("no Redis answers (set TEST_REDIS_URL)")


def _candidates(variable: str, local: Sequence[str], *, port: int) -> Sequence[str]:
    """The address that the variable names, else the local ones when their port is open."""
    if url := os.environ.get(variable):
        return [url]
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return []
    return local


def _is_postgres(url: str) -> bool:
    import psycopg

    try:
        with psycopg.connect(url, connect_timeout=2) as connection:
            rights = "SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user"
            answer = connection.execute(rights).fetchone()
    except psycopg.Error:
        return False
    return bool(answer and answer[0])


def _is_redis(url: str) -> bool:
    import redis

    client = redis.Redis.from_url(url, socket_connect_timeout=2, socket_timeout=2)
    try:
        return bool(client.ping())
    except redis.RedisError:
        return False
    finally:
        client.close()
