"""Wheels of a release: those of the shipped packages, downloaded by hash, and that of the program itself."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from email.message import Message
from email.parser import HeaderParser
from pathlib import Path
from tempfile import TemporaryDirectory

from referee.release.lock import Pin

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
NEWEST_GLIBC = 34  # glibc 2.34 is in Ubuntu 22.04 and Debian 12


@dataclass(frozen=True)
class Target:
    """A computer for which wheels are chosen: Linux on x86-64 with a minor version of Python."""

    python: str

    def environments(self) -> list[dict[str, str]]:
        """Return the marker environments of the first and of a late patch of its Python."""
        linux = {
            "os_name": "posix",
            "sys_platform": "linux",
            "platform_system": "Linux",
            "platform_machine": "x86_64",
            "platform_python_implementation": "CPython",
            "implementation_name": "cpython",
            "python_version": self.python,
        }
        return [{**linux, "python_full_version": f"{self.python}.{patch}"} for patch in (0, 99)]

    def options(self) -> list[str]:
        """Return the options of `pip download`, with the platform tags from the newest to the oldest."""
        tags = [f"manylinux_2_{minor}_x86_64" for minor in range(NEWEST_GLIBC, 4, -1)]
        tags += ["manylinux2014_x86_64", "manylinux2010_x86_64", "manylinux1_x86_64"]
        platforms = [part for tag in tags for part in ("--platform", tag)]
        return ["--python-version", self.python, "--implementation", "cp", *platforms]


def download_wheels(pins: Iterable[Pin], target: Target, folder: Path) -> None:
    """Download into `folder` the wheels that the target needs. Files of other content than the lock's are refused."""
    _download([pin for pin in pins if pin.applies(*target.environments())], target, folder)


def download_for_reading(pins: Iterable[Pin], folder: Path) -> list[Path]:
    """Download a wheel of every pin, also of those that only other platforms need; return the files."""
    rest = list(pins)
    while rest:
        chosen = {pin.name: pin for pin in rest}  # pip takes one version of a package at a time
        _download(chosen.values(), Target(PYTHONS[0]), folder)
        rest = [pin for pin in rest if chosen[pin.name] != pin]
    return sorted(folder.glob("*.whl"))


def build_wheel(source: Path, folder: Path, variables: Mapping[str, str]) -> Path:
    """Build the wheel of the program from its sources into `folder`; return the file."""
    _run_pip("wheel", "--no-deps", "--wheel-dir", str(folder), str(source), variables=variables)
    (wheel,) = folder.glob("multiplo-*.whl")
    wheel.chmod(0o644)
    return wheel


def read_metadata(wheel: Path) -> Message:
    """Return the metadata of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        name = next(
            each for each in archive.namelist() if each.endswith(".dist-info/METADATA") and each.count("/") == 1
        )
        return HeaderParser().parsestr(archive.read(name).decode())


def _download(pins: Iterable[Pin], target: Target, folder: Path) -> None:
    with TemporaryDirectory(prefix="multiplo-") as name:
        lines = Path(name) / "requirements.txt"
        lines.write_text("".join(f"{pin.line()}\n" for pin in pins), encoding="utf-8")
        options = ["--no-deps", "--only-binary", ":all:", "--require-hashes", *target.options()]
        _run_pip("download", *options, "--dest", str(folder), "--requirement", str(lines))


def _run_pip(*arguments: str, variables: Mapping[str, str] | None = None) -> None:
    line = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input", *arguments]
    subprocess.run(line, check=True, env={**os.environ, **(variables or {})})  # noqa: S603 - our own command
