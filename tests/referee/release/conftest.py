"""A copy of the checkout with a commit of its own, so that a release can be made of it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
AUTHOR = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "Anna"), ("EMAIL", "anna@example.org"), ("DATE", "2026-01-09T20:00:00Z"))
}


def run(*line: str | Path, cwd: Path | None = None) -> str:
    """Run a program to its end; return its output, and show it if the program fails."""
    done = subprocess.run(
        [str(part) for part in line],
        cwd=cwd,
        env={**os.environ, **AUTHOR},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, f"{line[:6]}: {done.stdout[-4000:]}"
    return done.stdout


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The files of this checkout, committed."""
    folder = tmp_path / "checkout"
    listed = run("git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    for name in filter(None, listed):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    run("git", "init", "--quiet", folder)
    run("git", "-C", folder, "add", "--all")
    run("git", "-C", folder, "commit", "--quiet", "--message", "All files")
    return folder
