"""The cache of machine code belongs to one version of the sources and one processor."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.lexicon import machine_code
from tests.referee.readiness.planted import in_namespace

ROOT = Path(__file__).resolve().parents[3]
OTHER_PROCESSOR = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "+sse2"}


def run(*line: str, cache: Path, **variables: str) -> str:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), **variables}
    command = [sys.executable, *line]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", check=True).stdout


def is_compiled(cache: Path, **variables: str) -> bool:
    program = "from engine.lexicon.machine_code import is_compiled; print(is_compiled())"
    return run("-c", program, cache=cache, **variables) == "True\n"


def test_the_folder_depends_on_processor_and_sources(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def folder() -> tuple[str, str]:
        machine_code.machine_code_folder.cache_clear()
        machine_code.sources_hash.cache_clear()
        sources, built_for = machine_code.machine_code_folder().name.removeprefix("machine-code-").split("-")
        return sources, built_for

    try:
        sources, built_for = folder()
        monkeypatch.setenv("NUMBA_CPU_NAME", "another")
        assert folder()[0] == sources
        assert folder()[1] != built_for
        monkeypatch.setattr(machine_code, "list_source_files", lambda: [Path(__file__)])
        assert folder()[0] != sources
    finally:
        monkeypatch.undo()
        folder()


@pytest.mark.endurance
@pytest.mark.skipif(sys.platform != "linux", reason="namespaces are of Linux")
def test_machine_code_of_a_read_only_program_is_kept_for_the_user(tmp_path: Path) -> None:
    """A second process finds the machine code of the first, and nothing is written into the program's folder."""
    read_only = in_namespace("--mount", f"mount --bind '{ROOT}' '{ROOT}'; mount -o remount,bind,ro '{ROOT}'")
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    program = (
        "from engine.lexicon.machine_code import CACHE_FOLDER, is_compiled; print(is_compiled(), CACHE_FOLDER)",
        "from engine.lexicon.machine_code import ENGINE; (ENGINE / 'probe').touch()",
    )

    def run_read_only(*line: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*read_only, sys.executable, *line],
            cwd=ROOT,
            env={**environment, "XDG_CACHE_HOME": str(tmp_path)},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    assert "Read-only file system" in run_read_only("-c", program[1]).stderr
    assert run_read_only("-c", program[0]).stdout == f"False {tmp_path / 'multiplo'}\n"
    assert run_read_only("-m", "engine", "warm").returncode == 0
    assert run_read_only("-c", program[0]).stdout == f"True {tmp_path / 'multiplo'}\n"
    assert any((tmp_path / "multiplo").rglob("*.nbc"))


@pytest.mark.endurance
def test_on_another_processor_the_engine_is_not_ready_until_it_is_compiled_again(tmp_path: Path) -> None:
    older = tmp_path / "machine-code-0123456789abcdef-0123456789abcdef"
    older.mkdir()
    assert not is_compiled(tmp_path)
    run("-m", "engine", "warm", cache=tmp_path)
    assert is_compiled(tmp_path)
    assert not older.exists()
    (first,) = tmp_path.iterdir()
    assert not is_compiled(tmp_path, **OTHER_PROCESSOR)
    run("-m", "engine", "warm", cache=tmp_path, **OTHER_PROCESSOR)
    assert is_compiled(tmp_path, **OTHER_PROCESSOR)
    assert is_compiled(tmp_path)
    (second,) = set(tmp_path.iterdir()) - {first}
    assert len(list(second.rglob("*.nbc"))) == len(list(first.rglob("*.nbc"))) > 0
