"""Lock file of the shipped packages: the pins of everything that is shipped, with the hashes of their files."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from packaging.markers import Marker
from packaging.utils import canonicalize_name

LOCK_FILE = "requirements.lock"
SOURCES = ("requirements.txt", "packaging/installer.txt")
COMMAND = "python3 manage.py lock"
_LINE = re.compile(r"^([\w.-]+)(?:\[[^\]]*\])?==([^\s;\\#]+)[ \t]*(?:;[ \t]*([^\\#\n]*[^\\#\s]))?", re.MULTILINE)
_HASH = re.compile(r"--hash=(sha256:[0-9a-f]{64})")


@dataclass(frozen=True)
class Pin:
    """One version of a package; `marker` is empty if every platform needs it, `hashes` in a lock file only."""

    name: str
    version: str
    marker: str = ""
    hashes: tuple[str, ...] = ()

    def applies(self, *environments: Mapping[str, str]) -> bool:
        """Return True if one of the marker environments needs the package."""
        return not self.marker or any(Marker(self.marker).evaluate(dict(each)) for each in environments)

    def line(self) -> str:
        """Return the line of a requirements file, without the marker."""
        return " ".join((f"{self.name}=={self.version}", *(f"--hash={each}" for each in self.hashes)))

    def constraint(self) -> str:
        """Return the line of a constraints file, without the hashes."""
        return f"{self.name}=={self.version}" + (f" ; {self.marker}" if self.marker else "")


def read_pins(text: str) -> list[Pin]:
    """Return the pins of a requirements file or lock file, in its order."""
    starts = list(_LINE.finditer(text))
    ends = [match.start() for match in starts[1:]] + [len(text)]
    return [
        Pin(
            canonicalize_name(match[1]),
            match[2],
            match[3] or "",
            tuple(_HASH.findall(text, match.end(), end)),
        )
        for match, end in zip(starts, ends, strict=True)
    ]


def read_lock(root: Path) -> list[Pin]:
    """Return the pins of the lock file in `root`."""
    return read_pins((root / LOCK_FILE).read_text(encoding="utf-8"))


def requested_pins(root: Path) -> list[Pin]:
    """Return the pins from which the lock file is made, those of included files too."""
    names = list(SOURCES)
    pins: list[Pin] = []
    while names:
        text = (root / names.pop()).read_text(encoding="utf-8")
        names += re.findall(r"^-r +(\S+)", text, re.MULTILINE)
        pins += read_pins(text)
    return pins


def write_lock(root: Path, *, upgrade: Iterable[str] = ()) -> None:
    """Write the lock file for all platforms; dependencies keep their versions, except those in `upgrade`."""
    from uv import find_uv_bin  # a tool of requirements-dev.txt

    options = [
        "--universal",
        "--python-version",
        "3.11",
        "--generate-hashes",
        "--no-annotate",
        "--no-config",
        "--quiet",
    ]
    upgrades = [f"--upgrade-package={name}" for name in upgrade]
    line = [find_uv_bin(), "pip", "compile", *options, *upgrades, "--custom-compile-command", COMMAND]
    subprocess.run([*line, "--output-file", LOCK_FILE, *SOURCES], cwd=root, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own command
