"""Processes that do not start: each fault is one sentence with the remedy, and the exit code is 2."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

from referee.server.start_checks import Check, find_faults
from tests.examples import representative
from tests.made_once import ROOT, copy_migrated_database
from tests.waiting import PATIENCE_S, until

KEY = "the-key-of-this-installation-" * 2
SECRET = "p@ss/word$"
NAME = f"settings_start_{os.getpid()}"
SERVE = ("manage.py", "serve", "--no-browser", "--port", "0")
UVICORN = ("-m", "uvicorn", "referee.asgi:application", "--port", "0")
WORKER = ("-m", "celery", "-A", "referee.celery", "worker", "--pool", "solo", "--loglevel", "ERROR")
EVERYWHERE = (SERVE, UVICORN, WORKER)
SLOW_IMPORTS = {"numba", "numpy", "reportlab", "openpyxl", "pypdfium2", "icalendar", "referee.urls", "referee.tasks"}
"""Modules that take longer to import than all checks take together."""
AWAY = ["DATABASE_URL: no PostgreSQL", "REDIS_URL: no Redis"]
Variables = dict[str, str]


def run(command: tuple[str, ...], variables: Variables) -> tuple[int, list[str]]:
    """Exit code and sentences of a process; the warning of Celery about root is none."""
    environment = {"LANG": "C.UTF-8", "PYTHONWARNINGS": "ignore", "DJANGO_SETTINGS_MODULE": "referee.settings"}
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={**os.environ, "BACKUP_DIR": "", **environment, **variables},
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE_S,
        check=False,
    )
    assert not done.stdout.strip(), done.stdout
    assert SECRET not in done.stderr
    return done.returncode, done.stderr.splitlines()


@pytest.mark.parametrize("command", EVERYWHERE, ids=("serve", "uvicorn", "worker"))
def test_the_checks_come_before_what_takes_long(command: tuple[str, ...], tmp_path: Path) -> None:
    address = "127.0.0.1:9"  # of the service `discard`, which nobody runs
    away = {"DATABASE_URL": f"postgresql://u@{address}/x", "REDIS_URL": f"redis://{address}/0"}
    told = {"SECRET_KEY": KEY, "DATA_DIR": str(tmp_path), "PYTHONPROFILEIMPORTTIME": "1"}
    code, said = run(command, {**away, **told})
    imported = {line.rpartition("|")[2].strip() for line in said if line.startswith("import time:")}
    sentences = [line.partition(" answers")[0] for line in said if not line.startswith("import time:")]
    assert (code, sentences) == (2, AWAY)
    assert "referee.server.start_checks" in imported
    assert not imported & SLOW_IMPORTS


@contextmanager
def changed(database: str, *statements: str) -> Iterator[None]:
    """A database that statements have changed; all but the last one are undone by it."""
    *done, undone = statements
    with psycopg.connect(database, autocommit=True) as connection:
        for statement in done:
            connection.execute(statement.encode())
        try:
            yield
        finally:
            connection.execute(undone.encode())


@pytest.fixture(scope="module")
def variables(postgres_url: str, redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Variables]:
    """The environment of an installation on servers, whose database has all tables."""
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {NAME}")
        url = urlunsplit(urlsplit(postgres_url)._replace(path=f"/{NAME}"))
        try:
            chosen = {
                "DATABASE_URL": url,
                "REDIS_URL": redis_url,
                "SECRET_KEY": KEY,
                "DATA_DIR": str(tmp_path_factory.mktemp("data")),
            }
            assert "create it with createdb" in migrate({**chosen, "DATABASE_URL": changed_url(url, "/missing")}, 2)
            migrate(chosen, 0)
            yield chosen
        finally:
            connection.execute(f"DROP DATABASE {NAME} WITH (FORCE)")


def migrate(variables: Variables, code: int) -> str:
    command = [sys.executable, "manage.py", "migrate", "--noinput", "-v0"]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **variables}, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done.stderr


@pytest.mark.endurance
@pytest.mark.services
@pytest.mark.parametrize("command", EVERYWHERE, ids=("serve", "uvicorn", "worker"))
class TestEveryProcess:
    def test_wrong_variables_are_reported_together(self, command: tuple[str, ...], variables: Variables) -> None:
        wrong = {"HTTPS": "maybe", "RETENTION_DAYS": "abc", "REDIS_URL": f"http://:{SECRET}@h", "ALLOWED_HOSTS": "a b"}
        code, said = run(command, {**variables, **wrong})
        assert code == 2
        assert [line.split(" is ")[0] for line in said] == ["RETENTION_DAYS", "ALLOWED_HOSTS", "HTTPS", "REDIS_URL"]

    def test_services_away_and_another_folder_are_reported_together(
        self, command: tuple[str, ...], variables: Variables
    ) -> None:
        with socket.socket() as closed:  # it keeps others from the port, and does not listen
            closed.bind(("127.0.0.1", 0))
            port = closed.getsockname()[1]
            wrong = {
                "DATABASE_URL": f"postgresql://u:{SECRET}@127.0.0.1:{port}/x",
                "REDIS_URL": f"redis://:{SECRET}@127.0.0.1:{port}/0",
            }
            code, said = run(command, {**variables, **wrong})
        assert code == 2
        assert [line.partition(" answers")[0] for line in said] == AWAY
        assert all(f"127.0.0.1:{port} (" in line and "start it, or correct" in line for line in said)

    def test_another_key_and_none_are_refused(self, command: tuple[str, ...], variables: Variables) -> None:
        with claimed(variables):
            assert run(command, {**variables, "SECRET_KEY": "another key" * 6}) == (
                2,
                [
                    "The database belongs to another SECRET_KEY: set the one of the other processes or, if it is lost, "
                    "run: python3 manage.py change_key"
                ],
            )
        code, said = run(command, {**variables, "SECRET_KEY": ""})
        assert (code, [line[:22] for line in said]) == (2, ["SECRET_KEY is not set:"])

    def test_only_the_command_migrate_makes_or_changes_tables(
        self, command: tuple[str, ...], variables: Variables
    ) -> None:
        url = variables["DATABASE_URL"]
        with changed(
            url,
            "ALTER TABLE django_migrations RENAME TO hidden",
            "DROP TABLE IF EXISTS django_migrations; ALTER TABLE hidden RENAME TO django_migrations",
        ):
            code, said = run(command, variables)
            assert (code, said) == (2, ["The database has no tables yet: make them with python3 manage.py migrate"])
        with changed(
            url,
            "CREATE TABLE kept AS SELECT * FROM django_migrations WHERE app = 'tournaments' "
            "ORDER BY name LIMIT 1 OFFSET 1",
            "DELETE FROM django_migrations WHERE id = (SELECT id FROM kept)",
            "INSERT INTO django_migrations SELECT * FROM kept; DROP TABLE kept",
        ):
            code, said = run(command, variables)
            assert (code, len(said)) == (2, 1)
            assert "then run: python3 manage.py migrate" in said[0]
        with changed(
            url,
            "INSERT INTO django_migrations (app, name, applied) VALUES ('tournaments', '9999_later', now())",
            "DELETE FROM django_migrations WHERE name = '9999_later'",
        ):
            code, said = run(command, variables)
            assert (code, len(said)) == (2, 1)
            assert "newer Multiplo (9999_later is unknown)" in said[0]


@pytest.mark.endurance
@pytest.mark.services
def test_services_that_never_answer_are_given_up_side_by_side(variables: Variables) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        wrong = {
            "DATABASE_URL": f"postgresql://u:{SECRET}@127.0.0.1:{port}/x",
            "REDIS_URL": f"redis://:{SECRET}@127.0.0.1:{port}/0",
        }
        code, said = run(UVICORN, {**variables, **wrong})
    assert (code, [line.partition(":")[0] for line in said]) == (2, ["DATABASE_URL", "REDIS_URL"])
    # A driver gives up after three seconds, and on a slow machine the program before it.
    assert all(re.search("timed out|timeout|no answer within", line, re.IGNORECASE) for line in said)


def test_a_check_that_does_not_end_is_given_up() -> None:
    ended = threading.Event()

    def wait() -> str:
        ended.wait()
        return ""

    found = find_faults([Check("REDIS_URL", wait), Check("DATA_DIR", lambda: "This is wrong.")], longest_s=2)
    ended.set()
    assert found[1] == "This is wrong."
    assert found[0].startswith("REDIS_URL: there is no answer within 2 seconds")


@contextmanager
def claimed(variables: Variables) -> Iterator[None]:
    """The database of a process that has started with the key."""
    claim(variables)
    with psycopg.connect(variables["DATABASE_URL"], autocommit=True) as connection:
        yield
        connection.execute("DELETE FROM tournaments_installation")


@pytest.mark.endurance
@pytest.mark.services
@pytest.mark.parametrize(
    ("wrong", "sentence"),
    representative(
        [
            ({"DATABASE_URL": "nobody"}, "does not accept the user “nobody” with this password: correct user"),
            ({"DATABASE_URL": "/missing"}, "has no database “missing”: create it with createdb, or correct the name."),
            ({"DATABASE_URL": "?sslmode=verify-full"}, "cannot be reached with these TLS options ("),
            ({"DATABASE_URL": "?sslmode=perhaps"}, "sslmode"),
            ({"DATABASE_URL": "?ssl_mode=require"}, "has an option that is not known to PostgreSQL ("),
            ({"DATABASE_URL": "db.invalid"}, "no PostgreSQL answers at db.invalid:5432 ("),
            ({"REDIS_URL": f"redis://:{SECRET}@127.0.0.1:6379/7"}, "does not accept this user and password: correct"),
            ({"REDIS_URL": "redis://127.0.0.1:6379/100000"}, "refuses (DB index is out of range): correct the address"),
            ({"REDIS_URL": "redis://redis.invalid/0"}, "no Redis answers at redis.invalid:6379 ("),
            ({"PUBLIC_URL": "https://play.example"}, "ALLOWED_HOSTS does not contain play.example, the host of PUB"),
            ({"DATA_DIR": "/proc/multiplo"}, "The folder /proc/multiplo cannot be written to ("),
            ({"DATA_DIR": __file__}, "test_start_checks.py”: write the path of a folder."),
        ]
    ),
)
def test_a_wrong_setting_is_one_sentence(variables: Variables, wrong: Variables, sentence: str) -> None:
    [(name, value)] = wrong.items()
    if name == "DATABASE_URL":
        value = changed_url(variables["DATABASE_URL"], value)
    if name == "REDIS_URL":
        redis = urlsplit(variables["REDIS_URL"])
        value = value.replace("127.0.0.1:6379", f"{redis.hostname}:{redis.port}")
    code, said = run(UVICORN, {**variables, name: value})
    assert (code, len(said)) == (2, 1), said
    assert sentence in said[0]


def changed_url(url: str, part: str) -> str:
    """The address with another user, host, database or option."""
    parts = urlsplit(url)
    if part.startswith("?"):
        return url + part
    if part.startswith("/"):
        return urlunsplit(parts._replace(path=part))
    if "." in part:
        return urlunsplit(parts._replace(netloc=f"postgres:{SECRET}@{part}:5432"))
    return urlunsplit(parts._replace(netloc=f"{part}:{SECRET}@{parts.hostname}:{parts.port}"))


@pytest.mark.endurance
@pytest.mark.services
def test_a_missing_worker_is_a_fault_of_the_check_and_a_warning_of_a_server(variables: Variables) -> None:
    check = ("manage.py", "check-services")
    # The workers of other tests answer in the database of Redis that these use.
    variables = {**variables, "REDIS_URL": changed_url(variables["REDIS_URL"], "/14")}
    code, said = run(check, variables)
    assert (code, len(said)) == (2, 1)
    assert said[0].startswith("No worker answers")
    worker = subprocess.Popen(
        [sys.executable, *WORKER, "--queues", NAME],
        cwd=ROOT,
        env={**os.environ, **variables, "DJANGO_SETTINGS_MODULE": "referee.settings"},
        stdout=subprocess.DEVNULL,
    )
    try:
        until(lambda: run(check, variables) == (0, []), "an answer of the worker")
    finally:
        worker.terminate()
        worker.wait(timeout=PATIENCE_S)


@pytest.mark.endurance
@pytest.mark.services
def test_two_migrations_at_once_wait_for_each_other(postgres_url: str, tmp_path: Path) -> None:
    name = f"{NAME}_twice"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
        try:
            url = urlunsplit(urlsplit(postgres_url)._replace(path=f"/{name}"))
            environment = {**os.environ, "DATABASE_URL": url, "SECRET_KEY": KEY, "DATA_DIR": str(tmp_path)}
            command = [sys.executable, "-m", "django", "migrate", "--noinput", "-v0"]
            both = [
                subprocess.Popen(command, cwd=ROOT, env={**environment, "DJANGO_SETTINGS_MODULE": "referee.settings"})
                for _ in range(2)
            ]
            assert [each.wait(timeout=3 * PATIENCE_S) for each in both] == [0, 0]
            with psycopg.connect(url) as made:
                [(twice,)] = made.execute(
                    "SELECT count(*) FROM (SELECT 1 FROM django_migrations GROUP BY app, name HAVING count(*) > 1) t"
                ).fetchall()
            assert twice == 0
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


class TestDataFolder:
    """The key of a laptop is in its data folder."""

    @pytest.fixture
    def data(self, tmp_path: Path) -> Path:
        """A folder whose key the database knows."""
        folder = make_folder(tmp_path / "data", "k" * 64)
        claim({"DATA_DIR": str(folder), "SECRET_KEY": "", "DATABASE_URL": "", "REDIS_URL": ""})
        return folder

    def test_a_copied_folder_keeps_working_and_its_database_alone_does_not(self, data: Path, tmp_path: Path) -> None:
        shutil.copytree(data, tmp_path / "copy")
        assert manage(tmp_path / "copy", "backup")[0] == 0
        other = make_folder(tmp_path / "other", "o" * 64)
        shutil.copy(data / "multiplo.sqlite3", other)
        code, said = manage(other, "backup")
        assert (code, said.count("\n")) == (2, 1)
        assert f"copy the file secret_key from where the database comes into {other} or" in said

    @pytest.mark.endurance
    def test_a_key_beside_the_one_of_the_folder_is_named(self, data: Path) -> None:
        code, said = manage(data, "serve", "--no-browser", "--port", "0", SECRET_KEY="s" * 64)
        assert code == 2
        assert said.splitlines()[-1].endswith("SECRET_KEY is another one: remove SECRET_KEY from the environment.")
        assert "s" * 64 not in said

    @pytest.mark.endurance
    def test_a_backup_brings_its_key_to_another_folder(self, data: Path, tmp_path: Path) -> None:
        assert manage(data, "backup", "--to", tmp_path / "stick")[0] == 0
        other = make_folder(tmp_path / "other", "o" * 64)
        claim({"DATA_DIR": str(other), "SECRET_KEY": "", "DATABASE_URL": "", "REDIS_URL": ""})
        [file] = (tmp_path / "stick").glob("*.zip")
        assert manage(other, "restore", file)[0] == 0
        code, said = manage(other, "judge-link", "--address", "http://x")
        assert (code, said[:15]) == (0, "http://x/enter/")

    @pytest.mark.endurance
    def test_the_key_is_changed_after_a_confirmation(self, data: Path) -> None:
        before = (data / "secret_key").read_text()
        assert manage(data, "change-key")[0] == 2
        assert (data / "secret_key").read_text() == before
        code, said = manage(data, "change-key", "--yes")
        assert (code, "everybody has to log in again" in said) == (0, True)
        assert [file.read_text() for file in data.glob("secret_key.before-*")] == [before]
        assert manage(data, "backup")[0] == 0
        (data / "secret_key").write_text(before)
        assert manage(data, "backup")[0] == 2
        assert manage(data, "change-key", "--yes")[0] == 0  # the key was lost: the one that is here counts from now on
        assert (data / "secret_key").read_text() == before
        assert manage(data, "backup")[0] == 0


def make_folder(folder: Path, key: str) -> Path:
    """A data folder as the first start makes it."""
    folder.mkdir()
    copy_migrated_database(folder)
    (folder / "secret_key").write_text(key)
    return folder


def claim(variables: Variables) -> None:
    """Record the key in the database, as the start of a server does."""
    code = (
        "import django; django.setup()\n"
        "from tournaments.installation.services import claim_installation as claim\n"
        "from django.conf import settings; assert claim(key=settings.SECRET_KEY)"
    )
    environment = {**os.environ, **variables, "DJANGO_SETTINGS_MODULE": "referee.settings"}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, check=True)


def manage(data: Path, *line: str | Path, **variables: str) -> tuple[int, str]:
    """Exit code and output of a command on a data folder."""
    chosen = {"SECRET_KEY": "", "DATABASE_URL": "", "REDIS_URL": "", "BACKUP_DIR": "", "LANG": "C.UTF-8", **variables}
    done = subprocess.run(
        [sys.executable, "manage.py", *map(str, line), "--data", str(data)],
        cwd=ROOT,
        env={**os.environ, **chosen},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE_S,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr
