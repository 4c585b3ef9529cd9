"""A database file that SQLite refuses with a message that is not UTF-8."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path


def write_damaged_database(path: Path) -> Path:
    """Write a database with a table that cannot be read and whose name is not UTF-8."""
    with closing(sqlite3.connect(path)) as base, base:
        base.execute("CREATE TABLE slip_ (word)")
        base.execute("PRAGMA writable_schema = ON")
        base.execute("UPDATE sqlite_master SET sql = 'CREATE TABLE slip_ ('")
    path.write_bytes(path.read_bytes().replace(b"slip_", b"slip\xfc"))
    return path
