"""Checks of the computer: Python, packages, limit of open files, memory."""

from __future__ import annotations

import os
import re
import struct
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from django.utils.translation import gettext as _
from packaging.requirements import Requirement

from referee.checks import LEAST_OPEN_FILES
from referee.readiness.finding import Finding, State

OLDEST_PYTHON = (3, 11)
NEEDED_BITS = 64
FEWEST_FILES = 1024
"""Limit of open files below which even a club night has too few; every phone needs one or two."""
NEEDED_MB = 500
SCARCE_MB = 200
_MEMORY = Path("/proc/meminfo")


def get_bits() -> int:
    """Return the size of a pointer of this Python in bits."""
    return struct.calcsize("P") * 8


def check_python(version: tuple[int, ...] = sys.version_info[:3], bits: int | None = None) -> Finding:
    """Check the version and the word size of Python."""
    bits = bits or get_bits()
    shown = ".".join(map(str, version))
    if version[:2] < OLDEST_PYTHON or bits != NEEDED_BITS:
        text = _("This is Python %(version)s with %(bits)d bits, and Multiplo needs 3.11 or newer with 64 bits.")
        remedy = _("Install a newer Python with 64 bits from python.org, and start Multiplo with it.")
        return Finding("python", "fault", text % {"version": shown, "bits": bits}, remedy)
    return Finding("python", "ok", _("Python %(version)s, %(bits)d bits") % {"version": shown, "bits": bits})


def read_pins(root: Path) -> list[str]:
    """Return the packages that the program needs: of requirements.txt in a checkout, else of the installed package.

    Those of requirements-federation.txt, which requirements.txt includes, are checked when their variables are read.
    """
    file = root / "requirements.txt"
    if not file.is_file():
        return [line for line in metadata.requires("multiplo") or [] if "extra ==" not in line]
    lines = (re.sub(r"(^|\s)(#|--).*", "", line).strip(" \\") for line in file.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("-")]


def check_packages(lines: Sequence[str]) -> Finding:
    """Compare the installed packages with the pins of this platform."""
    wanted = [pin for pin in map(Requirement, lines) if pin.marker is None or pin.marker.evaluate()]
    wrong = [wrong for pin in wanted if (wrong := _describe_wrong(pin))]
    if not wrong:
        return Finding("packages", "ok", _("All %(n)d packages are installed.") % {"n": len(wanted)})
    text = _("These packages are missing or have another version: %(packages)s.") % {"packages": ", ".join(wrong)}
    pins = [f'"{pin.name}{pin.specifier}"' for pin in wanted if _describe_wrong(pin)]
    command = f"{sys.executable} -m pip install {' '.join(pins)}"
    remedy = _("Connect this computer to the internet once, and run: %(command)s") % {"command": command}
    return Finding("packages", "fault", text, remedy)


def _describe_wrong(pin: Requirement) -> str:
    """Name a package that is missing or has a version that the pin does not allow; empty if it is right."""
    try:
        installed = metadata.version(pin.name)
    except metadata.PackageNotFoundError:
        return pin.name
    return "" if pin.specifier.contains(installed, prereleases=True) else f"{pin.name} {installed}"


def get_file_limit() -> int | None:
    """Return the number of files that a program may open at most; None without a limit."""
    if sys.platform == "win32":
        return None
    import resource

    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return None if hard == resource.RLIM_INFINITY else hard


def check_open_files(limit: int | None) -> Finding:
    """Check the limit of open files, to which `serve` raises its own; every phone needs one or two."""
    if limit is None or limit >= LEAST_OPEN_FILES:
        return Finding("open-files", "ok", _("Enough files can be open for thousands of phones."))
    text = _("The system lets a program open %(files)d files, and every phone is one.") % {"files": limit}
    remedy = _("Raise the limit (ulimit -Hn, or LimitNOFILE of the service) to %(files)d.") % {
        "files": LEAST_OPEN_FILES
    }
    return Finding("open-files", "fault" if limit < FEWEST_FILES else "warning", text, remedy)


def get_available_memory_mb() -> int | None:
    """Return the memory that programs can still use; None where the system does not say."""
    try:
        found = re.search(r"^MemAvailable:\s+(\d+) kB", _MEMORY.read_text(), re.MULTILINE)
        if found:
            return int(found[1]) // 1000
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 1_000_000
    except (OSError, ValueError, AttributeError):  # Windows, which has no sysconf
        return None


def check_memory(available_mb: int | None) -> Finding:
    """Check that enough memory is left for the program."""
    if available_mb is None:
        return Finding("memory", "ok", _("This system does not say how much memory is free."))
    if available_mb >= NEEDED_MB:
        return Finding("memory", "ok", _("%(mb)d MB of memory are free.") % {"mb": available_mb})
    state: State = "fault" if available_mb < SCARCE_MB else "warning"
    text = _("Only %(mb)d MB of memory are free, and Multiplo needs about %(needed)d MB.")
    remedy = _("Close other programs, first the browser windows that you do not need.")
    return Finding("memory", state, text % {"mb": available_mb, "needed": NEEDED_MB}, remedy)
