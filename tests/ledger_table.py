"""Access to the ledger's table without its triggers, and emptying of all tables, for tests only.

The program has no such function. Tests that commit empty every table afterwards, and some forge entries.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction
from django.test import TransactionTestCase

from tournaments.ledger.append_only import TABLE, protect_if_there

_DROPS = {
    "sqlite": [f"DROP TRIGGER IF EXISTS ledger_takes_no_{act}" for act in ("update", "delete", "replace")],
    "postgresql": [f"DROP TRIGGER IF EXISTS ledger_is_append_only ON {TABLE}"],
}
_FILLED_BY_MIGRATE = ("auth_permission", "django_content_type")


@contextmanager
def unprotected() -> Iterator[None]:
    """Allow changes of the ledger within the block."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # no trigger is changed while checks are pending
        for statement in _DROPS[connection.vendor]:
            cursor.execute(statement)
    try:
        yield
    finally:
        protect_if_there(connection)


class EmptiedAfterwards:
    """Replacement of Django's method that empties the tables after a test that commits."""

    def __init__(self) -> None:
        self._plain = TransactionTestCase._fixture_teardown  # type: ignore[attr-defined]

    def __call__(self, case: TransactionTestCase) -> None:
        with unprotected():
            if connection.vendor == "postgresql":
                _empty_filled_tables()
            else:
                self._plain(case)


def _empty_filled_tables() -> None:
    """Delete all rows but those that `migrate` writes: TRUNCATE makes new files for each table and index."""
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(f"(SELECT '{table}' FROM {table} LIMIT 1)" for table in tables))  # noqa: S608
        for (table,) in cursor.fetchall():
            if table not in _FILLED_BY_MIGRATE:
                cursor.execute(f"DELETE FROM {table}")  # noqa: S608 - foreign keys are checked at the end
