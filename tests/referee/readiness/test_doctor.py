"""`manage.py doctor` finds real faults: each is planted in a data folder or around the process."""

from __future__ import annotations

import os
import shutil
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from importlib import metadata
from pathlib import Path

import pytest

from referee.pdf.drawing.fonts import font_files
from referee.setup.records import fingerprint
from tests.conftest import missing
from tests.made_once import ROOT
from tests.referee.readiness.planted import HALL_UP, in_namespace, make_data_folder, run_doctor
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.sqlite_file

linux = pytest.mark.skipif(sys.platform != "linux", reason="namespaces are of Linux")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return make_data_folder(tmp_path / "data")


def damage_words(data: Path) -> None:
    with (data / "lexicons" / "few.txt").open("a") as words:
        words.write("\0\0")


def damage_database(data: Path) -> None:
    path = data / "multiplo.sqlite3"
    content = bytearray(path.read_bytes())
    content[8192:20000] = b"\xff" * (20000 - 8192)
    path.write_bytes(content)


def test_several_faults_are_found_at_once_each_with_its_remedy(data: Path) -> None:
    damage_words(data)
    damage_database(data)
    (data / "secret_key").chmod(0o644)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, found = run_doctor(data, "--port", str(port))
    assert code == 1
    faults = {name for name, finding in found.items() if finding["state"] == "fault"}
    assert {"port", "word-lists", "database"} <= faults
    assert all(
        finding["remedy"] for finding in found.values() if finding["state"] != "ok" and finding["name"] != "port"
    )
    assert f"Port {port} is in use" in found["port"]["text"]
    assert "few" in found["word-lists"]["text"]
    assert "damaged" in found["database"]["text"]
    assert found["data-folder"]["state"] == "warning"
    assert (data / "multiplo.sqlite3").exists()


@linux
@pytest.mark.endurance
def test_a_ready_computer_has_no_fault(data: Path) -> None:
    code, found = run_doctor(data, within=in_namespace("--net", HALL_UP))
    assert {name: one for name, one in found.items() if one["state"] == "fault"} == {}
    assert code == 0
    assert "192.168.77.1" in found["network"]["text"]
    assert "192.168.77.1:8000" in found["phones"]["text"]


@pytest.mark.endurance
def test_without_a_data_folder_nothing_is_made_and_the_first_start_is_announced(tmp_path: Path) -> None:
    _code, found = run_doctor(tmp_path / "none")
    assert "first start" in found["data-folder"]["text"]
    assert found["word-lists"]["state"] == "fault"
    assert not (tmp_path / "none").exists()


