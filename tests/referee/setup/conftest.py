"""Small projects with the real manage.py and set-up, but with steps that take no time and need no network."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.made_once import made_once

ROOT = Path(__file__).resolve().parents[3]
BASE_PYTHON = str(getattr(sys, "_base_executable", sys.executable))  # outside of any virtual environment

_NOTE = """
import os, pathlib, sys
def note(text):
    with open(pathlib.Path(__file__).parent / "steps.log", "a") as log:
        log.write(text + "\\n")
def asked(step):
    note(step)
    exec(os.environ.get("DURING_" + step.upper(), ""))
"""
_WORDS = """
import pathlib, sys
from notes import asked
asked("words")
out = pathlib.Path(sys.argv[sys.argv.index("--out") + 1])
out.write_text("CASA\\n")
pathlib.Path(f"{out}.json").write_text("{}")
"""
_MACHINE_CODE = """
import pathlib
COMPLETE = pathlib.Path(__file__).with_name("complete")
is_compiled = COMPLETE.exists
"""
_ENGINE = """
import pathlib, sys
from engine.lexicon import machine_code
from notes import asked
if sys.argv[1] == "warm":
    asked("warm")
    machine_code.COMPLETE.touch()
elif sys.argv[1] == "lexicon-graph":
    asked("graph")
    pathlib.Path(sys.argv[sys.argv.index("--out") + 1]).write_bytes(b"graph")
else:
    print("engine", *sys.argv[1:])
"""
_DJANGO = """
import os, pathlib, sqlite3, sys
from notes import asked
asked({"collectstatic": "static"}.get(sys.argv[1], sys.argv[1]))
if sys.argv[1] != "migrate":
    sys.exit()
base = sqlite3.connect(pathlib.Path(os.environ["DATA_DIR"]) / "multiplo.sqlite3")
base.execute("CREATE TABLE IF NOT EXISTS django_migrations (id INTEGER PRIMARY KEY, app, name)")
base.execute("INSERT INTO django_migrations (app, name) VALUES ('tournaments', '0001_start')")
base.commit()
base.close()
"""
_COMMANDS = """
import os, sys
def execute_from_command_line(line):
    print("ran", *line[1:], "with", sys.prefix, "on", os.environ["DATA_DIR"])
    exec(os.environ.get("DURING_COMMAND", ""))
"""
_ENVIRONMENT = """
class EnvironmentFault(Exception):
    pass
def read_environment(variables):
    if variables.get("HTTPS") == "maybe":
        raise EnvironmentFault("HTTPS is wrong.")
"""
_START_CHECKS = """
from notes import note
def require_data():
    note("require_data")
def require_start(*, serves_pages):
    note("require_start")
"""
_FILES = {
    "notes.py": _NOTE,
    "engine/__init__.py": "",
    "engine/__main__.py": _ENGINE,
    "engine/lexicon/__init__.py": "",
    "engine/lexicon/machine_code.py": _MACHINE_CODE,
    "engine/lexicon/sources.py": _WORDS,
    "referee/environment/__init__.py": _ENVIRONMENT,
    "referee/server/start_checks.py": _START_CHECKS,
    "django/__init__.py": "def setup():\n    pass\n",
    "django/__main__.py": _DJANGO,
    "django/core/__init__.py": "",
    "django/core/management/__init__.py": _COMMANDS,
    "tournaments/migrations/0001_start.py": "",
}


@dataclass(frozen=True)
class SmallProject:
    """Folder with a manage.py that is run as a subprocess."""

    root: Path
    wheels: Path

    def variables(self, **more: str) -> dict[str, str]:
        """Environment variables with which pip sees only the wheels made here."""
        outside = {"DATA_DIR", "DATABASE_URL", "SECRET_KEY", "SECRET_KEY_FILE", "PYTHONPATH", "COVERAGE_PROCESS_START"}
        kept = {k: v for k, v in os.environ.items() if k not in outside and not k.startswith("PIP_")}
        pip = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.wheels), "PIP_CONFIG_FILE": os.devnull}
        return {**kept, **pip, "LC_ALL": "C.UTF-8", **more}

    def line(self, *arguments: str, python: str = sys.executable) -> list[str]:
        """Return the command line `python manage.py ARGUMENTS`."""
        return [python, str(self.root / "manage.py"), *arguments]

    def manage(
        self, *arguments: str, python: str = sys.executable, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Run manage.py and wait for its end."""
        return subprocess.run(
            self.line(*arguments, python=python),
            env=self.variables(**variables),
            cwd=self.root.parent,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )

    def steps(self) -> list[str]:
        """List the steps done so far."""
        log = self.root / "steps.log"
        return log.read_text().split() if log.exists() else []

    def require(self, runtime: str, development: str = "") -> None:
        """Write the requirements files."""
        (self.root / "requirements.txt").write_text(runtime + "\n")
        (self.root / "requirements-dev.txt").write_text("-r requirements.txt\n" + development + "\n")


def write_small_project(root: Path, wheels: Path) -> SmallProject:
    """Create a project in `root` whose requirements the tests' interpreter satisfies."""
    shutil.copytree(ROOT / "referee" / "setup", root / "referee" / "setup")
    for module in ("__init__.py", "program_files.py"):
        shutil.copy2(ROOT / "referee" / module, root / "referee")
    shutil.copy2(ROOT / "manage.py", root)
    for name in ("engine/version.py", "tournaments/backups/__init__.py", "tournaments/backups/upgrade_record.py"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, root / name)
    for name, text in _FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    project = SmallProject(root, wheels)
    project.require(f"pytest=={pytest.__version__}")
    return project


def write_wheel(folder: Path, name: str, version: str, files: dict[str, str]) -> None:
    """Write a wheel that pip installs without network or build."""
    described = f"{name}-{version}.dist-info"
    contents = {
        **files,
        f"{described}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{described}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{path},,\n" for path in [*contents, f"{described}/RECORD"])
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        for path, text in {**contents, f"{described}/RECORD": record}.items():
            wheel.writestr(path, text)


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with wheels: tilebag 1.0 and 2.0, and a pytest that prints its arguments."""
    folder = tmp_path_factory.mktemp("wheels")
    for version in ("1.0", "2.0"):
        write_wheel(folder, "tilebag", version, {"tilebag.py": f"version = {version!r}\n"})
    write_wheel(folder, "pytest", "0.1", {"pytest/__main__.py": "import sys\nprint('pytest', *sys.argv[1:])\n"})
    return folder


@pytest.fixture
def project(tmp_path: Path, wheels: Path) -> SmallProject:
    """A small project whose requirements are satisfied by the tests' interpreter."""
    return write_small_project(tmp_path / "project", wheels)


@pytest.fixture(scope="session")
def made_environment() -> Path:
    """A new virtual environment with pip only, to be copied, since making one takes seconds."""
    return made_once("environment", lambda folder: subprocess.run([BASE_PYTHON, "-m", "venv", folder], check=True))


@pytest.fixture
def bare_project(project: SmallProject, made_environment: Path) -> SmallProject:
    """A small project with an empty environment, to be run by BASE_PYTHON."""
    shutil.copytree(made_environment, project.root / ".venv", symlinks=True)
    project.require("tilebag==1.0", "pytest==0.1")
    return project
