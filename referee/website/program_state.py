"""State of the program's files: pages that another version has made are made again."""

from __future__ import annotations

import hashlib

from referee import program_files

FOLDERS = (
    *(program_files.PACKAGES / package for package in ("engine", "tournaments", "referee")),
    program_files.TEMPLATES,
    program_files.LOCALE,
)
SUFFIXES = (".py", ".html", ".css", ".toml", ".mo")


def program_state() -> str:
    """Return a text that changes when a file of the program does, by the sizes and times of all files."""
    digest = hashlib.sha256()
    for folder in FOLDERS:
        for path in sorted(folder.rglob("*")):
            if path.suffix in SUFFIXES:
                facts = path.stat()
                digest.update(f"{path} {facts.st_size} {facts.st_mtime_ns}\n".encode())
    return digest.hexdigest()
