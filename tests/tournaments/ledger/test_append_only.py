"""Both databases refuse every change of a ledger entry."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor

from tests.ledger_table import unprotected
from tests.tournaments.club_game import ClubGame
from tournaments.ledger.append_only import TABLE, protect
from tournaments.models import LedgerEntry

ROOT = Path(__file__).resolve().parents[3]
FORGERIES = [
    "UPDATE tournaments_ledgerentry SET kind = 'forged'",
    "UPDATE tournaments_ledgerentry SET n = n WHERE n = 1",
    "DELETE FROM tournaments_ledgerentry",
    "DELETE FROM tournaments_ledgerentry WHERE n = 1",
]
AGAIN = """INTO tournaments_ledgerentry (id, game_id, n, at, kind, by, data, hash)
    SELECT id, game_id, n, at, 'forged', by, data, hash FROM tournaments_ledgerentry WHERE n = 1"""
ON_SQLITE = [
    f"INSERT OR REPLACE {AGAIN}",
    f"INSERT {AGAIN} ON CONFLICT DO UPDATE SET kind = 'forged'",
    """INSERT OR REPLACE INTO tournaments_ledgerentry (game_id, n, at, kind, by, data, hash)
    SELECT game_id, n, at, 'forged', by, data, hash FROM tournaments_ledgerentry WHERE n = 1""",
]
ON_POSTGRESQL = [
    "TRUNCATE tournaments_ledgerentry",
    "TRUNCATE tournaments_game CASCADE",
    f"INSERT {AGAIN} ON CONFLICT (id) DO UPDATE SET kind = 'forged'",
    "WITH gone AS (DELETE FROM tournaments_ledgerentry RETURNING id) SELECT count(*) FROM gone",
]


def kinds() -> list[str]:
    return list(LedgerEntry.objects.order_by("pk").values_list("kind", flat=True))


@pytest.fixture
def sealed(club_game: ClubGame) -> ClubGame:
    """A ledger of four entries."""
    club_game.begin_turn()
    assert kinds() == ["created", "players", "draw", "announce"]
    return club_game


@pytest.mark.sqlite_file
@pytest.mark.django_db
@pytest.mark.parametrize("forgery", [*FORGERIES, *ON_SQLITE])
def test_on_sqlite_nothing_is_changed_or_taken_out(forgery: str, sealed: ClubGame) -> None:
    assert connection.vendor == "sqlite"
    with pytest.raises(DatabaseError, match="append only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(forgery)
    assert kinds() == ["created", "players", "draw", "announce"]


@pytest.mark.sqlite_file
@pytest.mark.django_db
@pytest.mark.parametrize("forgery", [*FORGERIES, *ON_SQLITE])
def test_without_the_triggers_each_of_these_would_have_changed_something(forgery: str, sealed: ClubGame) -> None:
    """Shows that the test before is not passed by a database without protection."""
    before = list(LedgerEntry.objects.values_list("pk", "kind"))
    with unprotected(), connection.cursor() as cursor:
        cursor.execute(forgery)
        after = list(LedgerEntry.objects.values_list("pk", "kind"))
    assert after != before or "n = n" in forgery


@pytest.mark.django_db
def test_through_the_models_nothing_is_changed_either(sealed: ClubGame) -> None:
    entry = LedgerEntry.objects.get(n=2)
    entry.kind = "forged"
    for act in (
        entry.save,
        entry.delete,
        LedgerEntry.objects.all().delete,
        lambda: LedgerEntry.objects.filter(n=2).update(kind="forged"),
        lambda: LedgerEntry.objects.bulk_update([entry], ["kind"]),
    ):
        with pytest.raises(DatabaseError, match="append only"), transaction.atomic():
            act()
    assert kinds() == ["created", "players", "draw", "announce"]


@pytest.mark.django_db
def test_new_entries_are_taken_all_the_same(sealed: ClubGame) -> None:
    sealed.close()
    assert kinds() == ["created", "players", "draw", "announce", "close"]


@pytest.mark.sqlite_file
@pytest.mark.django_db(transaction=True)
def test_a_migration_that_rebuilds_the_table_leaves_it_protected(transactional_db: None) -> None:
    """SQLite drops the triggers of a rebuilt table; the signal after `migrate` creates them again."""
    with connection.schema_editor() as editor:
        editor._remake_table(LedgerEntry)  # type: ignore[attr-defined]
    assert triggers() == set()
    call_command("migrate", verbosity=0)
    assert triggers() == {f"ledger_takes_no_{act}" for act in ("update", "delete", "replace")}


@pytest.mark.sqlite_file
@pytest.mark.django_db
def test_the_triggers_may_be_asked_for_twice(sealed: ClubGame) -> None:
    protect(connection)
    assert len(triggers()) == 3


@pytest.mark.sqlite_file
@pytest.mark.django_db
def test_the_migration_itself_makes_them(sealed: ClubGame) -> None:
    """A database created by migrations alone, without the signal of the app, has the triggers too."""
    executor = MigrationExecutor(connection)
    made = executor.loader.get_migration_by_prefix("tournaments", "0007")
    *_others, run = [one for one in made.operations if one.__class__.__name__ == "RunPython"]
    with unprotected():
        assert triggers() == set()
        run.code(apps, SimpleNamespace(connection=connection))  # type: ignore[attr-defined]
        assert len(triggers()) == 3


def triggers() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s", [TABLE])
        return {name for (name,) in cursor.fetchall()}


# ---------------------------------------------------------------------------------------------------------------
# PostgreSQL

DATABASE = f"multiplo_ledger_{os.getpid()}"
FILL = """
from django.contrib.auth.models import User
from tests.tournaments.club_game import create_club_game
create_club_game(User.objects.create(username="judge"))
"""


@pytest.fixture(scope="module")
def postgres(postgres_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[psycopg.Connection]:
    """A PostgreSQL database set up by the program, with one game."""
    url = urlunsplit(urlsplit(postgres_url)._replace(path=f"/{DATABASE}"))
    chosen = {"DATABASE_URL": url, "DATA_DIR": str(settings.DATA_DIR), "DJANGO_SETTINGS_MODULE": "referee.settings"}
    with psycopg.connect(postgres_url, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {DATABASE}")
        try:
            for arguments in (["migrate", "-v0"], ["shell", "-v0", "-c", FILL]):
                command = [sys.executable, "-m", "django", *arguments]
                subprocess.run(command, cwd=ROOT, env={**os.environ, **chosen}, check=True)
            with psycopg.connect(url, autocommit=True) as opened:
                yield opened
        finally:
            server.execute(f"DROP DATABASE {DATABASE} WITH (FORCE)")


BEGUN = [(1, "created"), (2, "players")]


def stored(database: psycopg.Connection) -> list[tuple[object, ...]]:
    return database.execute("SELECT n, kind FROM tournaments_ledgerentry ORDER BY id").fetchall()


@pytest.mark.endurance
@pytest.mark.services
@pytest.mark.parametrize("forgery", [*FORGERIES, *ON_POSTGRESQL])
def test_on_postgresql_nothing_is_changed_taken_out_or_emptied(forgery: str, postgres: psycopg.Connection) -> None:
    assert stored(postgres) == BEGUN
    with pytest.raises(psycopg.errors.IntegrityConstraintViolation, match="append only"):
        postgres.execute(forgery)
    assert stored(postgres) == BEGUN


@pytest.mark.endurance
@pytest.mark.services
def test_a_session_that_plays_a_replica_is_refused_too(postgres: psycopg.Connection) -> None:
    """Such a session does not run plain triggers."""
    with postgres.transaction(force_rollback=True):
        postgres.execute("SET LOCAL session_replication_role = replica")
        with pytest.raises(psycopg.errors.IntegrityConstraintViolation, match="append only"):
            postgres.execute("DELETE FROM tournaments_ledgerentry")


@pytest.mark.endurance
@pytest.mark.services
def test_without_the_trigger_postgresql_would_have_changed_it(postgres: psycopg.Connection) -> None:
    for forgery in ("UPDATE tournaments_ledgerentry SET kind = 'forged'", "TRUNCATE tournaments_ledgerentry"):
        with postgres.transaction(force_rollback=True):
            postgres.execute("DROP TRIGGER ledger_is_append_only ON tournaments_ledgerentry")
            postgres.execute(forgery)
            assert stored(postgres) != BEGUN
