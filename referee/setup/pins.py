"""Reads the requirements files and tells what the running interpreter lacks of them."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

_PIN = re.compile(
    r"^(?P<name>[A-Za-z0-9][\w.-]*)(?:\[(?P<extras>[^\]]*)\])?==(?P<version>[^\s;]+)\s*(?:;\s*(?P<marker>.+))?$"
)
_MARKER = re.compile(r"""^sys_platform\s*(?P<sign>==|!=)\s*["'](?P<platform>\w+)["']$""")
_EXTRA_NEED = re.compile(r"""^(?P<name>[\w.-]+).*;.*\bextra\s*==\s*["'](?P<extra>[\w.-]+)["']""")


@dataclass(frozen=True)
class Pin:
    """One line `name[extras]==version` that applies to this platform."""

    name: str
    version: str
    extras: frozenset[str]


def read_pins(path: Path) -> Iterator[Pin]:
    """The pins of a requirements file and of those it includes by `-r`. Raises ValueError for anything else."""
    for line in path.read_text(encoding="utf-8").splitlines():
        line = line.split("#")[0].strip()
        if line.startswith("-r"):
            yield from read_pins(path.parent / line[2:].strip())
        elif line:
            pin = _PIN.match(line)
            if pin is None:
                raise ValueError(f"{path.name}: “{line}” is not an exact pin name==version")
            if _applies(pin["marker"]):
                extras = frozenset(part.strip() for part in (pin["extras"] or "").split(",") if part.strip())
                yield Pin(pin["name"], pin["version"], extras)


def _applies(marker: str | None) -> bool:
    if marker is None:
        return True
    known = _MARKER.match(marker.strip())
    if known is None:
        raise ValueError(f"the set-up reads only markers on sys_platform, not “{marker}”")
    return (sys.platform == known["platform"]) == (known["sign"] == "==")


def is_satisfied(path: Path) -> bool:
    """Whether the running interpreter has exactly what the requirements file pins."""
    return all(_is_installed(pin) for pin in read_pins(path))


def _is_installed(pin: Pin) -> bool:
    try:
        if metadata.version(pin.name) != pin.version:
            return False
        for need in metadata.requires(pin.name) or ():
            wanted = _EXTRA_NEED.match(need)
            if wanted and wanted["extra"] in pin.extras:
                metadata.version(wanted["name"])
    except metadata.PackageNotFoundError:
        return False
    return True


def fingerprint(path: Path) -> str:
    """A checksum over a requirements file and the files it includes."""
    digest = hashlib.sha256()
    for line in path.read_text(encoding="utf-8").splitlines():
        digest.update(line.strip().encode() + b"\n")
        if line.startswith("-r"):
            digest.update(fingerprint(path.parent / line[2:].strip()).encode())
    return digest.hexdigest()
