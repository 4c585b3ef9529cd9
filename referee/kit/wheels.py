"""Packages of a kit: the wheel of this program, and the wheels of its dependencies for each platform and Python."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from django.utils.translation import gettext as _

from referee.kit.faults import KitFault
from referee.kit.platforms import Platform

_OPTIONS = ("--quiet", "--no-input", "--disable-pip-version-check")


def build_wheel(root: Path, folder: Path) -> Path:
    """Build the wheel of the checkout in `root` and return it. Raises KitFault."""
    if not (root / "pyproject.toml").is_file():
        raise KitFault(_("Only a checkout can build the package of Multiplo: name its file with --wheel FILE."))
    line = ["-m", "pip", "wheel", *_OPTIONS, "--no-deps", "--wheel-dir", str(folder), str(root)]
    _run(line, _("The package of Multiplo could not be built."))
    return next(folder.glob("multiplo-*.whl"))


def download_wheels(wheel: Path, platform: Platform, python: str, folder: Path) -> None:
    """Download what the wheel of this program needs on a platform into a folder. Raises KitFault.

    pip itself is among it: the kit installs with it.
    """
    tags = [option for tag in platform.tags for option in ("--platform", tag)]
    fitting = ["--only-binary=:all:", "--implementation", "cp", "--python-version", python, *tags]
    line = [
        str(Path(__file__).with_name("target_pip.py")),
        json.dumps(platform.markers(python)),
        "download",
        *_OPTIONS,
        *fitting,
    ]
    missing = _("Not all packages could be fetched for %(platform)s with Python %(python)s.")
    _run([*line, "--dest", str(folder), str(wheel), "pip"], missing % {"platform": platform.name, "python": python})


def _run(arguments: Sequence[str], sentence: str) -> None:
    """Run this Python; raises KitFault with the last error lines."""
    done = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, *arguments], capture_output=True, encoding="utf-8", errors="replace", check=False
    )
    if done.returncode != 0:
        errors = [line for line in done.stderr.splitlines() if not line.startswith("WARNING")]
        raise KitFault("\n    ".join((sentence, *errors[-6:])))
