"""Version of the program, which releases, data folders and backups carry."""

from __future__ import annotations

import re

VERSION = "0.1.0"
FIRST_VERSION = "0.1.0"
"""Version of data that carry none."""

_MARK = ord("M") << 24  # distinguishes a version from the numbers of other programs


def version_key(text: str) -> tuple[int, ...]:
    """Return the three numbers of a version, by which versions are compared; a suffix such as "rc1" is ignored."""
    found = re.match(r"(\d{1,3})\.(\d{1,3})(?:\.(\d{1,3}))?", text)
    if found is None:
        raise ValueError(f"{text!r} is no version")
    return tuple(int(number or 0) for number in found.groups())


def is_newer(text: str) -> bool:
    """Return True if data of this version belong to a newer program."""
    return version_key(text) > version_key(VERSION)


def version_number(text: str) -> int:
    """Return the version as a number of 31 bits, for SQLite's `application_id`."""
    major, minor, patch = version_key(text)
    return _MARK | major << 16 | minor << 8 | patch


def version_of_number(number: int) -> str:
    """Return the version that a number stands for, `FIRST_VERSION` for 0 and other numbers."""
    if number & 0xFF000000 != _MARK:
        return FIRST_VERSION
    return f"{number >> 16 & 0xFF}.{number >> 8 & 0xFF}.{number & 0xFF}"
