"""Version of the program that last migrated a database, kept in the database itself so that every copy carries it."""

from __future__ import annotations

from django.db.backends.base.base import BaseDatabaseWrapper

from engine.version import FIRST_VERSION, VERSION, version_number, version_of_number

_COMMENT = "Multiplo "


def record_version(connection: BaseDatabaseWrapper) -> None:
    """Record the version of this program: in the header of an SQLite file, in a comment on a table of PostgreSQL."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"PRAGMA application_id = {version_number(VERSION)}")
        elif connection.vendor == "postgresql":
            cursor.execute(f"COMMENT ON TABLE django_migrations IS '{_COMMENT}{VERSION}'")


def read_version(connection: BaseDatabaseWrapper) -> str:
    """Return the recorded version; a database without a record is one of the first version."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA application_id")
            return version_of_number(cursor.fetchone()[0])
        cursor.execute("SELECT obj_description(to_regclass('django_migrations'), 'pg_class')")
        comment = cursor.fetchone()[0] or ""
    return comment.removeprefix(_COMMENT) if comment.startswith(_COMMENT) else FIRST_VERSION
