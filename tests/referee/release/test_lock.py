"""The lock file and the page of licences agree with the requirements and with the installed packages."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from referee.release.licences import PAGE, find_licence
from referee.release.lock import LOCK_FILE, Pin, read_lock, read_pins, requested_pins
from referee.release.wheels import Target

ROOT = Path(__file__).resolve().parents[3]
UPDATE = "run: python3 manage.py lock"


@pytest.fixture(scope="module")
def locked() -> set[tuple[str, str]]:
    """Names and versions in the lock file."""
    return {(pin.name, pin.version) for pin in read_lock(ROOT)}


def test_every_requested_version_is_locked_with_hashes_and_without_an_address(locked: set[tuple[str, str]]) -> None:
    assert {(pin.name, pin.version) for pin in requested_pins(ROOT)} <= locked, UPDATE
    assert all(pin.hashes for pin in read_lock(ROOT))
    assert "://" not in (ROOT / LOCK_FILE).read_text(encoding="utf-8")


def test_the_lock_has_every_dependency(locked: set[tuple[str, str]]) -> None:
    names = {name for name, _ in locked}
    here = [pin for pin in read_lock(ROOT) if pin.applies({})]
    for pin in here:
        if pin.name != "pip":  # not in every environment
            for line in metadata.requires(pin.name) or ():
                needed = Requirement(line)
                if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                    assert canonicalize_name(needed.name) in names, f"{pin.name} needs {needed.name}; {UPDATE}"


def test_the_page_has_every_locked_package_with_the_licence_it_declares(locked: set[tuple[str, str]]) -> None:
    rows = re.findall(r"^\| (\S+) \| (\S+) \| (.+?) \|", (ROOT / PAGE).read_text(encoding="utf-8"), re.MULTILINE)
    licences = {(name, version): licence for name, version, licence in rows if name not in ("package", "---")}
    assert set(licences) == locked, UPDATE
    installed = [pin for pin in requested_pins(ROOT) if pin.applies({}) and pin.name != "pip"]
    different = [
        pin.name
        for pin in installed
        if find_licence(metadata.metadata(pin.name)) != licences[pin.name, metadata.version(pin.name)]  # type: ignore[arg-type]
    ]
    assert different == [], UPDATE


def test_a_pin_is_read_with_its_marker_and_all_its_hashes() -> None:
    first, second = "sha256:" + "1" * 64, "sha256:" + "2" * 64
    text = f"# by hand\nA.b[x]==1.0 ; os_name == 'nt' \\\n    --hash={first} \\\n    --hash={second}\nc==2  # why\n"
    assert read_pins(text) == [Pin("a-b", "1.0", "os_name == 'nt'", (first, second)), Pin("c", "2")]


def test_a_target_takes_what_an_early_patch_of_its_python_needs() -> None:
    early = Pin("async-timeout", "5", "python_full_version < '3.11.3'")
    assert early.applies(*Target("3.11").environments())  # Debian 12 has 3.11.2
    assert not early.applies(*Target("3.12").environments())
    assert not Pin("x", "1", "sys_platform == 'win32'").applies(*Target("3.12").environments())
