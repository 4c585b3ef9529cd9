"""Every fault ends with exit code 2 and one sentence with a remedy; no user data are lost."""

from __future__ import annotations

import errno
import os
import socket
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from engine.version import VERSION, version_number
from referee.setup import faults
from referee.setup.database import find_damage
from referee.setup.steps import Step, check_room
from tests.damaged_database import write_damaged_database
from tests.referee.setup.conftest import BASE_PYTHON, SmallProject

WITHOUT_ENSUREPIP = """
import sys
from importlib.machinery import PathFinder
class Debian(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name == "ensurepip" else PathFinder.find_spec(name, path, target)
sys.meta_path = [Debian if finder is PathFinder else finder for finder in sys.meta_path]
"""


def sentence(told: subprocess.CompletedProcess[str]) -> str:
    """Return the final message, which must be one line after the progress lines."""
    assert told.returncode == 2, told.stderr
    assert "Traceback" not in told.stderr
    return told.stderr.rstrip("\n").splitlines()[-1]


def scramble(database: Path) -> bytes:
    """Overwrite the pages after the first one, as a failing disk would; return the file's new content."""
    content = database.read_bytes()
    bad = content[:4096] + b"\x07" * (len(content) - 4096)
    database.write_bytes(bad)
    return bad


@pytest.fixture
def closed_port() -> Iterator[int]:
    """A port at which nobody listens and which nobody else gets meanwhile."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield int(bound.getsockname()[1])


@pytest.mark.endurance
def test_without_network_the_set_up_says_to_connect(bare_project: SmallProject, closed_port: int) -> None:
    index = f"http://127.0.0.1:{closed_port}/simple"
    nothing = {"PIP_NO_INDEX": "", "PIP_FIND_LINKS": "", "PIP_INDEX_URL": index, "PIP_RETRIES": "1"}
    told = bare_project.manage("serve", python=BASE_PYTHON, **nothing)
    assert sentence(told).startswith("The packages could not be fetched: connect this computer to the internet")
    again = bare_project.manage("serve", python=BASE_PYTHON)
    assert again.returncode == 0, again.stderr


def test_without_network_the_word_list_says_the_same(project: SmallProject, closed_port: int) -> None:
    refused = f"import urllib.request; urllib.request.urlopen('http://127.0.0.1:{closed_port}')"
    told = project.manage("setup", DURING_WORDS=refused)
    assert "connect this computer to the internet" in sentence(told)


def test_without_the_venv_module_the_package_to_install_is_named(project: SmallProject, tmp_path: Path) -> None:
    project.require("tilebag==1.0")
    (tmp_path / "sitecustomize.py").write_text(WITHOUT_ENSUREPIP)
    told = project.manage("serve", python=BASE_PYTHON, PYTHONPATH=str(tmp_path))
    assert "sudo apt install python3-venv" in sentence(told)


def test_a_file_in_the_place_of_the_data_folder_is_refused(project: SmallProject, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        said = sentence(project.manage("serve", "--data", str(folder)))
        assert str(tmp_path / "file") in said
        assert "cannot be written to" in said
        assert "--data DIR" in said
    assert (tmp_path / "file").read_text() == "mine"


def test_a_folder_that_takes_no_files_is_refused(project: SmallProject) -> None:
    # Under /proc not even root may make a folder.
    assert "The folder /proc/multiplo" in sentence(project.manage("serve", "--data", "/proc/multiplo"))


def test_a_disk_that_fills_up_in_a_step_is_named(project: SmallProject) -> None:
    told = project.manage("setup", DURING_WORDS="open('/dev/full', 'w').write('x' * 100_000)")
    assert sentence(told) == f"The disk of {project.root} is full: free about 1 GB and run the same command again."


def test_a_disk_that_fills_up_under_the_set_up_itself_is_named(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No space left") as full, open("/dev/full", "wb", buffering=0) as file:
        file.write(b"x")
    assert full.value.errno == errno.ENOSPC
    assert faults.fault_of_system_error(full.value, tmp_path).sentence.startswith(f"The disk of {tmp_path} is full")


def test_too_little_room_is_seen_before_anything_is_written(tmp_path: Path) -> None:
    step = Step("packages", "Packages", lambda: False, list, room=(1, tmp_path))
    check_room([step])
    with pytest.raises(faults.SetupFault, match=f"needs 1000000002 MB on the disk of {tmp_path} and only"):
        check_room([replace(step, room=(2, tmp_path)), replace(step, room=(1_000_000_000, tmp_path))])


def test_a_damaged_database_is_renamed_and_the_next_start_creates_an_empty_one(project: SmallProject) -> None:
    project.manage("serve")
    database = project.root / "var" / "multiplo.sqlite3"
    bad = scramble(database)
    database.with_name("multiplo.sqlite3-wal").write_bytes(b"journal")
    said = sentence(project.manage("serve"))
    assert f"The database {database} is damaged" in said
    assert "put a backup in its place" in said
    (kept,) = database.parent.glob("multiplo.sqlite3.damaged-*[0-9]")
    assert kept.name in said
    assert kept.read_bytes() == bad
    assert kept.with_name(kept.name + "-wal").read_bytes() == b"journal"
    assert not database.exists()
    assert project.manage("serve").returncode == 0
    assert find_damage(database) is None
    assert kept.read_bytes() == bad


def test_a_database_whose_damage_is_reported_with_a_name_that_is_no_text_is_damaged(tmp_path: Path) -> None:
    assert find_damage(write_damaged_database(tmp_path / "multiplo.sqlite3")) is not None


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            "INSERT INTO django_migrations (app, name) VALUES ('tournaments', '0020_later')",
            f"belong to a newer Multiplo than this one ({VERSION})",
        ),
        (
            f"PRAGMA application_id = {version_number('9.0.1')}",
            f"belong to Multiplo 9.0.1 and this is Multiplo {VERSION}",
        ),
    ],
)
def test_data_of_a_newer_version_are_refused_and_left_as_they_are(
    project: SmallProject, change: str, told: str
) -> None:
    project.manage("serve")
    database = project.root / "var" / "multiplo.sqlite3"
    with closing(sqlite3.connect(database)) as base, base:
        base.execute(change)
    before = database.read_bytes()
    assert told in sentence(project.manage("serve"))
    assert database.read_bytes() == before


def test_a_second_damaged_database_does_not_overwrite_the_first(project: SmallProject) -> None:
    database = project.root / "var" / "multiplo.sqlite3"
    database.parent.mkdir()
    for number in range(3):
        database.write_bytes(b"no database at all %d." % number * 100)
        assert "file is not a database" in sentence(project.manage("migrate"))
    kept = [path.read_bytes()[:21] for path in database.parent.glob("*.damaged-*")]
    assert sorted(kept) == [b"no database at all %d." % number for number in range(3)]


def test_a_database_is_not_looked_at_by_a_command_that_does_not_open_it(project: SmallProject) -> None:
    database = project.root / "var" / "multiplo.sqlite3"
    database.parent.mkdir()
    database.write_bytes(b"no database at all" * 100)
    assert project.manage("verify", "archive.json").returncode == 0
    assert database.exists()


def test_a_whole_database_with_an_unfinished_journal_is_not_taken_for_damaged(tmp_path: Path) -> None:
    database = tmp_path / "multiplo.sqlite3"
    writer = (
        "import os, sqlite3, sys; base = sqlite3.connect(sys.argv[1]); base.execute('PRAGMA journal_mode=WAL'); "
        "base.execute('CREATE TABLE slip (word)'); base.commit(); os._exit(9)"
    )
    subprocess.run([BASE_PYTHON, "-c", writer, str(database)], check=False)
    journal = database.with_name(f"{database.name}-wal")
    before = journal.read_bytes()
    assert before
    assert find_damage(database) is None
    assert journal.read_bytes() == before


def test_a_database_in_use_is_not_taken_for_damaged(tmp_path: Path) -> None:
    database = tmp_path / "multiplo.sqlite3"
    writing = sqlite3.connect(database, isolation_level=None)
    writing.execute("PRAGMA journal_mode=WAL")
    writing.execute("CREATE TABLE slip (word)")
    writing.execute("BEGIN IMMEDIATE")
    assert find_damage(database) is None
    writing.close()


def test_a_folder_in_the_place_of_the_database_is_no_damage(project: SmallProject) -> None:
    (project.root / "var" / "multiplo.sqlite3").mkdir(parents=True)
    assert "multiplo.sqlite3 cannot be written to" in sentence(project.manage("serve"))
    assert (project.root / "var" / "multiplo.sqlite3").is_dir()


def test_an_unknown_failure_shows_the_last_words_of_the_program(project: SmallProject) -> None:
    told = project.manage("setup", DURING_WARM="print('the kernel went cold'); sys.exit(7)")
    assert told.returncode == 2
    lines = told.stderr.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("The set-up stopped at"))
    assert lines[at] == (
        "The set-up stopped at “Compiling the engine” (exit code 7); its last words are below, "
        "and the same command tries it again."
    )
    assert lines[at + 1 :] == ["    the kernel went cold"]
    assert project.manage("setup").returncode == 0


def test_a_data_option_without_folder_is_reported(project: SmallProject) -> None:
    assert sentence(project.manage("serve", "--data")).startswith("The option --data needs the name of a folder")


def test_the_outside_network_is_recognised_in_pips_words() -> None:
    unreachable = (
        "WARNING: Retrying (Retry(total=4, connect=None)) after connection broken by 'NewConnectionError('<pip>: "
        "Failed to establish a new connection: [Errno -3] Temporary failure in name resolution')': /simple/django/\n"
        "ERROR: No matching distribution found for Django==5.2.19"
    )
    fault = faults.fault_of_program("Packages", 1, [unreachable], Path(os.sep))
    assert (fault.sentence, fault.output) == (faults.NO_NETWORK, ())
    unknown = "ERROR: No matching distribution found for Django==0"
    assert faults.fault_of_program("Packages", 1, [unknown], Path(os.sep)).output == (unknown,)
