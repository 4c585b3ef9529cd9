"""Version of a release: the same in engine/version.py and at the top of CHANGELOG.md, and committed."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

UNRELEASED = "unreleased"
FILE = "engine/version.py"
_VERSION = re.compile(r"^VERSION = \"([^\"]*)\"$", re.MULTILINE)
_SECTION = re.compile(r"^## (\S+) – (.+)$", re.MULTILINE)


class NotReady(Exception):
    """The checkout cannot be released; the message says why and what to do."""


def git(root: Path, *arguments: str) -> str:
    """Return what a git command prints."""
    line = ["git", "-C", str(root), *arguments]
    return subprocess.run(line, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603 - our own command


def require_clean_tree(root: Path) -> None:
    """Raise NotReady if the checkout differs from its commit."""
    changed = git(root, "status", "--porcelain").splitlines()
    if changed:
        raise NotReady(f"{len(changed)} files are not committed, the first is {changed[0][3:]}: commit or remove them.")


def set_version(root: Path, version: str, day: str) -> None:
    """Write version and day into engine/version.py and CHANGELOG.md and commit them, unless they are there already."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise NotReady(f"“{version}” is not a version: give three numbers, for example --version 1.2.0.")
    own, changes = root / FILE, root / "CHANGELOG.md"
    text = changes.read_text(encoding="utf-8")
    section = _SECTION.search(text)
    if section is None or (section[2] != UNRELEASED and section[1] != version):
        raise NotReady(f"CHANGELOG.md has no section for {version}: begin it with “## {version} – {UNRELEASED}”.")
    if section[2] == UNRELEASED:
        changes.write_text(text.replace(section[0], f"## {version} – {day}", 1), encoding="utf-8")
    own.write_text(_VERSION.sub(f'VERSION = "{version}"', own.read_text(encoding="utf-8"), 1), encoding="utf-8")
    if git(root, "status", "--porcelain"):
        git(root, "commit", "--all", "--message", f"Version {version}")


def require_version(root: Path) -> str:
    """Return the version of the checkout. Raises NotReady if CHANGELOG.md has no dated section for it at its top."""
    found = _VERSION.search((root / FILE).read_text(encoding="utf-8"))
    version = found[1] if found else ""
    section = _SECTION.search((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    if section is None or section[1] != version:
        top = section[1] if section else "no version"
        raise NotReady(f"{FILE} says {version} and the top of CHANGELOG.md says {top}: make them equal.")
    if section[2] == UNRELEASED:
        raise NotReady(f"CHANGELOG.md has no date for {version}: run the command with --version {version}.")
    return version
