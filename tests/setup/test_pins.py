from __future__ import annotations

from importlib import metadata
from pathlib import Path

import pytest

from referee.setup.pins import Pin, fingerprint, is_satisfied, read_pins
from tests.setup.conftest import ROOT


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "requirements.txt"


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_the_projects_own_pins_are_exact_and_satisfied_here(name: str) -> None:
    assert {pin.name for pin in read_pins(ROOT / name)} >= {"Django", "numpy"}
    assert is_satisfied(ROOT / name)


def test_extras_markers_and_comments_are_understood(file: Path) -> None:
    file.write_text(
        "# why\n"
        "psycopg[binary,pool]==3.3.9  # both\n"
        'uvloop==1; sys_platform == "nowhere"\n'
        'x==2 ; sys_platform != "nowhere"\n'
    )
    assert list(read_pins(file)) == [
        Pin("psycopg", "3.3.9", frozenset({"binary", "pool"})),
        Pin("x", "2", frozenset()),
    ]


@pytest.mark.parametrize("line", ["Django>=5", "Django", "x==1; python_version < '4'"])
def test_what_is_not_an_exact_pin_is_refused(file: Path, line: str) -> None:
    file.write_text(line)
    with pytest.raises(ValueError, match=r"exact pin|only markers on sys_platform"):
        list(read_pins(file))


def test_another_version_or_a_missing_package_does_not_satisfy(file: Path) -> None:
    file.write_text(f"pytest=={metadata.version('pytest')}")
    assert is_satisfied(file)
    file.write_text("pytest==0.0.1")
    assert not is_satisfied(file)
    file.write_text("there-is-no-such-package==1")
    assert not is_satisfied(file)


def test_a_missing_package_of_an_extra_does_not_satisfy(file: Path) -> None:
    file.write_text(f"hypothesis[pandas]=={metadata.version('hypothesis')}")
    with pytest.raises(metadata.PackageNotFoundError):
        metadata.version("pandas")
    assert not is_satisfied(file)


def test_the_fingerprint_follows_the_included_file(tmp_path: Path, file: Path) -> None:
    file.write_text("a==1\n")
    including = tmp_path / "requirements-dev.txt"
    including.write_text("-r requirements.txt\nb==1\n")
    before = fingerprint(including)
    file.write_text("a==2\n")
    assert fingerprint(including) != before
