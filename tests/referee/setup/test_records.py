from __future__ import annotations

import os
from importlib import metadata
from pathlib import Path

import pytest

from referee.setup.environment import Environment, has_pins
from referee.setup.records import Seal, is_up_to_date
from tests.referee.setup.conftest import ROOT


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_the_projects_own_pins_are_satisfied_here(name: str) -> None:
    text = (ROOT / name).read_text()
    assert "==" in text
    assert has_pins(text)


def test_another_version_or_a_missing_package_does_not_satisfy() -> None:
    assert has_pins(f"# why\npytest[extra]=={metadata.version('pytest')}  # this one\n")
    assert not has_pins("pytest==0.0.1")
    assert not has_pins("there-is-no-such-package==1")


def test_a_pin_for_other_machines_is_not_required() -> None:
    assert has_pins('pytest==0.0.1; sys_platform == "plan9"\n')
    assert not has_pins('pytest==0.0.1; sys_platform != "plan9"  # why\n')


def test_a_seal_follows_the_names_and_contents_of_its_inputs(tmp_path: Path) -> None:
    inputs = tmp_path / "inputs"
    inputs.mkdir()
    (inputs / "a").write_text("1")
    seal = Seal(tmp_path / "made" / "seal", tmp_path, ("inputs/*",))
    assert not seal.is_current()
    seal.write()
    os.utime(inputs / "a", ns=(0, 0))
    assert seal.is_current()
    (inputs / "a").write_text("2")
    assert not seal.is_current()
    seal.write()
    (inputs / "a").rename(inputs / "b")
    assert not seal.is_current()


def test_an_output_is_up_to_date_until_an_input_is_newer(tmp_path: Path) -> None:
    output, source = tmp_path / "output", tmp_path / "source"
    source.touch()
    assert not is_up_to_date(output, [source])
    output.touch()
    assert is_up_to_date(output, [source, tmp_path / "absent"])
    later = output.stat().st_mtime_ns + 1_000_000_000
    os.utime(source, ns=(later, later))
    assert not is_up_to_date(output, [source])


def test_an_environment_without_python_or_pip_is_not_made(tmp_path: Path) -> None:
    environment = Environment(tmp_path, tmp_path)
    assert not environment.is_made()
    environment.python.parent.mkdir(parents=True)
    environment.python.touch()
    pip = tmp_path / "lib" / "python3.11" / "site-packages" / "pip-1.dist-info"
    pip.mkdir(parents=True)
    assert not environment.is_made()
    (pip / "INSTALLER").touch()
    assert environment.is_made()
    environment.python.unlink()
    assert not environment.is_made()
