"""Fixtures for all tests: the browser and the servers that this machine has.

A missing one skips the test with the reason shown; under CI=true it is a failure.
"""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

import pytest
from django.test import TransactionTestCase, override_settings
from django.utils import translation
from hypothesis import is_hypothesis_test, settings
from xdist.scheduler import LoadFileScheduling

from tests import examples  # noqa: F401 - registers the profiles
from tests.ledger_table import EmptiedAfterwards

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
POSTGRES_USERS = ("postgres", "root")
QUICK_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
MOST_PROCESSES = 5
LONG = ("e2e", "chaos", "deploy", "referee/rehearsal", "referee/live/faults", "referee/security/threats")
"""Folders with long tests, the longest first."""
SHARED = "tests/e2e/"
WITH_OWN_SERVER = ("test_access.py", "test_second_laptop.py", "test_three_desks.py", "test_two_typists.py")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--endurance` runs the tests with this mark, and the property tests again with many random examples."""
    parser.addoption("--endurance", action="store_true", help="run only the long tests; FUZZ_SECONDS (3600) to fuzz")


def pytest_configure(config: pytest.Config) -> None:
    """Choose the number of examples before any test is read."""
    settings.load_profile("endurance" if config.getoption("--endurance") else "quick")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One process more than processors, because many tests wait for servers and browsers."""
    return min(MOST_PROCESSES, (os.cpu_count() or 1) + 1)


class OneServerScheduling(LoadFileScheduling):  # type: ignore[misc]
    """A file of tests stays in one process; so do the files in `SHARED`, which use the same server and browser."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return SHARED if file.startswith(SHARED) and not file.endswith(WITH_OWN_SERVER) else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> OneServerScheduling | None:
    """Distribute whole files, as `--dist loadfile` does."""
    return OneServerScheduling(config, log) if config.getoption("dist") == "loadfile" else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Choose by `--endurance`. The files with the longest tests begin first, so that no process waits for one of them
    at the end."""
    chosen = _is_endurance if config.getoption("--endurance") else _is_quick
    config.hook.pytest_deselected(items=[item for item in items if not chosen(item)])
    items[:] = [item for item in items if chosen(item)]
    items.sort(key=_place_in_line)


def _place_in_line(item: pytest.Item) -> int:
    folder = item.path.relative_to(Path(__file__).parent).parent.as_posix()
    return next((place for place, long in enumerate(LONG) if folder.startswith(long)), len(LONG))


def _is_quick(item: pytest.Item) -> bool:
    return item.get_closest_marker("endurance") is None


def _is_endurance(item: pytest.Item) -> bool:
    return not _is_quick(item) or is_hypothesis_test(getattr(item, "obj", None))


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Sentences are compared in English, whatever language a page of an earlier test was shown in."""
    with translation.override("en"):
        yield


@pytest.fixture(scope="session", autouse=True)
def _passwords_are_hashed_quickly(django_test_environment: None) -> Iterator[None]:
    """Argon2 takes as long as it is meant to; tests/referee/desk/staff/test_staff.py shows that it is in use."""
    with override_settings(PASSWORD_HASHERS=QUICK_HASHERS):
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