@linux
@pytest.mark.endurance
def test_a_taken_port_is_found_with_the_program_that_has_it(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, found = run_doctor(data, "--port", str(port))
    assert (code, found["port"]["state"]) == (1, "fault")
    assert f"(process {os.getpid()})" in found["port"]["text"]


@linux
@pytest.mark.endurance
@pytest.mark.parametrize(
    ("rule", "state"),
    [
        ("tcp dport 8000 drop", "fault"),
        ("tcp dport { 80, 7000-9000 } reject", "fault"),
        ("iifname hall accept; nft chain inet f input '{ policy drop; }'", "warning"),
        ("ip saddr 192.168.0.0/16 accept; nft chain inet f input '{ policy drop; }'", "ok"),
        ("tcp dport 8001 drop", "ok"),
    ],
)
def test_a_rule_of_the_firewall_is_found(data: Path, rule: str, state: str) -> None:
    if shutil.which("nft", path=f"{os.environ['PATH']}:/usr/sbin") is None:
        missing("nft is not installed (package nftables)")
    chain = "nft add table inet f; nft add chain inet f input '{ type filter hook input priority 0; }'"
    first, *more = rule.split(";", 1)
    commands = "; ".join([HALL_UP, chain, f"nft add rule inet f input '{first}'", *more])
    code, found = run_doctor(data, within=in_namespace("--net", commands))
    assert (code, found["firewall"]["state"]) == (int(state == "fault"), state)


@linux
@pytest.mark.endurance
def test_a_computer_without_network_is_found(data: Path) -> None:
    code, found = run_doctor(data, within=in_namespace("--net", "ip link set lo up"))
    assert (code, found["network"]["state"]) == (1, "fault")


@linux
@pytest.mark.endurance
def test_a_full_disk_is_found(data: Path) -> None:
    fill = f"mount -t tmpfs -o size=1m none '{data}'; head -c 2000000 /dev/zero > '{data}/film' || true"
    code, found = run_doctor(data, within=in_namespace("--mount", fill))
    assert (code, found["disk"]["state"], found["data-folder"]["state"]) == (1, "fault", "fault")
    assert "No space left" in found["data-folder"]["text"]


@linux
@pytest.mark.endurance
def test_a_data_folder_that_cannot_be_written_is_found(data: Path) -> None:
    lock = f"mount --bind '{data}' '{data}'; mount -o remount,bind,ro '{data}'"
    code, found = run_doctor(data, within=in_namespace("--mount", lock))
    assert (code, found["data-folder"]["state"]) == (1, "fault")
    assert "Read-only" in found["data-folder"]["text"]


@linux
@pytest.mark.endurance
def test_a_missing_font_is_found(data: Path) -> None:
    hide = f"mount --bind /dev/null '{font_files()[0]}'"
    code, found = run_doctor(data, within=in_namespace("--mount", hide))
    assert (code, found["fonts"]["state"]) == (1, "fault")
    assert str(font_files()[0]) in found["fonts"]["text"]


@pytest.mark.endurance
def test_a_wrong_clock_is_found(data: Path) -> None:
    if shutil.which("faketime") is None:
        missing("faketime is not installed")
    code, found = run_doctor(data, within=["faketime", "2015-01-01 12:00:00"])
    assert (code, found["clock"]["state"]) == (1, "fault")
    assert "2015" in found["clock"]["text"]


@pytest.mark.endurance
def test_a_clock_before_the_newest_entry_of_the_ledger_is_found(data: Path) -> None:
    with closing(sqlite3.connect(data / "multiplo.sqlite3")) as base, base:
        base.execute("PRAGMA foreign_keys = OFF")
        base.execute(
            "INSERT INTO tournaments_ledgerentry (game_id, n, at, kind, by, data, hash)"
            " VALUES (1, 1, '2099-01-01 10:00:00', 'x', 'x', '{}', 'x')"
        )
    code, found = run_doctor(data)
    assert (code, found["clock"]["state"]) == (1, "fault")
    assert "2099" in found["clock"]["text"]


@linux
@pytest.mark.endurance
def test_a_low_limit_of_open_files_is_found(data: Path) -> None:
    code, found = run_doctor(data, within=["sh", "-c", 'ulimit -n 512; exec "$@"', "sh"])
    assert (code, found["open-files"]["state"]) == (1, "fault")


@pytest.mark.endurance
def test_an_engine_that_is_not_compiled_is_found(data: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    code, found = run_doctor(data, variables={"NUMBA_CACHE_DIR": str(tmp_path / "empty")})
    assert (code, found["engine"]["state"]) == (1, "fault")


def link_packages(folder: Path, without: str) -> None:
    """Fill a folder with links to all packages of this environment but one."""
    for distribution in metadata.distributions():
        for path in Path(str(distribution.locate_file(""))).iterdir():
            if not path.name.startswith(without) and path.suffix != ".pth" and not (folder / path.name).exists():
                (folder / path.name).symlink_to(path)


@linux
@pytest.mark.endurance
def test_a_missing_package_is_found(data: Path, tmp_path: Path) -> None:
    packages = tmp_path / "packages"
    packages.mkdir()
    link_packages(packages, without="zeroconf")
    base = Path(sys.base_prefix) / "bin" / f"python{sys.version_info[0]}.{sys.version_info[1]}"
    code, found = run_doctor(data, python=(str(base), "-S"), variables={"PYTHONPATH": f"{packages}:{ROOT}"})
    assert (code, found["packages"]["state"]) == (1, "fault")
    assert found["packages"]["text"].endswith(": zeroconf.")
    assert "zeroconf==" in found["packages"]["remedy"]


@linux
@pytest.mark.endurance
def test_a_missing_package_without_which_nothing_starts_is_one_sentence(data: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    skipped = shutil.ignore_patterns(".*", "var", "docs", "staticfiles", "fixtures", "tests", "deploy")
    shutil.copytree(ROOT, project, ignore=skipped)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", project / ".venv"], check=True)
    [packages] = (project / ".venv").glob("lib/python*/site-packages")
    link_packages(packages, without="axes")
    seal = fingerprint(project, ("requirements-federation.txt", "requirements.txt"))
    (project / ".venv" / "requirements.txt.installed").write_text(seal, encoding="utf-8")
    done = subprocess.run(
        [project / ".venv" / "bin" / "python", "manage.py", "doctor", "--data", data],
        cwd=project,
        env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    [sentence] = done.stderr.splitlines()
    assert "“axes” is missing" in sentence
    assert str(project / ".venv") in sentence
