"""Data folders of earlier releases, opened by this program and by a made later one: upgraded, or refused unchanged."""

from __future__ import annotations

import json
import lzma
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psycopg
import pytest

from engine.version import VERSION, version_key
from tests.examples import representative
from tests.upgrades.postgresql import load, temporary_database

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures" / "data_folders"
RELEASES = sorted((path.name for path in FIXTURES.iterdir()), key=version_key)
LATER = "9.0.0"
CHANGE = """
from django.db import migrations, models

def rename(apps, schema_editor):
    Club = apps.get_model("tournaments", "Club")
    Club.objects.update(colour="green")

class Migration(migrations.Migration):
    dependencies = [("tournaments", {newest!r})]
    operations = [
        migrations.AddField("club", "colour", models.CharField(max_length=10, default="")),
        migrations.RunPython(rename),
    ]
"""
FAILURE = """
from django.db import migrations

def fail(apps, schema_editor):
    raise RuntimeError("a made fault")

class Migration(migrations.Migration):
    dependencies = [("tournaments", "9001_change")]
    operations = [migrations.RunPython(fail)]
"""
FACTS = "import json; from tests.upgrades.facts import {0}; print(json.dumps({0}()))"


@dataclass(frozen=True)
class Program:
    """A checkout, run on a data folder or on a database of PostgreSQL."""

    root: Path
    data: Path
    database_url: str = ""

    def manage(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Run `manage.py`, which does what the set-up has to do first."""
        return self._run(str(self.root / "manage.py"), *map(str, arguments), "--data", str(self.data))

    def export(self) -> subprocess.CompletedProcess[str]:
        """Run a command that reads an event."""
        with zipfile.ZipFile(FIXTURES / RELEASES[-1] / "data.zip") as packed:
            code = json.loads(packed.read("about.json"))["code"]
        return self.manage("export_event", code, "--format", "json", "--out", self.data / "out.json")

    def ask(self, question: str) -> Any:
        """Call a function of `tests.upgrades.facts` in the program."""
        told = self._run("-m", "django", "shell", "-v0", "-c", FACTS.format(question))
        assert told.returncode == 0, told.stderr
        return json.loads(told.stdout.splitlines()[-1])

    def _run(self, *line: str) -> subprocess.CompletedProcess[str]:
        outside = {"SECRET_KEY": "", "SECRET_KEY_FILE": "", "BACKUP_DIR": "", "PYTHONPATH": ""}
        chosen = {"DATA_DIR": str(self.data), "DATABASE_URL": self.database_url, "LC_ALL": "C.UTF-8"}
        chosen |= {"DJANGO_SETTINGS_MODULE": "referee.settings", "ALLOWED_HOSTS": "testserver"}
        return subprocess.run(
            [sys.executable, *line],
            cwd=self.root,
            env={**os.environ, **outside, **chosen},
            capture_output=True,
            encoding="utf-8",
            timeout=300,
            check=False,
        )


def unpack(release: str, data: Path) -> Path:
    """Make the data folder of a release."""
    with zipfile.ZipFile(FIXTURES / release / "data.zip") as packed:
        packed.extractall(data)
    (data / "about.json").unlink()
    with closing(sqlite3.connect(data / "multiplo.sqlite3")) as base:
        base.execute("PRAGMA journal_mode=WAL")  # which the program uses, and a backup does not
    return data


def stored_facts(release: str) -> Any:
    return json.loads((FIXTURES / release / "facts.json").read_text(encoding="utf-8"))


def rows(database: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(database)) as base:
        return base.execute(query).fetchall()


def require_kept(program: Program, release: str) -> None:
    """The rows, standings, archives and pages of a release are there. Later tables may have rows of the program."""
    found, stored = program.ask("read_facts"), stored_facts(release)
    assert {table: found["rows"].get(table) for table in stored["rows"]} == stored["rows"]
    assert found["standings"] == stored["standings"]
    assert program.ask("check_archives") == []
    assert program.ask("list_bad_pages") == []


@pytest.fixture(scope="module")
def later_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with a later version and a migration that adds a column and changes rows."""
    root = tmp_path_factory.mktemp("later")
    without = shutil.ignore_patterns("__pycache__")
    for name in ("engine", "referee", "tournaments", "templates", "locale", "tests/upgrades", "docs/handbook"):
        shutil.copytree(ROOT / name, root / name, ignore=without)
    for path in (ROOT / "manage.py", *ROOT.glob("requirements*.txt"), ROOT / "pyproject.toml"):
        shutil.copy(path, root)
    (root / "docs" / "pictures").mkdir()
    version = root / "engine" / "version.py"
    version.write_text(version.read_text().replace(f'VERSION = "{VERSION}"', f'VERSION = "{LATER}"', 1))
    migrations = root / "tournaments" / "migrations"
    newest = max(path.stem for path in migrations.glob("0*.py"))
    (migrations / "9001_change.py").write_text(CHANGE.format(newest=newest))
    return root


@pytest.fixture
def later(later_root: Path, tmp_path: Path) -> Program:
    """The later program on the data folder of the last release."""
    return Program(later_root, unpack(RELEASES[-1], tmp_path / "data"))


@pytest.fixture
def present(later: Program) -> Program:
    """This program on the same data folder."""
    return replace(later, root=ROOT)


@pytest.fixture
def failing(later: Program, tmp_path: Path) -> Program:
    """The later program with a second migration that fails."""
    root = shutil.copytree(later.root, tmp_path / "failing")
    (root / "tournaments" / "migrations" / "9002_failure.py").write_text(FAILURE)
    return replace(later, root=root)


def test_there_is_a_data_folder_of_each_release() -> None:
    """`python -m tests.upgrades` makes it when a version is released."""
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (\d+\.\d+\.\d+)(.*)$", changes, flags=re.MULTILINE)
    assert headings[0][0] == VERSION
    released = {version for version, rest in headings if version != VERSION or "unreleased" not in rest}
    assert released <= set(RELEASES)
    assert {path.name for release in RELEASES for path in (FIXTURES / release).iterdir()} == {
        "data.zip",
        "facts.json",
        "postgresql.sql.xz",
    }


@pytest.mark.endurance
@pytest.mark.parametrize("release", representative(RELEASES))
def test_the_data_of_a_release_are_opened_by_this_program(release: str, tmp_path: Path) -> None:
    program = Program(ROOT, unpack(release, tmp_path / "data"))
    told = program.export()
    assert told.returncode == 0, told.stderr
    assert ("upgraded" in told.stderr) == (version_key(release) < version_key(VERSION))
    require_kept(program, release)


@pytest.mark.endurance
def test_a_later_program_makes_a_backup_upgrades_and_reports_it_once(later: Program, present: Program) -> None:
    database, release = later.data / "multiplo.sqlite3", RELEASES[-1]
    told = later.export()
    assert told.returncode == 0, told.stderr
    [backup] = (later.data / "backups").iterdir()
    assert backup.name.startswith(f"multiplo-before-upgrade-to-{LATER}-")
    report = f"The data were upgraded from Multiplo {release} to {LATER}. The backup from before is {backup}."
    assert told.stderr.splitlines()[-1] == report
    assert rows(database, "SELECT colour FROM tournaments_club") == [("green",)]
    assert sorted(path.name for path in later.data.glob("multiplo.sqlite3*")) == ["multiplo.sqlite3"]
    require_kept(later, release)

    again = later.export()
    assert (again.returncode, again.stderr) == (0, "")
    assert list((later.data / "backups").iterdir()) == [backup]

    upgraded = database.read_bytes()
    refused = present.export()
    assert refused.returncode == 2
    assert f"belong to Multiplo {LATER} and this is Multiplo {VERSION}: run the newer one" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1
    assert database.read_bytes() == upgraded

    newer_backup = later.data / "newer.zip"
    assert later.manage("backup", "--to", later.data / "stick").returncode == 0
    next((later.data / "stick").glob("*.zip")).rename(newer_backup)
    elsewhere = replace(present, data=later.data / "elsewhere")
    refused = elsewhere.manage("restore", newer_backup)
    assert refused.returncode == 2
    assert f"was made by Multiplo {LATER} and this is Multiplo {VERSION}: install the newer one." in refused.stderr
    restored = elsewhere.manage("restore", backup)
    assert restored.returncode == 0, restored.stderr
    require_kept(elsewhere, release)


@pytest.mark.endurance
def test_a_failed_upgrade_leaves_the_data_to_the_earlier_program(failing: Program, present: Program) -> None:
    database, release = failing.data / "multiplo.sqlite3", RELEASES[-1]
    before = database.read_bytes()
    told = failing.export()
    assert told.returncode == 2
    assert told.stderr.splitlines()[-1] == (
        f"The data of Multiplo {release} could not be upgraded to {LATER} (RuntimeError: a made fault): nothing was "
        f"changed, so go on with Multiplo {release} and report this sentence."
    )
    assert database.read_bytes() == before
    assert not (failing.data / "restored").exists()
    assert not (failing.data / "backups").exists()
    assert present.export().returncode == 0
    require_kept(present, release)


@pytest.mark.endurance
def test_without_room_for_the_backup_nothing_is_upgraded(later: Program) -> None:
    (later.data / "backups").write_text("a file in the place of the folder")
    before = (later.data / "multiplo.sqlite3").read_bytes()
    told = later.export()
    assert told.returncode == 2
    assert "The data are not upgraded, because the backup from before cannot be written to" in told.stderr
    assert (later.data / "multiplo.sqlite3").read_bytes() == before
    (later.data / "backups").unlink()
    assert later.export().returncode == 0


@pytest.mark.endurance
def test_data_without_a_record_are_of_the_first_version(later: Program) -> None:
    database = later.data / "multiplo.sqlite3"
    with closing(sqlite3.connect(database)) as base, base:
        base.execute("PRAGMA application_id = 0")
    assert "upgraded from Multiplo 0.1.0" in later.export().stderr


@pytest.mark.endurance
@pytest.mark.services
@pytest.mark.parametrize("release", representative(RELEASES))
def test_on_postgresql_only_migrate_upgrades(release: str, later: Program, present: Program, postgres_url: str) -> None:
    dump = lzma.decompress((FIXTURES / release / "postgresql.sql.xz").read_bytes()).decode()
    with temporary_database(postgres_url) as url:
        load(dump, url)
        later, present = replace(later, database_url=url), replace(present, database_url=url)
        if release == VERSION:
            require_kept(present, release)

        refused = later.export()
        assert refused.returncode == 2
        assert refused.stderr.splitlines()[-1] == (
            f"The database has the tables of Multiplo {release} and this is Multiplo {LATER}: stop all processes, make "
            "a copy with pg_dump, then run: python3 manage.py migrate"
        )
        upgraded = later.manage("migrate", "--noinput")
        assert upgraded.returncode == 0, upgraded.stderr
        assert later.export().returncode == 0
        with psycopg.connect(url) as base:
            assert base.execute("SELECT colour FROM tournaments_club").fetchall() == [("green",)]
        require_kept(later, release)

        older = present.export()
        assert older.returncode == 2
        assert f"The data belong to Multiplo {LATER} and this is Multiplo {VERSION}: run the newer one." in older.stderr


@pytest.mark.endurance
@pytest.mark.services
def test_a_failed_upgrade_of_postgresql_says_what_to_do(failing: Program, postgres_url: str) -> None:
    release = RELEASES[-1]
    dump = lzma.decompress((FIXTURES / release / "postgresql.sql.xz").read_bytes()).decode()
    with temporary_database(postgres_url) as url:
        load(dump, url)
        told = replace(failing, database_url=url).manage("migrate", "--noinput")
    assert told.returncode == 65
    assert told.stderr.splitlines()[-1] == (
        f"The database of Multiplo {release} could not be upgraded to {LATER} (RuntimeError: a made fault): put the "
        f"copy made with pg_dump in its place, go on with Multiplo {release} and report this sentence."
    )
