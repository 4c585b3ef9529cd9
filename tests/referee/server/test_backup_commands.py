"""`manage.py backup` and `restore` as the person at the keyboard sees them."""

from __future__ import annotations

import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from tests.examples import representative
from tests.referee.live.install import Installation
from tests.waiting import until
from tournaments.backups.backup_file import read_backup

pytestmark = [pytest.mark.sqlite_file, pytest.mark.endurance]

UNREACHED_POSTGRES = "postgresql://nobody@127.0.0.1:1/nowhere"


@pytest.fixture
def laptop(tmp_path: Path) -> Installation:
    return Installation(tmp_path / "data")


def test_a_backup_by_hand_says_where_it_is_and_that_it_is_to_be_kept_safe(laptop: Installation, tmp_path: Path) -> None:
    done = laptop.migrate().run("backup", "--to", tmp_path / "stick" / "multiplo")
    path = tmp_path / "stick" / "multiplo" / "multiplo-empty.zip"
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == f"The backup is {path}. Keep it safe: whoever has it can act as the judge."
    assert read_backup(path).slips == 0


def test_without_a_folder_it_goes_beside_the_database(laptop: Installation) -> None:
    assert laptop.migrate().run("backup").returncode == 0
    assert (laptop.data / "backups" / "multiplo-empty.zip").exists()


def test_what_cannot_be_backed_up_is_one_sentence(laptop: Installation, tmp_path: Path) -> None:
    nothing = laptop.run("backup")
    assert (nothing.returncode, nothing.stderr.strip()) == (
        2,
        f"There is no database in {laptop.data}: name its folder with --data.",
    )
    (tmp_path / "file").write_text("")
    refused = laptop.migrate().run("backup", "--to", tmp_path / "file")
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"The backup to {tmp_path / 'file'} failed (")
    assert len(refused.stderr.strip().splitlines()) == 1


def test_what_was_there_is_kept_and_named(laptop: Installation, tmp_path: Path) -> None:
    assert laptop.migrate().run("backup", "--to", tmp_path).returncode == 0
    restored = laptop.run("restore", tmp_path / "multiplo-empty.zip")
    assert restored.returncode == 0, restored.stderr
    [kept] = [path for path in laptop.data.glob("multiplo.sqlite3.before-*") if not path.name.endswith(("wal", "shm"))]
    assert f"The database that was here is kept as {kept}." in restored.stdout


@pytest.mark.parametrize("name", representative(["none.zip", "text.zip"]))
def test_what_cannot_be_restored_is_one_sentence(laptop: Installation, tmp_path: Path, name: str) -> None:
    (tmp_path / "text.zip").write_text("a shopping list")
    refused = laptop.migrate().run("restore", tmp_path / name)
    assert refused.returncode == 2
    assert str(tmp_path / name) in refused.stderr
    assert len(refused.stderr.strip().splitlines()) == 1
    assert list(laptop.data.glob("*.before-*")) == []


def test_a_database_without_its_tables_takes_no_place(laptop: Installation, tmp_path: Path) -> None:
    assert laptop.migrate().run("backup", "--to", tmp_path).returncode == 0
    torn, database = tmp_path / "torn.zip", tmp_path / "torn.sqlite3"
    with zipfile.ZipFile(tmp_path / "multiplo-empty.zip") as whole, zipfile.ZipFile(torn, "w") as packed:
        database.write_bytes(whole.read("multiplo.sqlite3"))
        with closing(sqlite3.connect(database)) as base, base:
            base.execute("DROP TABLE tournaments_practice")
        for name in whole.namelist():
            packed.writestr(name, database.read_bytes() if name == "multiplo.sqlite3" else whole.read(name))
    refused = laptop.run("restore", torn)
    assert refused.returncode == 2
    assert "take an older backup" in refused.stderr
    assert len(refused.stderr.strip().splitlines()) == 1
    assert list(laptop.data.glob("*.before-*")) == list(laptop.data.glob("*.restoring*")) == []


@pytest.mark.parametrize("command", representative(["backup", "restore some.zip"]))
def test_on_postgresql_both_say_where_the_way_is_told(tmp_path: Path, command: str) -> None:
    federation = Installation(tmp_path / "data", DATABASE_URL=UNREACHED_POSTGRES)
    refused = federation.run(*command.split())
    assert refused.returncode == 2
    assert "PostgreSQL" in refused.stderr
    assert "docs/operating.md" in refused.stderr


def test_the_program_keeps_its_backups_in_the_folder_that_serve_names(laptop: Installation, tmp_path: Path) -> None:
    laptop.migrate()
    served = laptop.serve("--backup", str(tmp_path / "stick")).ready()
    try:
        until((tmp_path / "stick" / "multiplo-empty.zip").exists, "the backup")
    finally:
        assert served.stop() == 0
    assert [path.name for path in (tmp_path / "stick").glob(".multiplo-*.part")] == []
