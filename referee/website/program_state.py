"""State of the program's files: pages that another version has made are made again."""

from __future__ import annotations

import hashlib
from pathlib import Path

from django.conf import settings

FOLDERS = ("engine", "tournaments", "referee", "templates", "locale")
SUFFIXES = (".py", ".html", ".css", ".toml", ".mo")


def program_state() -> str:
    """Return a text that changes when a file of the program does, by the sizes and times of all files."""
    digest = hashlib.sha256()
    for folder in FOLDERS:
        for path in sorted((Path(settings.BASE_DIR) / folder).rglob("*")):
            if path.suffix in SUFFIXES:
                facts = path.stat()
                digest.update(f"{path} {facts.st_size} {facts.st_mtime_ns}\n".encode())
    return digest.hexdigest()
