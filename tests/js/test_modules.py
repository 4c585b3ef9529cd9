"""The tests of the pages' scripts, in node's own runner: what is pure there needs no browser."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
STATIC = ROOT / "referee" / "static"
TESTS = sorted(HERE.glob("*.test.mjs"))


@pytest.fixture(scope="module")
def node() -> str:
    """node, at least version 20. It is not needed to run Multiplo, so a machine without it is no failure."""
    path = shutil.which("node", path=os.pathsep.join((sysconfig.get_path("scripts"), os.environ.get("PATH", ""))))
    if path is None:
        pytest.skip("no node here: the tests of the pages' scripts did not run")
    version = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    if int(version.removeprefix("v").partition(".")[0]) < 20:
        pytest.skip(f"node {version} is too old for the tests of the pages' scripts: 20 is needed")
    return path


@pytest.mark.parametrize("tests", TESTS, ids=lambda path: path.name)
def test_the_scripts_do_what_their_tests_say(node: str, tests: Path) -> None:
    command = [node, "--import", "./tests/js/as_modules.mjs", "--test", str(tests.relative_to(ROOT))]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.endurance
@pytest.mark.parametrize(
    "script", sorted(STATIC.glob("common/*.js")) + sorted(STATIC.glob("phone/*.js")) + sorted(STATIC.glob("wall/*.js"))
)
def test_every_script_is_a_sound_module(node: str, script: Path) -> None:
    source = script.read_text(encoding="utf-8")
    run = subprocess.run(
        [node, "--input-type=module", "--check"], input=source, capture_output=True, text=True, timeout=60, check=False
    )
    assert run.returncode == 0, run.stderr
