"""The files of the pages (CSS, JavaScript), collected under names with a hash."""

from __future__ import annotations

import hashlib
from pathlib import Path

from referee.setup import pins
from referee.setup.environment import RUNTIME
from referee.setup.project import Project


def is_collected(project: Project) -> bool:
    """Whether the collected files are those of the sources as they are now."""
    try:
        return _seal(project).read_text(encoding="utf-8") == _state(project)
    except OSError:
        return False


def seal(project: Project) -> None:
    """Remember from what the files were collected."""
    _seal(project).parent.mkdir(parents=True, exist_ok=True)
    _seal(project).write_text(_state(project), encoding="utf-8")


def _seal(project: Project) -> Path:
    return project.root / "staticfiles" / "collected"


def _state(project: Project) -> str:
    digest = hashlib.sha256(pins.fingerprint(project.root / RUNTIME).encode())
    for path in sorted((project.root / "referee" / "static").rglob("*.*")):
        stat = path.stat()
        digest.update(f"{path.relative_to(project.root)} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()
