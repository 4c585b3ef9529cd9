"""Which Python runs the program: the running one when its environment has everything, otherwise the one in `.venv`."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from referee.setup import faults, pins

RUNTIME, DEVELOPMENT = "requirements.txt", "requirements-dev.txt"
SEAL = "multiplo.json"


@dataclass(frozen=True)
class Environment:
    """A virtual environment and the folder of the project it serves. `ours` = made and kept by this set-up."""

    prefix: Path
    root: Path
    ours: bool

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.prefix / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    @property
    def is_running(self) -> bool:
        """Whether this very process runs in it."""
        return Path(sys.prefix).resolve() == self.prefix.resolve()

    @property
    def version(self) -> str:
        """Major and minor version of its Python as its own record says, such as "3.11"."""
        try:
            record = (self.prefix / "pyvenv.cfg").read_text(encoding="utf-8")
        except OSError:
            return ""
        found = re.search(r"^version(?:_info)?\s*=\s*(\d+\.\d+)", record, re.MULTILINE)
        return found[1] if found else ""

    def is_made(self) -> bool:
        """Whether its interpreter and its pip are there, whole, and of the version it was made for."""
        if not self.python.exists() or not self._pip_is_whole():
            return False
        return not self.is_running or self.version == f"{sys.version_info[0]}.{sys.version_info[1]}"

    def has(self, requirements: str) -> bool:
        """Whether a requirements file has been installed in its present form; told by the seal, not by the packages."""
        return not self.ours or self._seals().get(requirements) == pins.fingerprint(self.root / requirements)

    def seal(self, requirements: str) -> None:
        """Record that a requirements file has been installed, so that the next start need not ask pip."""
        seals = {**self._seals(), requirements: pins.fingerprint(self.root / requirements)}
        fresh = self.prefix / f"{SEAL}.new"
        fresh.write_text(json.dumps(seals, indent=1), encoding="utf-8")
        fresh.replace(self.prefix / SEAL)

    def _seals(self) -> dict[str, str]:
        try:
            seals = json.loads((self.prefix / SEAL).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return seals if isinstance(seals, dict) else {}

    def packages(self) -> list[Path]:
        """The folders that hold its packages."""
        return [*self.prefix.glob("lib/python*/site-packages"), *self.prefix.glob("Lib/site-packages")]

    def _pip_is_whole(self) -> bool:
        return any(any(folder.glob("pip-*.dist-info/INSTALLER")) for folder in self.packages())


def choose(root: Path, requirements: str) -> Environment:
    """The running environment when it satisfies the requirements file, else `.venv` beside manage.py (there or not)."""
    home = Environment(root / ".venv", root, ours=True)
    in_another = sys.prefix != sys.base_prefix and not home.is_running
    if in_another and pins.is_satisfied(root / requirements):
        return Environment(Path(sys.prefix), root, ours=False)
    return home


def make(environment: Environment) -> list[str]:
    """The command that makes it. What a broken one left is cleared away. SetupFault without venv or ensurepip."""
    if not all(map(_is_there, ("venv", "ensurepip"))):
        raise faults.SetupFault(faults.no_venv_module())
    base = getattr(sys, "_base_executable", "") or sys.executable
    if environment.prefix.exists() and not environment.python.exists():
        shutil.rmtree(environment.prefix)
    drop_half_installed(environment)
    renewed = ["--clear"] if environment.is_running else []
    return [base, "-m", "venv", *renewed, str(environment.prefix)]


def _is_there(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def install(environment: Environment, requirements: str) -> list[str]:
    """The pip command that installs a requirements file."""
    drop_half_installed(environment)
    quiet = ["--no-input", "--disable-pip-version-check", "--no-warn-script-location", "--progress-bar", "off"]
    return [str(environment.python), "-m", "pip", "install", *quiet, "-r", str(environment.root / requirements)]


def drop_half_installed(environment: Environment) -> None:
    """Forget packages whose installation was cut off.

    pip takes a package for installed as soon as its description is there, and writes INSTALLER after its last file.
    """
    for folder in environment.packages():
        for description in folder.glob("*.dist-info"):
            if not (description / "INSTALLER").exists():
                shutil.rmtree(description)


def pip_detail(line: str) -> str:
    """What pip is doing, in a word or two, from a line of its output; "" when the line says nothing new."""
    if found := re.match(r"\s*(?:Downloading|Processing|Collecting) (?:\S*/)?([A-Za-z0-9_.]+)", line):
        return found[1].split("==")[0]
    return "" if not line.startswith("Installing") else line.split(":")[0].lower()


def become(environment: Environment, command: list[str], variables: dict[str, str]) -> int:
    """Continue as the environment's Python with a command line. Comes back on Windows only, with the exit code."""
    line = [str(environment.python), *command]
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name == "nt":
        return subprocess.run(line, env=variables, check=False).returncode  # noqa: S603 - our own command
    os.execve(line[0], line, variables)  # noqa: S606 - our own command, no shell wanted
