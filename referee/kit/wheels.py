"""Packages of a kit: the wheel of this program, and the wheels of its dependencies for each platform and Python."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.utils.translation import gettext as _

from referee.kit.faults import KitFault
from referee.kit.platforms import Platform
from referee.release.lock import read_lock

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

    pip itself is among it: the kit installs with it. The versions and the contents are those of the lock file.
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
    pins = read_lock(settings.BASE_DIR)
    with TemporaryDirectory(prefix="multiplo-") as name:
        versions = Path(name) / "constraints.txt"
        versions.write_text("".join(f"{pin.constraint()}\n" for pin in pins), encoding="utf-8")
        line += ["--constraint", str(versions), "--dest", str(folder), str(wheel), "pip"]
        _run(line, missing % {"platform": platform.name, "python": python})
    _require_locked(folder, wheel, {digest for pin in pins for digest in pin.hashes})


def _require_locked(folder: Path, wheel: Path, digests: Collection[str]) -> None:
    """Raise KitFault if a downloaded file is not one of the lock file."""
    for path in sorted(folder.glob("*.whl")):
        if path.name != wheel.name and f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}" not in digests:
            sentence = _("The file %(file)s is not the one of the lock file: delete it and check the network.")
            raise KitFault(sentence % {"file": path})


def _run(arguments: Sequence[str], sentence: str) -> None:
    """Run this Python; raises KitFault with the last error lines."""
    done = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, *arguments], capture_output=True, encoding="utf-8", errors="replace", check=False
    )
    if done.returncode != 0:
        errors = [line for line in done.stderr.splitlines() if not line.startswith("WARNING")]
        raise KitFault("\n    ".join((sentence, *errors[-6:])))
