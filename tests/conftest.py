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
from django.db import connection
from django.test import TransactionTestCase, override_settings
from django.utils import translation
from hypothesis import is_hypothesis_test, settings
from pytest_django import DjangoDbBlocker
from xdist.scheduler import LoadFileScheduling

from tests import examples, on_postgresql  # noqa: F401 - examples registers the profiles
from tests.ledger_table import EmptiedAfterwards

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
POSTGRES_USERS = ("postgres", "root")
QUICK_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
MOST_PROCESSES = 5
LONG = ("e2e", "chaos", "deploy", "referee/rehearsal", "referee/live/faults", "referee/security/threats")
"""Folders with long tests, the longest first."""
SHARED = "tests/e2e/"
NO_POSTGRES = "no PostgreSQL answers (set TEST_DATABASE_URL)"
NO_REDIS = "no Redis answers (set TEST_REDIS_URL)"
OWN_INSTALLATIONS = (
    *("chaos", "deploy", "e2e", "packages", "upgrades"),
    *("referee/kit", "referee/release", "referee/setup"),
)
"""Folders in which each test starts a program with a data folder, or servers, of its own."""
ABOUT_SQLITE = pytest.StashKey[int]()
WITH_OWN_SERVER = ("accessibility/", "test_second_laptop.py", "test_three_desks.py", "test_two_typists.py")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--endurance` runs the tests with this mark, and the property tests again with many random examples."""
    parser.addoption("--endurance", action="store_true", help="run only the long tests; FUZZ_SECONDS (3600) to fuzz")
    databases = ("sqlite", "postgresql")
    parser.addoption("--database", choices=databases, default="sqlite", help="postgresql: with Redis (CONTRIBUTING.md)")


def pytest_configure(config: pytest.Config) -> None:
    """Choose the number of examples before any test is read, and the database before any test uses it."""
    settings.load_profile("endurance" if config.getoption("--endurance") else "quick")
    if config.getoption("--database") == "postgresql":
        server, redis = find_postgres(), find_redis()
        if server is None or redis is None:
            raise pytest.UsageError(f"--database postgresql: {NO_POSTGRES if server is None else NO_REDIS}")
        on_postgresql.choose(server, redis)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One process more than processors, because many tests wait for servers and browsers."""
    return min(MOST_PROCESSES, (os.cpu_count() or 1) + 1)


class OneServerScheduling(LoadFileScheduling):  # type: ignore[misc]
    """A file of tests stays in one process; so do the files in `SHARED`, which use the same server and browser."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        is_shared = file.startswith(SHARED) and not file.removeprefix(SHARED).startswith(WITH_OWN_SERVER)
        return SHARED if is_shared else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> OneServerScheduling | None:
    """Distribute whole files, as `--dist loadfile` does."""
    return OneServerScheduling(config, log) if config.getoption("dist") == "loadfile" else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Choose by `--endurance`. The files with the longest tests begin first, so that no process waits for one of them
    at the end. With `--endurance`, files that the default run has run with fewer examples come last."""
    chosen = _is_endurance if config.getoption("--endurance") else _is_quick
    _deselect(config, items, [item for item in items if not chosen(item)])
    if on_postgresql.is_chosen():
        about_sqlite = [item for item in items if _is_about_sqlite(item)]
        _deselect(config, items, about_sqlite)
        config.stash[ABOUT_SQLITE] = len(about_sqlite)
    with_long_tests = {item.path for item in items if not _is_quick(item)}
    items.sort(key=lambda item: (_place_in_line(item), item.path not in with_long_tests))


def _deselect(config: pytest.Config, items: list[pytest.Item], left_out: list[pytest.Item]) -> None:
    config.hook.pytest_deselected(items=left_out)
    names = {item.nodeid for item in left_out}
    items[:] = [item for item in items if item.nodeid not in names]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A process of xdist tells the one that started it how many tests it left out."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["about_sqlite"] = session.config.stash.get(ABOUT_SQLITE, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """Every process of xdist collects all tests, so the number of one of them is that of the run."""
    node.config.stash[ABOUT_SQLITE] = getattr(node, "workeroutput", {}).get("about_sqlite", 0)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say on which database the tests ran, if not on SQLite."""
    if on_postgresql.is_chosen():
        left_out = config.stash.get(ABOUT_SQLITE, 0)
        terminalreporter.write_line(f"PostgreSQL and Redis; {left_out} tests about the file of SQLite left out")


def _place_in_line(item: pytest.Item) -> int:
    return next((place for place, long in enumerate(LONG) if _folder(item).startswith(long)), len(LONG))


def _folder(item: pytest.Item) -> str:
    return item.path.relative_to(Path(__file__).parent).parent.as_posix()


def _is_about_sqlite(item: pytest.Item) -> bool:
    return item.get_closest_marker("sqlite_file") is not None or _folder(item).startswith(OWN_INSTALLATIONS)


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


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The database of the tests; before PostgreSQL drops it, the connections of threads that still live are ended."""
    yield
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            others = "datname = current_database() AND pid <> pg_backend_pid()"
            cursor.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")  # noqa: S608


@pytest.fixture(scope="session", autouse=True)
def _the_chosen_database_is_used(django_test_environment: None, pytestconfig: pytest.Config) -> None:
    assert connection.vendor == pytestconfig.getoption("--database")


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
    return find_postgres() or missing(NO_POSTGRES)


@pytest.fixture(scope="session")
def redis_url() -> str:
    """A Redis: TEST_REDIS_URL, else the one on this machine."""
    return find_redis() or missing(NO_REDIS)


def find_postgres() -> str | None:
    """The address of a PostgreSQL whose user may create databases."""
    local = [f"postgresql://{user}@127.0.0.1:5432/postgres" for user in POSTGRES_USERS]
    return next(filter(_is_postgres, _candidates("TEST_DATABASE_URL", local, port=5432)), None)


def find_redis() -> str | None:
    """The address of a Redis."""
    return next(filter(_is_redis, _candidates("TEST_REDIS_URL", ["redis://127.0.0.1:6379/15"], port=6379)), None)


def _candidates(variable: str, local: Sequence[str], *, port: int) -> Sequence[str]:
    """The address that the variable names, else the local ones when their port is open."""
    if url := os.environ.get(variable):
        return [url]
    try:
        socket.create_connection(("127.0.0.1", port), timeout=10).close()
    except OSError:
        return []
    return local


def _is_postgres(url: str) -> bool:
    import psycopg

    try:
        with psycopg.connect(url, connect_timeout=10) as connection:
            rights = "SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user"
            answer = connection.execute(rights).fetchone()
    except psycopg.Error:
        return False
    return bool(answer and answer[0])


def _is_redis(url: str) -> bool:
    import redis

    client = redis.Redis.from_url(url, socket_connect_timeout=10, socket_timeout=10)
    try:
        return bool(client.ping())
    except redis.RedisError:
        return False
    finally:
        client.close()
