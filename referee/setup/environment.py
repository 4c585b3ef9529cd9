"""Python environment of a checkout: the running one if it has all packages, otherwise `.venv`."""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from pathlib import Path

from referee import program_files
from referee.setup.faults import NO_VENV, SetupFault
from referee.setup.messages import translate as _
from referee.setup.records import Seal
from referee.setup.schedule import Step

RUNTIME, DEVELOPMENT = "requirements.txt", "requirements-dev.txt"  # the second one includes the first one
_PIN = re.compile(r"^([\w.-]+)(?:\[.*\])?==([^\s;#]+)(?:\s*;([^#\n]*))?", re.MULTILINE)
_PIP_OPTIONS = ("--no-input", "--disable-pip-version-check", "--no-warn-script-location", "--progress-bar", "off")


@dataclass(frozen=True)
class Environment:
    """Virtual environment of the checkout in `root`; `ours` is True if this set-up manages it."""

    prefix: Path
    root: Path
    ours: bool = True

    @property
    def python(self) -> Path:
        """Path of its interpreter."""
        return self.prefix / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    @property
    def is_running(self) -> bool:
        """True if this process runs in it."""
        return Path(sys.prefix).resolve() == self.prefix.resolve()

    def is_made(self) -> bool:
        """Return True if it has an interpreter and a complete pip, for the version of the Python that runs in it."""
        has_pip = any(any(folder.glob("pip-*/INSTALLER")) for folder in self._packages())
        is_same_version = not self.is_running or importlib.util.find_spec("pip") is not None
        return self.python.exists() and has_pip and is_same_version

    def make_command(self) -> list[str]:
        """Return the command that creates it, in place of a broken one. Raises SetupFault without venv or ensurepip."""
        if not all(map(importlib.util.find_spec, ("venv", "ensurepip"))):
            raise SetupFault(NO_VENV)
        base = getattr(sys, "_base_executable", "") or sys.executable
        return [base, "-m", "venv", "--clear", str(self.prefix)]

    def install_command(self, requirements: str) -> list[str]:
        """Return the pip command that installs a requirements file.

        Packages whose installation was interrupted are removed first: pip regards a package as installed once its
        metadata exists, and writes INSTALLER last.
        """
        for description in (path for folder in self._packages() for path in folder.glob("*.dist-info")):
            if not (description / "INSTALLER").exists():
                shutil.rmtree(description)
        return [str(self.python), "-m", "pip", "install", *_PIP_OPTIONS, "-r", str(self.root / requirements)]

    def _packages(self) -> list[Path]:
        return [*self.prefix.glob("lib/python*/site-packages"), *self.prefix.glob("Lib/site-packages")]

    def steps(self) -> list[Step]:
        """List the steps that make it and install the packages; none if the set-up does not manage it."""

        def install(name: str, title: str, after: str, room_mb: int, *requirements: str) -> Step:
            seal = Seal(self.prefix / f"{requirements[-1]}.installed", self.root, requirements)
            command = partial(self.install_command, requirements[-1])
            return Step(name, title, seal.is_current, command, (after,), seal.write, (room_mb, self.root))

        room = (30, self.root)
        steps = [
            Step("environment", _("Making the Python environment"), self.is_made, self.make_command, room=room),
            install("packages", _("Installing the Python packages"), "environment", 480, RUNTIME),
            install("tools", _("Installing the tools for the tests"), "packages", 540, RUNTIME, DEVELOPMENT),
        ]
        return steps if self.ours else []


def choose_environment(root: Path, *requirements: str) -> Environment:
    """Return the running environment if it has the pinned packages, else `.venv`, which may not exist yet.

    pip has installed the packages of an installed program.
    """
    if program_files.IS_INSTALLED:
        return Environment(Path(sys.prefix), root, ours=False)
    home = Environment(root / ".venv", root)
    is_in_another = sys.prefix != sys.base_prefix and not home.is_running
    if is_in_another and all(has_pins((root / name).read_text(encoding="utf-8")) for name in requirements):
        return Environment(Path(sys.prefix), root, ours=False)
    return home


def has_pins(requirements: str) -> bool:
    """Return True if the running interpreter has the versions that are pinned in the text of a requirements file."""
    pins = [pin for pin in _PIN.findall(requirements) if _is_for_this_machine(pin[2])]
    try:
        return all(metadata.version(name) == version for name, version, _marker in pins)
    except metadata.PackageNotFoundError:
        return False


def _is_for_this_machine(marker: str) -> bool:
    """Evaluate the environment marker of a pin."""
    machine = {"sys_platform": sys.platform, "platform_machine": platform.machine()}
    return not marker or bool(eval(marker.strip(), {"__builtins__": {}}, machine))  # noqa: S307 - a line of our own file


def replace_process(chosen: Environment, command: Sequence[str], variables: Mapping[str, str]) -> int:
    """Replace this process by the environment's Python. Returns on Windows only, with the exit code."""
    line = [str(chosen.python), *command]
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name == "nt":
        return subprocess.run(line, env=variables, check=False).returncode  # noqa: S603 - our own command
    os.execve(line[0], line, variables)  # noqa: S606 - our own command, no shell wanted
